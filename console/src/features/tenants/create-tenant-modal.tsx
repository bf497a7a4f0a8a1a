import { Alert, Button, Fieldset, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { NewPasswordField } from '../../components/new-password-field.tsx'
import { CreatedTenant } from './created-tenant.tsx'
import { TenantFields } from './tenant-fields.tsx'
import { useCanCreateAdmin, useCreateTenant, type CreatingTenant } from './use-create-tenant.ts'

interface CreateFormProps {
  creating: CreatingTenant
  onClose: () => void
}

export const CreateTenantModal = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const creating = useCreateTenant()
  const isDirty = creating.form.isDirty() && !creating.made.isDone
  return (
    <FormDialog
      isDirty={isDirty}
      onClose={onClose}
      title={t(creating.made.isDone ? 'tenants.isThere' : 'tenants.create')}
      closeOnClickOutside={false}
      isPending={creating.isSending}
    >
      <CreateTenant creating={creating} onClose={onClose} />
    </FormDialog>
  )
}

const CreateTenant = ({ creating, onClose }: CreateFormProps) => {
  const { tenant, admin, isDone } = creating.made
  if (!tenant || !isDone) return <CreateForm creating={creating} onClose={onClose} />
  const { password } = creating.form.getValues()
  return (
    <CreatedTenant tenant={tenant} onClose={onClose} {...(admin ? { admin: { ...admin, password } } : {})} />
  )
}

const CreateForm = ({ creating, onClose }: CreateFormProps) => {
  const { t } = useTranslation()
  const { form, made, onSubmit, isSending, error } = creating
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {!isSending && <Remaining made={made} />}
        {error !== undefined && <ErrorPanel error={error} />}
        {!made.tenant && <TenantPart form={form} />}
        {form.values.withAdmin && !made.admin && <AdminFields form={form} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {t(made.tenant ? 'common.close' : 'common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t(made.tenant ? 'tenants.goOn' : 'tenants.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The steps that are done, if a later one has failed. */
const Remaining = ({ made: { tenant, admin } }: Pick<CreatingTenant, 'made'>) => {
  const { t } = useTranslation()
  if (!tenant) return null
  return (
    <Alert color="yellow" role="status">
      {admin
        ? t('tenants.roleMissing', { tenant: tenant.name, user: admin.username })
        : t('tenants.adminMissing', { tenant: tenant.name })}
    </Alert>
  )
}

const TenantPart = ({ form }: Pick<CreatingTenant, 'form'>) => {
  const { t } = useTranslation()
  const canCreateAdmin = useCanCreateAdmin()
  return (
    <>
      <TenantFields inputOf={form.getInputProps} />
      {canCreateAdmin && (
        <Switch label={t('tenants.withAdmin')} {...form.getInputProps('withAdmin', { type: 'checkbox' })} />
      )}
    </>
  )
}

const AdminFields = ({ form }: Pick<CreatingTenant, 'form'>) => {
  const { t } = useTranslation()
  return (
    <Fieldset legend={t('tenants.admin')}>
      <Stack gap="sm">
        <TextInput
          label={t('fields.email')}
          type="email"
          autoComplete="off"
          required
          {...form.getInputProps('email')}
        />
        <TextInput
          label={t('fields.username')}
          description={t('fields.usernameHint')}
          autoComplete="off"
          required
          {...form.getInputProps('username')}
        />
        <NewPasswordField
          label={t('fields.password')}
          required
          {...form.getInputProps('password')}
          value={form.values.password}
          onChange={(password) => form.setFieldValue('password', password)}
        />
      </Stack>
    </Fieldset>
  )
}
