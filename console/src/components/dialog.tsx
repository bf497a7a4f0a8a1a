import { Button, Group, Stack, type ModalProps } from '@mantine/core'
import { useEffect, useId, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { ReportedOutage } from '../session/outage.ts'
import { lazyPart } from './lazy-part.tsx'

export interface DialogProps extends ModalProps {
  /** True while a request runs. The dialog then stays open, because the user would not see the outcome. */
  isPending?: boolean
  /** Fetches the window before its first use, so that it opens at once. */
  isAwaited?: boolean
}

interface OpenDialog {
  id: string
  /** The elements that had the focus, the latest first. If a dialog below disappears, its element disappears too. */
  openers: Element[]
}

const openDialogs: OpenDialog[] = []

/** A held Escape key closes only one window. The repeated event would also answer the question that the window asks. */
const ignoreHeldEscape = (event: KeyboardEvent): void => {
  if (event.key === 'Escape' && event.repeat) event.stopImmediatePropagation()
}
// Runs before the listeners of all windows.
addEventListener('keydown', ignoreHeldEscape, { capture: true })

/** Returns the menu's button for a menu item, because the item disappears with its menu. */
const openerOf = (element: Element): Element => {
  const menu = element.closest('[role=menu]')
  return document.getElementById(menu?.getAttribute('aria-labelledby') ?? '') ?? element
}

const openersNow = (): Element[] => {
  const { activeElement } = document
  const below = openDialogs.at(-1)?.openers ?? []
  return activeElement && activeElement !== document.body ? [openerOf(activeElement), ...below] : below
}

/** Returns the focus, unless it has already moved to another element. */
const giveFocusBack = (openers: Element[]): void => {
  const { activeElement } = document
  const isFree = !activeElement || activeElement === document.body || activeElement.closest('[aria-modal]')
  const opener = openers.find((one) => one.isConnected)
  if (isFree && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
}

/**
 * Escape closes only the topmost dialog. Mantine returns the focus only for dialogs that were mounted before they
 * opened.
 */
const useOpenDialog = (opened: boolean, onClose: () => void) => {
  const id = useId()
  // Read during rendering, because the opener's menu can disappear directly afterwards.
  const openers = useMemo(() => (opened ? openersNow() : []), [opened])
  useEffect(() => {
    if (!opened) return undefined
    const dialog = { id, openers }
    openDialogs.push(dialog)
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1)
      giveFocusBack(openers)
    }
  }, [opened, id, openers])
  return (): void => {
    if (openDialogs.at(-1)?.id === id) onClose()
  }
}

/** The header of a window is no landmark beside that of the page. */
export const headless = { header: { role: 'presentation' } }

const stay = (): void => {}

/** Fetched with the first window: otherwise windows would add 10 kB to each page. */
const loadWindow = async () => (await import('./dialog-window.tsx')).DialogWindow
const Window = lazyPart(loadWindow)

/** Whether to draw the window: from its first opening on, or as soon as an awaited one is fetched. */
const useNeeded = (opened: boolean, isAwaited: boolean): boolean => {
  const [isNeeded, setNeeded] = useState(false)
  if (opened && !isNeeded) setNeeded(true)
  useEffect(() => {
    if (!isAwaited) return
    // A failure shows only in a window that the user opens.
    const ignore = (): void => undefined
    void loadWindow().then(() => setNeeded(true), ignore)
  }, [isAwaited])
  return isNeeded
}

/** A modal window whose close button has a name. It covers the banner of an outage, so it reports outages itself. */
export const Dialog = (props: DialogProps) => {
  const { opened, onClose, isPending = false, isAwaited = false, children, ...look } = props
  const { t } = useTranslation()
  const close = useOpenDialog(opened, isPending ? stay : onClose)
  const isNeeded = useNeeded(opened, isAwaited)
  return (
    isNeeded && (
      <Window
        attributes={headless}
        closeButtonProps={{ 'aria-label': t('common.close'), disabled: isPending }}
        opened={opened}
        onClose={close}
        {...look}
      >
        <ReportedOutage value={undefined}>{children}</ReportedOutage>
      </Window>
    )
  )
}

interface RefusedProps {
  /** The reason, with the way on. */
  children: ReactNode
  onClose: () => void
}

/** The content of a window instead of the form or question that the service would refuse. */
export const Refused = ({ children, onClose }: RefusedProps) => {
  const { t } = useTranslation()
  return (
    <Stack>
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}
