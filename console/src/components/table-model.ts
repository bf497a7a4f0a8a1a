import type { Checkbox } from '@mantine/core'
import type { Page } from '@tenantry/client'
import type { ReactNode } from 'react'

export interface Column<T> {
  /** Identifies the column in the choice that the browser remembers. */
  key: string
  header: string
  cell: (row: T) => ReactNode
  /** True for a column that identifies the row, so the user cannot hide it. */
  isFixed?: boolean
  /** Hidden until the user chooses it. */
  isHidden?: boolean
  isSortable?: boolean
  /** On a phone, the cell has no label, because its value says enough. */
  isClear?: boolean
  /** The width in rem. Columns without a width share the rest evenly: widths by content would differ on each page. */
  width?: number
  /** True for the last column, which has the buttons of the row. Only screen readers get its header. */
  isActions?: boolean
}

/** `by` is the key of the sorted column. As in the URL, `-` before it means descending. */
export interface Sorting {
  by: string
  onChange: (by: string) => void
}

export interface Rows<T> {
  data: Page<T> | undefined
  error: unknown
  /** True while new filters load: the rows still match the earlier filters. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

export interface Selection<T> {
  selected: T[]
  onChange: (selected: T[]) => void
  /** Selects the matching rows of all pages. Absent if there are too many rows. */
  onAll?: (() => void) | undefined
  actions: ReactNode
  /** Brought by the page, so that other pages do not fetch it. */
  Checkbox: typeof Checkbox
}
