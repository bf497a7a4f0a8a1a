import { Group, Menu } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { PopupButton } from '../components/lazy-popup.tsx'
import { PopupMenu } from '../components/popup-menu.tsx'

interface Choice {
  value: string
  label: string
  icon?: Icon
  /** The language of the label, if it differs from the page's. */
  lang?: string
}

interface ChoiceMenuProps {
  choices: Choice[]
  chosen: string
  onChoose: (value: never) => void
  children: PopupButton
}

export const ChoiceMenu = ({ choices, chosen, onChoose, children }: ChoiceMenuProps) => (
  <PopupMenu target={children}>
    <Menu.RadioGroup value={chosen}>
      {choices.map(({ value, label, icon: Icon, lang }) => (
        <Menu.RadioItem
          key={value}
          value={value}
          lang={lang}
          onChange={() => onChoose(value as never)}
          closeMenuOnClick
        >
          <Group gap="xs">
            {Icon && <Icon size={16} />}
            {label}
          </Group>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  </PopupMenu>
)
