import { ActionIcon } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'
import { lazyPopup } from './lazy-popup.tsx'
import type { Column } from './table-model.ts'

/** The shown columns. The browser remembers which ones the user has shown or hidden, since a column can come later. */
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
  const shown = columns.filter(({ key, isFixed, isActions }) => isFixed || isActions || !hidden.includes(key))
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
