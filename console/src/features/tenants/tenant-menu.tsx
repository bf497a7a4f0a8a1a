import { ActionIcon, Menu } from '@mantine/core'
import { IconBan, IconCircleCheck, IconDots, IconLogin2, IconPencil, IconTrash } from '@tabler/icons-react'
import type { Tenant } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../session/me.ts'
import { builtInTenantId } from '../../session/built-in.ts'
import { useEnter } from './enter.tsx'

export interface TenantAction {
  kind: 'edit' | 'enable' | 'disable' | 'delete'
  tenant: Tenant
}

interface TenantMenuProps {
  tenant: Tenant
  onAction: (action: TenantAction) => void
}

/** The actions that the caller may take and the service would accept. */
const useActions = ({ id, status }: Tenant) => {
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

const icons = {
  edit: IconPencil,
  enable: IconCircleCheck,
  disable: IconBan,
  delete: IconTrash,
}

export const TenantMenu = ({ tenant, onAction }: TenantMenuProps) => {
  const { t } = useTranslation()
  const actions = useActions(tenant)
  const enter = useEnter()
  if (actions.length === 0) return null
  const items = actions.map((kind) => {
    if (kind === 'enter') {
      return (
        <Menu.Item key={kind} renderRoot={enter(tenant.id)} leftSection={<IconLogin2 size={16} />}>
          {t('tenants.enter')}
        </Menu.Item>
      )
    }
    const Icon = icons[kind]
    return (
      <Menu.Item
        key={kind}
        leftSection={<Icon size={16} />}
        {...(kind === 'delete' ? { color: 'red', c: 'var(--text-bad)' } : {})}
        onClick={() => onAction({ kind, tenant })}
      >
        {t(`tenants.${kind}`)}
      </Menu.Item>
    )
  })
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('table.actionsOf', { name: tenant.name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{items}</Menu.Dropdown>
    </Menu>
  )
}
