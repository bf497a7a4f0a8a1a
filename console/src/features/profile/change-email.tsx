import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'

interface ChangeEmailProps {
  onClose: () => void
  onSent: (email: string) => void
}

const useEmailForm = ({ onClose, onSent }: ChangeEmailProps) => {
  const check = useFieldChecks()
  const form = useForm({
    // The service's refusal of the password names this field.
    initialValues: { email: '', old_password: '' },
    validate: { email: check('email') },
  })
  const sending = useSubmit(form, async ({ email, old_password: password }) => {
    await client.auth.changeEmail({ email: email.trim(), password })
    onSent(email.trim())
    onClose()
  })
  return { form, ...sending }
}

export const ChangeEmail = (props: ChangeEmailProps) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useEmailForm(props)
  const { onClose } = props
  return (
    <FormDialog
      isDirty={form.isDirty()}
      onClose={onClose}
      title={t('profile.changeEmail')}
      isPending={isSending}
    >
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">{t('profile.changeEmailText')}</Text>
          {error !== undefined && <ErrorPanel error={error} />}
          <TextInput
            label={t('profile.newEmail')}
            type="email"
            autoComplete="email"
            required
            data-autofocus
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={t('profile.oldPassword')}
            autoComplete="current-password"
            required
            {...form.getInputProps('old_password')}
          />
          <Group justify="flex-end">
            <Button variant="default" disabled={isSending} onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
              {t('profile.sendLink')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}
