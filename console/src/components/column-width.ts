import type { Column } from './table-model.ts'

const actionsWidth = 9

/** A column without a width of its own takes no less than this, except on a wide screen (app.css). */
const flexibleWidth = 12

const remOf = <T>({ width, isActions }: Column<T>): number | undefined =>
  width ?? (isActions ? actionsWidth : undefined)

/** As the property `w` takes it; undefined for a column that shares the rest. */
export const widthOf = <T>(column: Column<T>): string | undefined => {
  const width = remOf(column)
  return width === undefined ? undefined : `${width}rem`
}

/** The least width of a table, in CSS; a narrower screen scrolls. */
export const leastWidthOf = <T>(columns: Column<T>[]): string =>
  `${columns.reduce((sum, column) => sum + (remOf(column) ?? flexibleWidth), 0)}rem`
