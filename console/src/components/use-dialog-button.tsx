import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'

/** A button and its dialog, apart: the button of an empty list moves, and the dialog stays open meanwhile. */
export const useDialogButton = (
  label: string,
  dialog: (onClose: () => void) => ReactNode,
  look: ButtonProps = {},
) => {
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
