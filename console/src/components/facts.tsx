import { SimpleGrid, Text, type SimpleGridProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Table } from './table.tsx'

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
  /** True if the value needs a whole line. */
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

/** A table of labelled values, with all labels in one column. */
export const FactTable = ({ children }: { children: ReactNode }) => (
  <Table className="facts" isPlain>
    <Table.Tbody>{children}</Table.Tbody>
  </Table>
)

export const FactRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <Table.Tr>
    <Table.Th w={130} fw={400} c="dimmed" className="breakable">
      {label}
    </Table.Th>
    <Table.Td className="breakable">{children}</Table.Td>
  </Table.Tr>
)
