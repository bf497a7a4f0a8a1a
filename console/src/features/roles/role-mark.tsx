import { Badge } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { Role } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useMe } from '../../session/me.ts'

/** Marks a system role, and a role that the caller cannot change. */
export const RoleMark = ({ role, canChange }: { role: Role; canChange: boolean }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  if (role.is_system) {
    return (
      <Badge size="sm" variant="default" tt="none" fw={500} miw="max-content" title={t('roles.systemText')}>
        {t('roles.system')}
      </Badge>
    )
  }
  return can('role:update') && !canChange ? (
    <IconLock size={14} role="img" aria-label={t('roles.outranks')} title={t('roles.outranks')} />
  ) : null
}
