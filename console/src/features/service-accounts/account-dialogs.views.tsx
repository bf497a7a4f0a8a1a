import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { type GetInputPropsReturnType, useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import type { ServiceAccount } from '@tenantry/client'
import { useState } from 'react'
import { useFieldChecks } from '../../components/field-checks.ts'
import { DialogForm, FieldsDialog, FormDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { RolesToGive } from '../roles/roles-to-give.views.tsx'
import { useRoles } from '../roles/roles.queries.ts'
import { useGiveRoles } from '../roles/roles.views.tsx'
import { canAccountHold } from './service-accounts.queries.ts'
import { NameInput } from '../../components/named-form.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface Created {
  account: ServiceAccount
  /** The reason why a role could not be assigned. */
  refusal: string | undefined
}

const useCreateForm = () => {
  const { api } = useScope()
  const renew = useRenew()
  const giveRoles = useGiveRoles()
  const check = useFieldChecks()
  const [created, setCreated] = useState<Created>()
  const form = useForm({
    initialValues: { name: '', description: '', roles: [] as string[] },
    validate: { name: check('roleName'), description: check('description') },
  })
  const sending = useSubmit(form, async ({ roles, ...fields }) => {
    const account = await api.serviceAccounts.create(fields)
    setCreated({ account, refusal: await giveRoles(account.id, roles) })
    await renew()
  })
  return { form, created, ...sending }
}

/** Asks for a new account and its roles. Then opens its page, where the caller can create keys. */
export const CreateAccountDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const creating = useCreateForm()
  const { form, created, isSending } = creating
  return (
    <FormDialog
      isDirty={!created && form.isDirty()}
      onClose={onClose}
      title={t(created ? 'serviceAccounts.isCreated' : 'places.createServiceAccount')}
      isPending={isSending}
    >
      {created ? (
        <CreatedAccount created={created} onClose={onClose} />
      ) : (
        <CreateForm creating={creating} onClose={onClose} />
      )}
    </FormDialog>
  )
}

interface CreateFormProps {
  creating: ReturnType<typeof useCreateForm>
  onClose: () => void
}

const CreateForm = ({ creating, onClose }: CreateFormProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { data: roles = [] } = useRoles()
  const { form } = creating
  return (
    <DialogForm sending={creating} submit={t('places.createServiceAccount')} onCancel={onClose}>
      <AccountFields name={form.getInputProps('name')} description={form.getInputProps('description')} />
      {can('role:read') && can('role:assign') && (
        <RolesToGive
          roles={roles.filter(canAccountHold)}
          description={t('serviceAccounts.rolesHint')}
          value={form.values.roles}
          onChange={(ids) => form.setValues({ roles: ids })}
        />
      )}
    </DialogForm>
  )
}

const CreatedAccount = ({
  created: { account, refusal },
  onClose,
}: {
  created: Created
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const params = { accountId: String(account.id) }
  return (
    <Stack>
      <Text size="sm" role="status" className="breakable">
        {t('serviceAccounts.created', { name: account.name })}
      </Text>
      {refusal !== undefined && (
        <Alert color="yellow">{t('users.createdWithout', { reason: refusal })}</Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        <Button
          data-autofocus
          renderRoot={(props: object) => (
            <Link to="/service-accounts/$accountId" params={params} {...props} />
          )}
        >
          {t('places.openServiceAccount')}
        </Button>
      </Group>
    </Stack>
  )
}

interface EditAccountProps {
  account: ServiceAccount
  onClose: () => void
}

const useEditForm = ({ account: { id, name, description }, onClose }: EditAccountProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const check = useFieldChecks()
  const form = useForm({
    initialValues: { name, description },
    validate: { name: check('roleName'), description: check('description') },
  })
  const sending = useSubmit(form, async (values) => {
    // Sends only changed fields, so that concurrent changes of others stay.
    await api.serviceAccounts.update(id, {
      ...(form.isDirty('name') ? { name: values.name } : {}),
      ...(form.isDirty('description') ? { description: values.description } : {}),
    })
    await renew()
    onClose()
    notify(t('serviceAccounts.saved'))
  })
  return { form, sending }
}

export const EditAccountDialog = (props: EditAccountProps) => {
  const { t } = useTranslation()
  const { form, sending } = useEditForm(props)
  const { onClose } = props
  return (
    <FieldsDialog
      title={t('serviceAccounts.editTitle')}
      submit={t('common.save')}
      {...{ form, sending, onClose }}
    >
      <AccountFields name={form.getInputProps('name')} description={form.getInputProps('description')} />
    </FieldsDialog>
  )
}

interface AccountFieldsProps {
  name: GetInputPropsReturnType
  description: GetInputPropsReturnType
}

const AccountFields = ({ name, description }: AccountFieldsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <NameInput description={t('serviceAccounts.nameHint')} {...name} />
      <Textarea label={t('serviceAccounts.description')} autosize minRows={2} {...description} />
    </>
  )
}
