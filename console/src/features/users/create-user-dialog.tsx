import { Alert, Button, Group, Stack, Text, DataList } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../translation.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { nameOf } from '../../format.ts'
import { CreateUserForm, useCreateForm, type Created } from './create-user-form.tsx'
import { CopyText } from '../../components/copy-text.tsx'

/** Asks for a new user's data, then shows the credentials to pass on. */
export const CreateUserDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const creating = useCreateForm()
  const { form, created } = creating
  return (
    <FormDialog
      isDirty={!created && form.isDirty()}
      onClose={onClose}
      title={t(created ? 'users.isCreated' : 'users.create')}
      closeOnClickOutside={false}
      isPending={creating.isSending}
    >
      {created ? (
        <CreatedUser created={created} onClose={onClose} />
      ) : (
        <CreateUserForm creating={creating} onClose={onClose} />
      )}
    </FormDialog>
  )
}

interface CreatedUserProps {
  created: Created
  onClose: () => void
}

/** The password is shown once. */
const CreatedUser = ({ created: { user, password, refusal }, onClose }: CreatedUserProps) => {
  const { t } = useTranslation()
  const params = { userId: String(user.id) }
  return (
    <Stack>
      <Text size="sm" role="status" className="breakable">
        {t('users.created', { name: nameOf(user) })}
      </Text>
      {refusal !== undefined && (
        <Alert color="yellow">{t('users.createdWithout', { reason: refusal })}</Alert>
      )}
      <Credentials email={user.email} password={password} />
      <Group justify="flex-end">
        <Button
          variant="default"
          renderRoot={(props: object) => <Link to="/users/$userId" params={params} {...props} />}
        >
          {t('users.open')}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}

interface CredentialsProps {
  email: string
  password: string
}

const Credentials = ({ email, password }: CredentialsProps) => {
  const { t } = useTranslation()
  const items = [
    { label: t('fields.email'), text: email, copy: t('fields.copyEmail') },
    { label: t('fields.password'), text: password, copy: t('fields.copyPassword') },
  ]
  return (
    <DataList>
      {items.map(({ label, text, copy }) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue>
            <CopyText text={text} label={copy} />
          </DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}
