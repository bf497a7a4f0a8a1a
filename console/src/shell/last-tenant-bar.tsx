import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lastTenant } from '../session/last-tenant.ts'
import { useMe } from '../session/me.ts'
import { useTranslation } from '../translation.ts'
import { tenantQuery } from './tenants.ts'

/** Names the tenant of the page, and leads back to the one that the caller entered before. */
export const LastTenantBar = ({ id }: { id: string }) => {
  const { t } = useTranslation()
  const { tenant: own, can } = useMe()
  const canRead = can('tenant:read')
  const { data, isError } = useQuery({ ...tenantQuery(id), enabled: canRead })
  if (isError) return null
  const tenant = data?.name ?? (canRead ? '…' : id)
  return (
    <Alert color="gray" py="xs" mb="md" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 15rem" className="breakable">
          {t('shell.lastTenant', { own: own.name, tenant })}
        </Text>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props: object) => (
              <Link to="." search={(others: object) => ({ ...others, tenant: id })} {...props} />
            )}
          >
            {t('shell.toLastTenant', { tenant })}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => lastTenant.set(undefined)}>
            {t('shell.stay')}
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}
