import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLanguage, IconMoon, IconSun, type Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { languages, setLanguage, type Language } from '../i18n.ts'

const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const

interface ChoiceProps {
  label: string
  icon?: Icon
  isChosen: boolean
  onChoose: () => void
  lang?: string
}

const Choice = ({ label, icon: Icon, isChosen, onChoose, lang }: ChoiceProps) => (
  <Menu.Item
    role="menuitemradio"
    aria-checked={isChosen}
    leftSection={Icon && <Icon size={16} />}
    rightSection={isChosen ? <IconCheck size={16} /> : null}
    onClick={onChoose}
    {...(lang === undefined ? {} : { lang })}
  >
    {label}
  </Menu.Item>
)

export const SchemeMenu = () => {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = schemes[colorScheme]
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('shell.scheme')}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('shell.scheme')}>
            <Current size={20} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Choice
            key={scheme}
            label={t(`shell.${scheme}`)}
            icon={schemes[scheme]}
            isChosen={scheme === colorScheme}
            onChoose={() => setColorScheme(scheme)}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export const LanguageMenu = () => {
  const { t, i18n } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('shell.language')}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('shell.language')}>
            <IconLanguage size={20} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(languages) as Language[]).map((language) => (
          <Choice
            key={language}
            label={languages[language]}
            lang={language}
            isChosen={language === i18n.language}
            onChoose={() => void setLanguage(language)}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
