import { Popover } from '@mantine/core'
import { cloneElement, useEffect, useRef, useState } from 'react'
import type { PopupButton } from '../components/lazy-popup.tsx'
import { useTranslation } from '../translation.ts'
import { Inbox } from './inbox.tsx'

interface InboxPopoverProps {
  children: PopupButton
}

export const InboxPopover = ({ children }: InboxPopoverProps) => {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    // The button was replaced, as in popup-menu.tsx.
    button.current?.focus()
    const timer = setTimeout(() => setOpen(true))
    return () => clearTimeout(timer)
  }, [])
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus returnFocus>
      <Popover.Target>
        {cloneElement(children, { ref: button, onClick: () => setOpen(!isOpen) })}
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={t('shell.notifications')}>
        {isOpen && <Inbox onLeave={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}
