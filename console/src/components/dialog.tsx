import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

export interface DialogProps extends ModalProps {
  /** While it works nothing closes it: nobody would be told how that went. */
  isPending?: boolean
}

interface OpenDialog {
  id: string
  /** Who had the focus before, the nearest first: one of a window below may be gone with that window. */
  openers: Element[]
}

/** Those that are open, the topmost last. */
const openDialogs: OpenDialog[] = []

/** An item of a menu goes with its menu, and the button of the menu stays. */
const openerOf = (element: Element): Element => {
  const menu = element.closest('[role=menu]')
  return document.getElementById(menu?.getAttribute('aria-labelledby') ?? '') ?? element
}

const openersNow = (): Element[] => {
  const { activeElement } = document
  const below = openDialogs.at(-1)?.openers ?? []
  return activeElement && activeElement !== document.body ? [openerOf(activeElement), ...below] : below
}

/** Whoever is focused elsewhere by now stays so. */
const giveFocusBack = (openers: Element[]): void => {
  const { activeElement } = document
  const isFree = !activeElement || activeElement === document.body || activeElement.closest('[aria-modal]')
  const opener = openers.find((one) => one.isConnected)
  if (isFree && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
}

/**
 * Closes the topmost alone, and gives the focus back to who had it (shell/focus.ts where they are gone). Mantine does so
 * only for windows that are on the page before they open.
 */
const useOpenDialog = (opened: boolean, onClose: () => void) => {
  const id = useId()
  // Noted while it is drawn: what holds the opener, such as a menu, may be gone right after.
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

/** A window over the page, with a name for the button that closes it. */
export const Dialog = ({ opened, onClose, isPending = false, ...props }: DialogProps) => {
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
    />
  )
}
