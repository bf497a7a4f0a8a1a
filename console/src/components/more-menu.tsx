import { Button, type ButtonProps } from '@mantine/core'
import { IconChevronDown, IconTrash, type Icon } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { ConfirmChange, type ConfirmChangeProps } from './confirm-change.tsx'
import { lazyPopup } from './lazy-popup.tsx'

export interface MenuAction {
  label: string
  icon: Icon
  isDeletion?: boolean
  /** Opens this page, runs this, or opens this window: one of the three. */
  to?: LinkProps['to']
  run?: () => void
  renderWindow?: (onClose: () => void) => ReactNode
}

/** An item that asks, and then sends a change. The question's button has the same name. */
export const confirmed = (icon: Icon, change: Omit<ConfirmChangeProps, 'onClose'>): MenuAction => ({
  label: change.confirm,
  icon,
  renderWindow: (onClose) => <ConfirmChange {...change} onClose={onClose} />,
})

export const deletion = (change: Omit<ConfirmChangeProps, 'onClose'>): MenuAction => ({
  ...confirmed(IconTrash, change),
  isDeletion: true,
})

const Items = lazyPopup('menu', async () => (await import('./more-menu-items.tsx')).MoreMenuItems)

interface MoreMenuProps extends ButtonProps {
  /** Those that are false are left out. */
  actions: (MenuAction | false)[]
  label?: string
}

/** The actions beside the main one, and the windows that they open. */
export const MoreMenu = ({ actions, label, ...button }: MoreMenuProps) => {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<MenuAction>()
  const offered = actions.filter((action) => action !== false)
  // Its data now, or, if the menu no longer offers it, those of when it opened.
  const shown = offered.find(({ label: name }) => name === opened?.label) ?? opened
  if (offered.length === 0 && !opened) return null
  return (
    <>
      <Items actions={offered} onWindow={setOpened}>
        <Button variant="default" rightSection={<IconChevronDown size={16} />} {...button}>
          {label ?? t('common.more')}
        </Button>
      </Items>
      {opened && shown?.renderWindow?.(() => setOpened(undefined))}
    </>
  )
}
