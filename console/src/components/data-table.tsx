import { Box, Button, Group, Paper, Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useRef, type MouseEvent, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { ColumnMenu, useColumns, useCompactRows } from './column-menu.tsx'
import { EmptyList, type Empty } from './empty-list.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { ListNews, type News } from './list-news.tsx'
import { isPastEnd, type OnPage, type PageSearch } from './page-search.ts'
import type { Column, Rows, Selection, Sorting } from './table-model.ts'
import { SortChoice } from './sort-choice.tsx'
import { TablePager } from './table-pager.tsx'
import { Table } from './table.tsx'
import { usePageChange } from './use-page-change.ts'

interface DataTableProps<T> {
  label: string
  /** The key under which the browser remembers the chosen columns. */
  name: string
  columns: Column<T>[]
  rows: Rows<T>
  idOf: (row: T) => number | string
  nameOf: (row: T) => string
  page: PageSearch
  /** Called with the chosen page. Without it, the URL holds the page. */
  onPage?: OnPage
  /** Shows page numbers only for near pages. For other pages it shows the buttons Newer and Older. */
  isEndless?: boolean
  toolbar?: ReactNode
  news?: News | undefined
  selection?: Selection<T>
  sorting?: Sorting
  empty: Empty
  /** True for a list that has no rows without its filters, which then disappear too. */
  isVacant?: boolean
}

/** A list whose pages the service selects. The URL holds search, filters and page (console/README.md). */
export const DataTable = <T,>({ isVacant = false, ...props }: DataTableProps<T>) =>
  isVacant ? <EmptyList {...props.empty} news={props.news} /> : <List {...props} />

const List = <T,>(props: DataTableProps<T>) => {
  const { name, columns, rows, selection, page, isEndless } = props
  const byAddress = usePageChange()
  const { onPage = byAddress } = props
  const { shown, hidden, toggle } = useColumns(name, columns)
  const isChoosing = selection !== undefined && selection.selected.length > 0
  return (
    <>
      <div className={isChoosing ? 'list-bar selection-bar' : 'list-bar'}>
        <ListTools {...props} hidden={hidden} toggle={toggle} />
        {isChoosing && <SelectionBar {...props} selection={selection} />}
      </div>
      {rows.error && !rows.data ? (
        <ErrorPanel error={rows.error} onRetry={() => void rows.refetch()} />
      ) : (
        <>
          <Content {...props} columns={shown} />
          <TablePager rows={rows} page={page} onPage={onPage} isEndless={isEndless} />
        </>
      )}
    </>
  )
}

interface ListToolsProps<T> extends DataTableProps<T> {
  hidden: string[]
  toggle: (key: string) => void
}

const ListTools = <T,>(props: ListToolsProps<T>) => {
  const { columns, toolbar, sorting, news, hidden, toggle } = props
  return (
    <Group gap="sm" mih={36} className="list-tools">
      {toolbar}
      <Group ml="auto" gap="sm" wrap="nowrap">
        {news && <ListNews news={news} />}
        {sorting && <SortChoice columns={columns} sorting={sorting} />}
        <ColumnMenu columns={columns} hidden={hidden} onToggle={toggle} />
      </Group>
    </Group>
  )
}

const selectedOnOtherPages = <T,>({ rows, selection, idOf }: DataTableProps<T>): T[] => {
  const ids = new Set(rows.data?.items.map(idOf))
  return selection?.selected.filter((row) => !ids.has(idOf(row))) ?? []
}

const SelectionBar = <T,>(props: DataTableProps<T> & { selection: Selection<T> }) => {
  const { t } = useTranslation()
  const { selected, actions, onChange, onAll, Checkbox } = props.selection
  const total = props.rows.data?.total ?? 0
  const others = selectedOnOtherPages(props).length
  return (
    <Group gap="sm" wrap="nowrap" role="toolbar" aria-label={t('table.withSelected')}>
      <Checkbox
        checked
        onChange={() => onChange([])}
        label={t('table.selected', { count: selected.length })}
      />
      {others > 0 && (
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {t('table.elsewhere', { count: others })}
        </Text>
      )}
      {onAll && selected.length < total && (
        <Button size="compact-sm" variant="subtle" onClick={onAll}>
          {t('table.selectMatching', { count: total })}
        </Button>
      )}
      <Box ml="auto">{actions}</Box>
    </Group>
  )
}

const Content = <T,>(props: DataTableProps<T>) => {
  const { rows, empty, page } = props
  // This page is behind the last page, which the pager is about to open. Until then, the table shows skeletons.
  const { data } = rows
  const hasPage = data !== undefined && !isPastEnd(data, page)
  if (hasPage && data.items.length === 0) return <EmptyList {...empty} />
  return <TableFrame {...props} hasPage={hasPage} />
}

const TableFrame = <T,>({ hasPage, ...props }: DataTableProps<T> & { hasPage: boolean }) => {
  const { label, rows, columns } = props
  const [isCompact] = useCompactRows()
  return (
    <Paper withBorder style={{ opacity: rows.isPlaceholderData ? 0.6 : 1 }}>
      <Box
        className={isCrowded(columns) ? 'list-scroll crowded' : 'list-scroll'}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <Table
          className={isCompact ? 'data-table list fixed compact' : 'data-table list fixed'}
          aria-label={label}
          style={{ '--list-width': leastWidthOf(columns) }}
        >
          <TableHead {...props} />
          <Table.Tbody>
            {hasPage ? <TableRows {...props} /> : <SkeletonRows columns={columns.length} />}
          </Table.Tbody>
        </Table>
      </Box>
    </Paper>
  )
}

const TableHead = <T,>(props: DataTableProps<T>) => {
  const { columns, rows, selection, sorting } = props
  const { t } = useTranslation()
  const items = rows.data?.items ?? []
  const selected = selection?.selected ?? []
  const others = selectedOnOtherPages(props)
  const here = selected.length - others.length
  return (
    <Table.Thead>
      <Table.Tr>
        {selection && (
          <Table.Th role="columnheader" className="row-check" w={40}>
            <selection.Checkbox
              aria-label={t('table.selectAll')}
              checked={here > 0 && here === items.length}
              indeterminate={here > 0 && here < items.length}
              disabled={items.length === 0}
              onChange={({ currentTarget }) =>
                selection.onChange(currentTarget.checked ? [...others, ...items] : others)
              }
            />
          </Table.Th>
        )}
        {columns.map((column) =>
          sorting && column.isSortable ? (
            <SortableHeader key={column.key} column={column} sorting={sorting} />
          ) : (
            <Table.Th key={column.key} role="columnheader" w={widthOf(column)}>
              {column.isActions ? <VisuallyHidden>{column.header}</VisuallyHidden> : column.header}
            </Table.Th>
          ),
        )}
      </Table.Tr>
    </Table.Thead>
  )
}

/** The place of a cell on a phone, below or beside the name of its row (app.css). */
const placeOf = <T,>({ header, isClear, isActions }: Column<T>) =>
  isActions
    ? { className: 'row-actions' }
    : { className: 'row-fact', 'data-label': isClear ? undefined : header }

/** The row, or with Shift all rows from the last toggled one to this one. */
const useToggle = <T,>(
  items: T[],
  selection: Selection<T> | undefined,
  idOf: (row: T) => number | string,
) => {
  const last = useRef<number | string>(undefined)
  return (row: T, event: Event): void => {
    const at = items.indexOf(row)
    const from = items.findIndex((one) => idOf(one) === last.current)
    const isRange = 'shiftKey' in event && event.shiftKey === true && from >= 0
    const range = isRange ? items.slice(Math.min(from, at), Math.max(from, at) + 1) : [row]
    last.current = idOf(row)
    const ids = new Set(range.map(idOf))
    const selected = selection?.selected ?? []
    const others = selected.filter((one) => !ids.has(idOf(one)))
    const wasChosen = selected.some((one) => idOf(one) === idOf(row))
    selection?.onChange(wasChosen ? others : [...others, ...range])
  }
}

/** The browser would select the text between two clicks with Shift. */
const keepText = (event: MouseEvent<HTMLElement>): void => {
  if (event.shiftKey) event.preventDefault()
}

const TableRows = <T,>({ columns, rows, selection, idOf, nameOf }: DataTableProps<T>) => {
  const { t } = useTranslation()
  const name = columns.find(({ isFixed, isActions }) => isFixed && !isActions)
  const chosen = new Set(selection?.selected.map(idOf))
  const toggle = useToggle(rows.data?.items ?? [], selection, idOf)
  return rows.data?.items.map((row) => (
    <Table.Tr key={idOf(row)} data-selected={chosen.has(idOf(row)) || undefined}>
      {selection && (
        <Table.Td className="row-check" title={t('table.rangeHint')} onMouseDown={keepText}>
          <selection.Checkbox
            aria-label={t('table.select', { name: nameOf(row) })}
            checked={chosen.has(idOf(row))}
            onChange={({ nativeEvent }) => toggle(row, nativeEvent)}
          />
        </Table.Td>
      )}
      {columns.map((column) => (
        <Table.Td key={column.key} {...(column === name ? { className: 'row-name' } : placeOf(column))}>
          {column.cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  ))
}

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

const SkeletonRows = ({ columns }: { columns: number }) => {
  const { t } = useTranslation()
  return skeletonRows.map((key) => (
    <Table.Tr key={key}>
      <Table.Td colSpan={columns + 1}>
        <Skeleton height={22} />
        {key === 'a' && <VisuallyHidden role="status">{t('common.loading')}</VisuallyHidden>}
      </Table.Td>
    </Table.Tr>
  ))
}

interface SortableHeaderProps<T> {
  column: Column<T>
  sorting: Sorting
}

const SortableHeader = <T,>({ column, sorting }: SortableHeaderProps<T>) => {
  const { key, header } = column
  const isUp = sorting.by === key
  const isDown = sorting.by === `-${key}`
  const Arrow = isDown ? IconArrowDown : IconArrowUp
  return (
    <Table.Th
      role="columnheader"
      w={widthOf(column)}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}
    >
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        c="inherit"
        onClick={() => sorting.onChange(isUp ? `-${key}` : key)}
      >
        <Group gap={4} wrap="nowrap">
          {header}
          <Arrow size={14} visibility={isUp || isDown ? 'visible' : 'hidden'} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  )
}

const actionsWidth = 9

/** Minimum width, in rem, of a column without a width. On a wide screen app.css overrides it. */
const flexibleWidth = 12

const remOf = <T,>({ width, isActions }: Column<T>): number | undefined =>
  width ?? (isActions ? actionsWidth : undefined)

/** The value of the property `w`. Undefined for a column that shares the remaining width. */
const widthOf = <T,>(column: Column<T>): string | undefined => {
  const width = remOf(column)
  return width === undefined ? undefined : `${width}rem`
}

const sumOf = <T,>(columns: Column<T>[], flexible: number): number =>
  columns.reduce((sum, column) => sum + (remOf(column) ?? flexible), 0)

/** The minimum width of a table, in CSS. On a narrower screen the table scrolls. */
const leastWidthOf = <T,>(columns: Column<T>[]): string => `${sumOf(columns, flexibleWidth)}rem`

/** The least width, in rem, of a flexible column on a wide screen, and the width of the table there. */
const [squeezedWidth, wideWidth] = [7, 62]

/** A table of many chosen columns scrolls on a wide screen too. */
const isCrowded = <T,>(columns: Column<T>[]): boolean => sumOf(columns, squeezedWidth) > wideWidth
