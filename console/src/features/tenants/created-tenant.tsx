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

/** What to hand on: nobody sees the password again. */
export const CreatedTenant = ({ tenant, admin, onClose }: CreatedTenantProps) => {
  const { t } = useTranslation()
  const { isPlatformAdmin } = useMe()
  const enter = useEnter()
  return (
    <Stack>
      <Text size="sm" role="status" className="breakable">
        {t(admin ? 'tenants.isCreatedWithAdmin' : 'tenants.isCreated', { name: tenant.name })}
      </Text>
      {admin && <Credentials {...admin} />}
      <Group justify="flex-end">
        {isPlatformAdmin && (
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
