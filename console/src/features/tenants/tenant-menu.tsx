import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Tenant } from '@tenantry/client'
import { lazyPopup } from '../../components/lazy-popup.tsx'
import { builtInTenantId } from '../../session/built-in.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'

export interface TenantAction {
  kind: 'edit' | 'enable' | 'disable' | 'delete'
  tenant: Tenant
}

export interface TenantMenuProps {
  tenant: Tenant
  onAction: (action: TenantAction) => void
}

/** The actions that the caller may take and that the service would accept. */
export const useActions = ({ id, status }: Tenant) => {
  const { can } = useMe()
  const isBuiltIn = id === builtInTenantId
  const canDisable = can('tenant:update') && !isBuiltIn
  return [
    ...(can('tenant:enter') ? (['enter'] as const) : []),
    ...(can('tenant:update') ? (['edit'] as const) : []),
    ...(canDisable ? ([status === 1 ? 'disable' : 'enable'] as const) : []),
    ...(can('tenant:delete') && !isBuiltIn ? (['delete'] as const) : []),
  ]
}

const Items = lazyPopup('menu', async () => (await import('./tenant-menu-items.tsx')).TenantMenuItems)

export const TenantMenu = (props: TenantMenuProps) => {
  const { t } = useTranslation()
  const { tenant } = props
  const actions = useActions(tenant)
  if (actions.length === 0) return null
  return (
    <Items {...props} actions={actions}>
      <ActionIcon variant="subtle" color="gray" aria-label={t('table.actionsOf', { name: tenant.name })}>
        <IconDots size={18} />
      </ActionIcon>
    </Items>
  )
}

/** For `renderRoot` of a link that puts a tenant in scope. The URL omits the caller's own tenant. */
export const useEnter = () => {
  const { tenant: own } = useMe()
  return (id: string) => (props: object) => (
    <Link {...props} to="/" search={{ tenant: id === own.id ? undefined : id }} />
  )
}
