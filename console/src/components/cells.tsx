import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { AgoOrNever } from './ago.tsx'
import type { Column } from './table-model.ts'

/** A text on one line. Its title shows the whole text. */
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

/** The column of a time. */
export const momentColumn = <T,>(key: string, header: string, at: (row: T) => string): Column<T> => ({
  key,
  width: 9,
  header,
  cell: (row) => <AgoOrNever at={at(row)} />,
})

/** The column of ids, which most users do not need. */
export const idColumn = (header: string): Column<{ id: number }> => ({
  key: 'id',
  width: 5.5,
  header,
  isHidden: true,
  cell: ({ id }) => <Numbers>{id}</Numbers>,
})
