import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'

/** The dialog that a button opens. */
type OpenedDialog = (onClose: () => void) => ReactNode

/** A button and its dialog, apart: the button of an empty list moves, and the dialog stays open meanwhile. */
export const useDialogButton = (label: string, dialog: OpenedDialog, look: ButtonProps = {}) => {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    // The button that opened the dialog may have disappeared with the empty list.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) place.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return {
    button: (
      <Button ref={place} {...look} onClick={() => setOpen(true)}>
        {label}
      </Button>
    ),
    opened: isOpen && dialog(() => setOpen(false)),
  }
}

interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  label: string
  children: OpenedDialog
}

export const DialogButton = ({ label, children, ...look }: DialogButtonProps) => {
  const { button, opened } = useDialogButton(label, children, look)
  return (
    <>
      {button}
      {opened}
    </>
  )
}
