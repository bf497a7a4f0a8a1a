import { SimpleGrid, Text, type SimpleGridProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A list of labelled values. */
export const Facts = ({
  cols = { base: 1, xs: 2 },
  children,
}: Pick<SimpleGridProps, 'cols' | 'children'>) => (
  <SimpleGrid component="dl" cols={cols} m={0}>
    {children}
  </SimpleGrid>
)

interface FactProps {
  label: string
  hint?: string
  /** Takes a whole line. */
  isWide?: boolean
  children: ReactNode
}

export const Fact = ({ label, hint, isWide, children }: FactProps) => (
  <div style={isWide ? { gridColumn: '1 / -1' } : {}}>
    <Text component="dt" size="sm" c="dimmed">
      {label}
    </Text>
    <Text component="dd" size="sm" m={0} className="breakable numbers">
      {children}
      {hint && (
        <Text span display="block" size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Text>
  </div>
)
