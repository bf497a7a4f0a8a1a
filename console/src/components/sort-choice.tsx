import { NativeSelect } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'
import type { Column, Sorting } from './table-model.ts'

interface SortChoiceProps {
  columns: Pick<Column<unknown>, 'key' | 'header' | 'isSortable'>[]
  sorting: Sorting
}

/** Replaces the sortable headers on a phone, where no cells are below them (app.css). */
export const SortChoice = ({ columns, sorting }: SortChoiceProps) => {
  const { t } = useTranslation()
  return (
    <NativeSelect
      className="sort-choice"
      aria-label={t('table.sortBy')}
      leftSection={<IconArrowsSort size={16} stroke={1.5} />}
      value={sorting.by}
      data={columns
        .filter(({ isSortable }) => isSortable)
        .flatMap(({ key, header }) => [
          { value: key, label: `${header} ↑` },
          { value: `-${key}`, label: `${header} ↓` },
        ])}
      onChange={({ currentTarget }) => sorting.onChange(currentTarget.value)}
    />
  )
}
