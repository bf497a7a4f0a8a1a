import type { Page } from '@tenantry/client'
import type { ReactNode } from 'react'

export interface Column<T> {
  /** Names the column in what is remembered about the table. */
  key: string
  header: string
  cell: (row: T) => ReactNode
  /** Cannot be hidden: what a row is called. */
  isFixed?: boolean
  /** Shown only when chosen. */
  isHidden?: boolean
  /** Its header sorts by it. */
  isSortable?: boolean
  /** What can be done with a row: at the end, its header for screen readers alone. */
  isActions?: boolean
}

/** By the key of which column, `-` before it for the other way round; as the address holds it. */
export interface Sorting {
  by: string
  onChange: (by: string) => void
}

/** As much of a query as a table needs. */
export interface Rows<T> {
  data: Page<T> | undefined
  error: unknown
  /** Whether what is shown is of other filters, while those of these are on their way. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

export interface Selection<T> {
  selected: T[]
  onChange: (selected: T[]) => void
  /** What can be done with those chosen. */
  actions: ReactNode
}
