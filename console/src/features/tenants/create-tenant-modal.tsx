import { Button, Group, Stack, Switch, TextInput, Text } from '@mantine/core'
import type { CreatedTenant as Tenant } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useMe } from '../../session/me.ts'
import { TenantFields } from './tenant-fields.tsx'
import { useCreateTenant, type CreatingTenant } from './use-create-tenant.ts'
import { InvitationLink } from '../invitations/invitations.views.tsx'
import { useEnter } from './enter.tsx'

export const CreateTenantModal = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const creating = useCreateTenant()
  const { created } = creating
  return (
    <FormDialog
      isDirty={creating.form.isDirty() && !created}
      onClose={onClose}
      title={t(created ? 'tenants.isThere' : 'tenants.create')}
      closeOnClickOutside={false}
      isPending={creating.isSending}
    >
      {created ? (
        <CreatedTenant tenant={created} onClose={onClose} />
      ) : (
        <CreateForm creating={creating} onClose={onClose} />
      )}
    </FormDialog>
  )
}

const CreateForm = ({ creating, onClose }: { creating: CreatingTenant; onClose: () => void }) => {
  const { t } = useTranslation()
  const canEnter = useMe().can('tenant:enter')
  const { form, onSubmit, isSending, error } = creating
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {error !== undefined && <ErrorPanel error={error} />}
        <TenantFields inputOf={form.getInputProps} />
        <Switch
          label={t('tenants.withAdmin')}
          description={canEnter && t('tenants.withAdminHint')}
          {...form.getInputProps('withAdmin', { type: 'checkbox' })}
        />
        {form.values.withAdmin && (
          <TextInput
            label={t('tenants.adminEmail')}
            description={t('tenants.adminEmailHint')}
            type="email"
            autoComplete="off"
            required
            {...form.getInputProps('email')}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('tenants.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface CreatedTenantProps {
  /** The invitation's link is '' if it was mailed. */
  tenant: Tenant
  onClose: () => void
}

/** Says that the tenant exists, and how its administrator signs in first. */
const CreatedTenant = ({ tenant, onClose }: CreatedTenantProps) => {
  const { t, gap } = useTranslation()
  const { can } = useMe()
  const enter = useEnter()
  const { invitation } = tenant
  return (
    <Stack>
      <Text size="sm" role="status" className="breakable">
        {t('tenants.isCreated', { name: tenant.name })}
        {invitation && gap + t('tenants.isInvited', { email: invitation.email })}
      </Text>
      {invitation && invitation.link !== '' && <InvitationLink link={invitation.link} />}
      <Group justify="flex-end">
        {can('tenant:enter') && (
          <Button variant="default" renderRoot={enter(tenant.id)}>
            {t('tenants.enter')}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}
