import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ReportedOutage } from '../session/outage.ts'

export interface DialogProps extends ModalProps {
  /** Nothing closes the dialog while it works, because the user would not learn the outcome. */
  isPending?: boolean
}

interface OpenDialog {
  id: string
  /** The elements that had the focus, the nearest first; a dialog below may disappear with its element. */
  openers: Element[]
}

const openDialogs: OpenDialog[] = []

/** A held Escape closes one window. Repeated, it would also answer the question that the window asks. */
const ignoreHeldEscape = (event: KeyboardEvent): void => {
  if (event.key === 'Escape' && event.repeat) event.stopImmediatePropagation()
}
// The listener comes before those of all windows.
addEventListener('keydown', ignoreHeldEscape, { capture: true })

/** A menu item disappears with its menu, so the button of the menu stands for it. */
const openerOf = (element: Element): Element => {
  const menu = element.closest('[role=menu]')
  return document.getElementById(menu?.getAttribute('aria-labelledby') ?? '') ?? element
}

const openersNow = (): Element[] => {
  const { activeElement } = document
  const below = openDialogs.at(-1)?.openers ?? []
  return activeElement && activeElement !== document.body ? [openerOf(activeElement), ...below] : below
}

/** Leaves the focus alone if it has already moved elsewhere. */
const giveFocusBack = (openers: Element[]): void => {
  const { activeElement } = document
  const isFree = !activeElement || activeElement === document.body || activeElement.closest('[aria-modal]')
  const opener = openers.find((one) => one.isConnected)
  if (isFree && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
}

/** Escape closes the topmost dialog only. Mantine returns the focus only from dialogs mounted before they open. */
const useOpenDialog = (opened: boolean, onClose: () => void) => {
  const id = useId()
  // The opener is noted during rendering, because its menu may disappear right afterwards.
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

const stay = (): void => {}

/** A modal window whose close button has a name. It covers the banner of an outage, so its errors speak for themselves. */
export const Dialog = ({ opened, onClose, isPending = false, children, ...props }: DialogProps) => {
  const { t } = useTranslation()
  const close = useOpenDialog(opened, isPending ? stay : onClose)
  return (
    <Modal
      centered
      closeButtonProps={{ 'aria-label': t('common.close'), disabled: isPending }}
      returnFocus={false}
      opened={opened}
      onClose={close}
      {...props}
    >
      <ReportedOutage value={undefined}>{children}</ReportedOutage>
    </Modal>
  )
}
