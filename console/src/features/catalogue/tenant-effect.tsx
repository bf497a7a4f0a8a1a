import { Stack, Text } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import { useScopeTenant } from '../../shell/tenants.ts'
import type { Previewed } from '../authz/authz.queries.ts'
import { Effect } from '../authz/authz.views.tsx'

/** The effect of a change of the catalogue in the tenant in scope, as the service previews it. */
export const TenantEffect = ({ preview }: { preview: Previewed }) => (
  <Stack gap="sm">
    <Effect preview={preview} />
    <OtherTenants />
  </Stack>
)

/** Says that other tenants change as well: the numbers above are those of one tenant. */
export const OtherTenants = () => {
  const { t } = useTranslation()
  const tenant = useScopeTenant().tenant?.name ?? ''
  return (
    <Text size="sm" c="dimmed" className="breakable">
      {t('catalogue.otherTenants', { tenant })}
    </Text>
  )
}
