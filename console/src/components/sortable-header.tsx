import { Group, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Table } from './table.tsx'
import { widthOf } from './column-width.ts'
import type { Column, Sorting } from './table-model.ts'

interface SortableHeaderProps<T> {
  column: Column<T>
  sorting: Sorting
}

export const SortableHeader = <T,>({ column, sorting }: SortableHeaderProps<T>) => {
  const { key, header } = column
  const isUp = sorting.by === key
  const isDown = sorting.by === `-${key}`
  const Arrow = isDown ? IconArrowDown : IconArrowUp
  return (
    <Table.Th w={widthOf(column)} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
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
