import { Menu, type MenuProps } from '@mantine/core'
import { cloneElement, useEffect, useRef, useState } from 'react'
import type { PopupButton } from './lazy-popup.tsx'

interface PopupMenuProps extends Omit<MenuProps, 'opened' | 'onChange'> {
  target: PopupButton
}

/** The menu of a `lazyPopup`. It opens when mounted, and returns the focus to its button. */
export const PopupMenu = ({ target, children, ...props }: PopupMenuProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    // On closing, Mantine focuses the element that had the focus. This button has replaced it, so it takes the focus
    // itself.
    button.current?.focus()
    const timer = setTimeout(() => setOpen(true))
    return () => clearTimeout(timer)
  }, [])
  return (
    <Menu position="bottom-end" returnFocus {...props} opened={isOpen} onChange={setOpen}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
