import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { PopupButton } from './lazy-popup.tsx'
import type { MenuAction } from './more-menu.tsx'
import { PopupMenu } from './popup-menu.tsx'

interface MoreMenuItemsProps {
  actions: MenuAction[]
  onWindow: (action: MenuAction) => void
  children: PopupButton
}

export const MoreMenuItems = ({ actions, onWindow, children }: MoreMenuItemsProps) => (
  <PopupMenu target={children}>
    {actions.map((action) => {
      const { label, icon: Icon, isDeletion, to, run = () => onWindow(action) } = action
      return (
        <Menu.Item
          key={label}
          leftSection={<Icon size={16} />}
          {...(isDeletion && { color: 'red', c: 'var(--text-bad)' })}
          {...(to === undefined
            ? { onClick: run }
            : { renderRoot: (props: object) => <Link {...props} to={to} /> })}
        >
          {label}
        </Menu.Item>
      )
    })}
  </PopupMenu>
)
