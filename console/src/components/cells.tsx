import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A text in one line. Its title shows what the line cuts off. */
export const Cut = ({ text, shown = text }: { text: string; shown?: string }) => (
  <Text size="sm" className="cut" title={text}>
    {shown}
  </Text>
)

/** Digits of equal width, so that numbers in a column align. */
export const Numbers = ({ children }: { children: ReactNode }) => (
  <Text size="sm" className="numbers">
    {children}
  </Text>
)
