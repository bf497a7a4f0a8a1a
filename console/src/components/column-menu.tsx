import { ActionIcon, Stack } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'
import { lazyPopup } from './lazy-popup.tsx'
import type { Column } from './table-model.ts'

const namesRow = <T,>({ isFixed, isActions }: Column<T>) => isFixed === true && isActions !== true

/**
 * The shown columns. The browser remembers which ones the user has shown or hidden, since a column can come later. On a
 * phone, the columns that identify a row come first, with the cells that belong below its name.
 */
export const useColumns = <T,>(name: string, columns: Column<T>[]) => {
  const [toggled, setToggled] = useLocalStorage<string[]>({
    key: `tenantry.toggled.${name}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const hidden = columns
    .filter(({ key, isHidden = false }) => isHidden !== toggled.includes(key))
    .map(({ key }) => key)
  const toggle = (key: string): void =>
    setToggled(toggled.includes(key) ? toggled.filter((one) => one !== key) : [...toggled, key])
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const shown = columns.filter(({ key, isFixed, isActions }) => isFixed || isActions || !hidden.includes(key))
  return { shown: isNarrow ? forPhone(shown) : shown, hidden, toggle }
}

/** The width of a row's name on a phone, in rem. The narrowest phone has it beside a check box. */
const nameWidth = 15

const forPhone = <T,>(columns: Column<T>[]): Column<T>[] => {
  const [name, ...names] = columns.filter(namesRow)
  const below = columns.filter(({ isBelowName }) => isBelowName)
  const others = columns.filter((column) => !namesRow(column) && !below.includes(column))
  if (!name || below.length === 0) return [...(name ? [name] : []), ...names, ...others]
  const cell = (row: T) => (
    <Stack gap={4} align="flex-start">
      {name.cell(row)}
      {below.map((column) => (
        <div key={column.key} className="below-name">
          {column.cell(row)}
        </div>
      ))}
    </Stack>
  )
  return [{ ...name, cell, width: nameWidth }, ...names, ...others]
}

export interface ColumnMenuProps {
  columns: Pick<Column<unknown>, 'key' | 'header' | 'isFixed' | 'isActions'>[]
  hidden: string[]
  onToggle: (key: string) => void
}

const Choices = lazyPopup('menu', async () => (await import('./column-choices.tsx')).ColumnChoices)

export const ColumnMenu = (props: ColumnMenuProps) => {
  const { t } = useTranslation()
  return (
    <Choices {...props}>
      <ActionIcon variant="default" size={36} aria-label={t('table.columns')} data-hint={t('table.columns')}>
        <IconColumns3 size={18} />
      </ActionIcon>
    </Choices>
  )
}

/** Whether lists have a smaller row height. The browser remembers it. */
export const useCompactRows = () =>
  useLocalStorage({ key: 'tenantry.compact', defaultValue: false, getInitialValueInEffect: false })
