import { Button, type ButtonProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'

interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  label: string
  /** The dialog that the button opens. */
  children: (onClose: () => void) => ReactNode
}

export const DialogButton = ({ label, children, ...button }: DialogButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  )
}
