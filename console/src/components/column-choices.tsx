import { Menu } from '@mantine/core'
import { useTranslation } from '../translation.ts'
import { type ColumnMenuProps, useCompactRows } from './column-menu.tsx'
import type { PopupButton } from './lazy-popup.tsx'
import { PopupMenu } from './popup-menu.tsx'

interface ColumnChoicesProps extends ColumnMenuProps {
  children: PopupButton
}

export const ColumnChoices = ({ columns, hidden, onToggle, children }: ColumnChoicesProps) => {
  const { t } = useTranslation()
  const [isCompact, setCompact] = useCompactRows()
  return (
    <PopupMenu target={children} closeOnItemClick={false}>
      {columns
        .filter(({ isFixed, isActions }) => !isFixed && !isActions)
        .map(({ key, header }) => (
          <Menu.CheckboxItem key={key} checked={!hidden.includes(key)} onChange={() => onToggle(key)}>
            {header}
          </Menu.CheckboxItem>
        ))}
      <Menu.Divider />
      <Menu.CheckboxItem checked={isCompact} onChange={() => setCompact(!isCompact)}>
        {t('table.compact')}
      </Menu.CheckboxItem>
    </PopupMenu>
  )
}
