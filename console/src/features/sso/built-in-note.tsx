import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { TextLink } from '../../components/text-link.tsx'
import { builtInTenantId } from '../../session/built-in.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'

/** Warns against adding a customer's connection to the operator's tenant. */
export const BuiltInNote = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  if (useScope().tenantId !== builtInTenantId) return null
  return (
    <Alert color="indigo" icon={<IconInfoCircle />}>
      {t('ssoPlan.builtIn')}{' '}
      {can('tenant:read') && (
        <TextLink to="/tenants" size="sm" underline="always">
          {t('ssoPlan.toTenants')}
        </TextLink>
      )}
    </Alert>
  )
}
