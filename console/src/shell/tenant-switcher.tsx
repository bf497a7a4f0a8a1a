import { Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconBuilding, IconSelector } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'
import { lazyPopup } from '../components/lazy-popup.tsx'
import { useMe } from '../session/me.ts'
import { useOwnTenants } from '../session/memberships.ts'
import { useScopeTenant } from './tenants.ts'

const TenantName = () => {
  const { t } = useTranslation()
  const { name: known, isUnknown } = useScopeTenant()
  const name = known ?? (isUnknown ? t('shell.tenantUnknown') : '…')
  return (
    <Group gap={8} wrap="nowrap" miw={0}>
      <IconBuilding size={18} stroke={1.75} style={{ flexShrink: 0 }} />
      <Text size="sm" fw={500} className="cut" title={name} maw={200}>
        <VisuallyHidden>{t('fields.tenant')}: </VisuallyHidden>
        {name}
      </Text>
    </Group>
  )
}

/**
 * Always shows the tenant in scope. A person with several tenants can switch to one of their own. Callers who may
 * enter others can choose any, for the whole console.
 */
export const TenantSwitcher = () => {
  const { can } = useMe()
  const own = useOwnTenants()
  return can('tenant:enter') || own.length > 0 ? <Switcher /> : <TenantName />
}

const TenantList = lazyPopup('listbox', async () => (await import('./tenant-list.tsx')).TenantList)

const Switcher = () => {
  const { t } = useTranslation()
  return (
    <TenantList>
      <UnstyledButton title={t('shell.switchTenant')} className="switcher">
        <TenantName />
        <IconSelector size={16} style={{ flexShrink: 0 }} />
      </UnstyledButton>
    </TenantList>
  )
}
