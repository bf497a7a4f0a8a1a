import type { Column } from './table-model.ts'

const actionsWidth = 9

/** Minimum width, in rem, of a column without a width. On a wide screen app.css overrides it. */
const flexibleWidth = 12

const remOf = <T>({ width, isActions }: Column<T>): number | undefined =>
  width ?? (isActions ? actionsWidth : undefined)

/** For the property `w`. Undefined for a column that shares the remaining width. */
export const widthOf = <T>(column: Column<T>): string | undefined => {
  const width = remOf(column)
  return width === undefined ? undefined : `${width}rem`
}

/** The minimum width of a table, in CSS. On a narrower screen the table scrolls. */
export const leastWidthOf = <T>(columns: Column<T>[]): string =>
  `${columns.reduce((sum, column) => sum + (remOf(column) ?? flexibleWidth), 0)}rem`
