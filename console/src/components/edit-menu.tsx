import { Menu } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { PopupButton } from './lazy-popup.tsx'
import { PopupMenu } from './popup-menu.tsx'

interface EditMenuProps {
  /** The texts of its two items. */
  edit: string
  remove: string
  onAsk: (kind: 'edit' | 'delete') => void
  children: PopupButton
}

export const EditMenu = ({ edit, remove, onAsk, children }: EditMenuProps) => (
  <PopupMenu target={children}>
    <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onAsk('edit')}>
      {edit}
    </Menu.Item>
    <Menu.Item
      leftSection={<IconTrash size={16} />}
      color="red"
      c="var(--text-bad)"
      onClick={() => onAsk('delete')}
    >
      {remove}
    </Menu.Item>
  </PopupMenu>
)
