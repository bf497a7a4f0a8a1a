import type { Page } from '@tenantry/client'
import type { ReactNode } from 'react'

export interface Column<T> {
  /** Identifies the column in the remembered choice. */
  key: string
  header: string
  cell: (row: T) => ReactNode
  /** The user identifies the row by it, so it cannot be hidden. */
  isFixed?: boolean
  /** Hidden until the user chooses it. */
  isHidden?: boolean
  isSortable?: boolean
  /** In rem. Columns without a width share the rest evenly: widths by content would change from page to page. */
  width?: number
  /** The last column, with the buttons of the row. Only screen readers get its header. */
  isActions?: boolean
}

/** `by` is the key of the sorted column, with `-` in front for descending, as in the address. */
export interface Sorting {
  by: string
  onChange: (by: string) => void
}

export interface Rows<T> {
  data: Page<T> | undefined
  error: unknown
  /** True while new filters load: these rows match earlier filters. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

export interface Selection<T> {
  selected: T[]
  onChange: (selected: T[]) => void
  /** Selects the matching rows of all pages; absent if there are too many. */
  onAll?: (() => void) | undefined
  actions: ReactNode
}
