import type { Page } from '@tenantry/client'
import type { ReactNode } from 'react'

export interface Column<T> {
  /** Identifies the column in the remembered choice. */
  key: string
  header: string
  cell: (row: T) => ReactNode
  /** Identifies the row to the user, so it cannot be hidden. */
  isFixed?: boolean
  /** Shown only if the user chooses it. */
  isHidden?: boolean
  isSortable?: boolean
  /** The width in rem; columns without one share the rest of the table evenly. Widths of contents would change from page to page. */
  width?: number
  /** Holds the buttons of a row: the last column, its header only for screen readers. */
  isActions?: boolean
}

/** The key of the sorted column, with `-` in front for descending, as the address holds it. */
export interface Sorting {
  by: string
  onChange: (by: string) => void
}

export interface Rows<T> {
  data: Page<T> | undefined
  error: unknown
  /** Whether the rows belong to earlier filters while the new ones load. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

export interface Selection<T> {
  selected: T[]
  onChange: (selected: T[]) => void
  /** Selects all rows that match, on every page; absent if there are too many. */
  onAll?: (() => void) | undefined
  actions: ReactNode
}
