import { ActionIcon } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'
import { lazyPopup } from './lazy-popup.tsx'
import type { Column } from './table-model.ts'

const namesRow = <T,>({ isFixed, isActions }: Column<T>) => isFixed === true && isActions !== true

/** The shown columns. The browser remembers the choice. On a phone, the columns that identify a row come first. */
export const useColumns = <T,>(name: string, columns: Column<T>[]) => {
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `tenantry.columns.${name}`,
    defaultValue: columns.filter(({ isHidden }) => isHidden).map(({ key }) => key),
    getInitialValueInEffect: false,
  })
  const toggle = (key: string): void =>
    setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key])
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const ordered = isNarrow
    ? [...columns.filter(namesRow), ...columns.filter((column) => !namesRow(column))]
    : columns
  const shown = ordered.filter(({ key, isFixed, isActions }) => isFixed || isActions || !hidden.includes(key))
  return { shown, hidden, toggle }
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
