import { Alert, Text } from '@mantine/core'
import type { ReactNode } from 'react'

const focusOn = (element: HTMLElement | null): void => element?.focus()

interface EntryMessageProps {
  color: 'teal' | 'yellow'
  title?: string
  children: ReactNode
}

/** Takes the place of a form and its focus, so that a screen reader reads it. */
export const EntryMessage = ({ color, title, children }: EntryMessageProps) => (
  <Alert color={color} title={title} role="status" tabIndex={-1} ref={focusOn} className="mantine-focus-auto">
    <Text size="sm" className="breakable">
      {children}
    </Text>
  </Alert>
)
