import { ActionIcon, Group, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun, type Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { languages, type Language } from '../i18n.ts'
import { chooseLanguage } from '../session/language.ts'

interface Choice<Value extends string> {
  value: Value
  label: string
  icon?: Icon
  /** The language of the label, if it differs from the page's. */
  lang?: string
}

interface ChoiceMenuProps<Value extends string> {
  label: string
  icon: Icon
  choices: Choice<Value>[]
  chosen: string
  onChoose: (value: Value) => void
}

const ChoiceMenu = <Value extends string>(props: ChoiceMenuProps<Value>) => {
  const { label, icon: Current, choices, chosen, onChoose } = props
  return (
    <Menu position="bottom-end">
      <Tooltip label={label}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
            <Current size={20} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.RadioGroup value={chosen}>
          {choices.map(({ value, label: text, icon: Icon, lang }) => (
            <Menu.RadioItem
              key={value}
              value={value}
              lang={lang}
              onChange={() => onChoose(value)}
              closeMenuOnClick
            >
              <Group gap="xs">
                {Icon && <Icon size={16} />}
                {text}
              </Group>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const

export const SchemeMenu = () => {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const choices = (['light', 'dark', 'auto'] as const).map((value) => ({
    value,
    label: t(`shell.${value}`),
    icon: schemeIcons[value],
  }))
  return (
    <ChoiceMenu
      label={t('shell.scheme')}
      icon={schemeIcons[colorScheme]}
      choices={choices}
      chosen={colorScheme}
      onChoose={setColorScheme}
    />
  )
}

const languageChoices = (Object.keys(languages) as Language[]).map((value) => ({
  value,
  label: languages[value],
  lang: value,
}))

export const LanguageMenu = () => {
  const { t, i18n } = useTranslation()
  return (
    <ChoiceMenu
      label={t('shell.language')}
      icon={IconLanguage}
      choices={languageChoices}
      chosen={i18n.language}
      onChoose={(language) => void chooseLanguage(language)}
    />
  )
}
