import { Button, Group, Stack, Text } from '@mantine/core'
import type { CreatedTenant as Tenant } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useMe } from '../../session/me.ts'
import { InvitationLink } from '../invitations/invitations.views.tsx'
import { useEnter } from './enter.tsx'

interface CreatedTenantProps {
  /** The invitation's link is '' if it was mailed. */
  tenant: Tenant
  onClose: () => void
}

/** Says that the tenant exists, and how its administrator signs in first. */
export const CreatedTenant = ({ tenant, onClose }: CreatedTenantProps) => {
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
