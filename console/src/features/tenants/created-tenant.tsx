import { Button, Group, Stack, Text } from '@mantine/core'
import type { Tenant } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { Credentials } from '../../components/credentials.tsx'
import { useMe } from '../../session/me.ts'
import { useEnter } from './enter.tsx'

interface CreatedTenantProps {
  tenant: Tenant
  admin?: { email: string; password: string }
  onClose: () => void
}

/** The credentials to hand on; the password is not shown again. */
export const CreatedTenant = ({ tenant, admin, onClose }: CreatedTenantProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const enter = useEnter()
  return (
    <Stack>
      <Text size="sm" role="status" className="breakable">
        {t(admin ? 'tenants.isCreatedWithAdmin' : 'tenants.isCreated', { name: tenant.name })}
      </Text>
      {admin && <Credentials {...admin} />}
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
