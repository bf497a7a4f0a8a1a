import { Menu } from '@mantine/core'
import { IconBan, IconCircleCheck, IconLogin2, IconPencil, IconTrash } from '@tabler/icons-react'
import type { PopupButton } from '../../components/lazy-popup.tsx'
import { PopupMenu } from '../../components/popup-menu.tsx'
import { useTranslation } from '../../translation.ts'
import { useEnter, type TenantMenuProps, type useActions } from './tenant-menu.tsx'

const icons = {
  edit: IconPencil,
  enable: IconCircleCheck,
  disable: IconBan,
  delete: IconTrash,
}

interface TenantMenuItemsProps extends TenantMenuProps {
  actions: ReturnType<typeof useActions>
  children: PopupButton
}

export const TenantMenuItems = ({ tenant, onAction, actions, children }: TenantMenuItemsProps) => {
  const { t } = useTranslation()
  const enter = useEnter()
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
  return <PopupMenu target={children}>{items}</PopupMenu>
}
