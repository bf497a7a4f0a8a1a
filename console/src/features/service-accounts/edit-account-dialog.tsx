import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ServiceAccount } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { AccountFields } from './account-fields.tsx'
import { useRenewAccounts } from './service-accounts.queries.ts'

interface EditAccountProps {
  account: ServiceAccount
  onClose: () => void
}

const useEditForm = ({ account: { id, name, description }, onClose }: EditAccountProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewAccounts()
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
  return { form, ...sending }
}

export const EditAccountDialog = (props: EditAccountProps) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useEditForm(props)
  const { onClose } = props
  return (
    <FormDialog
      isDirty={form.isDirty()}
      onClose={onClose}
      title={t('serviceAccounts.editTitle')}
      isPending={isSending}
    >
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
          <AccountFields name={form.getInputProps('name')} description={form.getInputProps('description')} />
          <Group justify="flex-end">
            <Button variant="default" disabled={isSending} onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}
