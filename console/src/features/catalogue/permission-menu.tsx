import { Menu } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { PopupButton } from '../../components/lazy-popup.tsx'
import { PopupMenu } from '../../components/popup-menu.tsx'
import { useTranslation } from '../../translation.ts'

interface PermissionMenuProps {
  onAsk: (kind: 'edit' | 'delete') => void
  children: PopupButton
}

export const PermissionMenu = ({ onAsk, children }: PermissionMenuProps) => {
  const { t } = useTranslation()
  return (
    <PopupMenu target={children}>
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onAsk('edit')}>
        {t('catalogue.edit')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconTrash size={16} />}
        color="red"
        c="var(--text-bad)"
        onClick={() => onAsk('delete')}
      >
        {t('catalogue.delete')}
      </Menu.Item>
    </PopupMenu>
  )
}
