import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { lazyPopup } from '../components/lazy-popup.tsx'
import { chooseLanguage } from '../session/client.ts'
import { languages, useTranslation, type Language } from '../translation.ts'

const ChoiceMenu = lazyPopup('menu', async () => (await import('./choice-menu.tsx')).ChoiceMenu)

const look = { variant: 'subtle', color: 'gray', size: 'lg' }

const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const

export const SchemeMenu = () => {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = schemeIcons[colorScheme]
  const choices = (['light', 'dark', 'auto'] as const).map((value) => ({
    value,
    label: t(`shell.${value}`),
    icon: schemeIcons[value],
  }))
  return (
    <ChoiceMenu choices={choices} chosen={colorScheme} onChoose={setColorScheme}>
      <ActionIcon {...look} aria-label={t('shell.scheme')} data-hint={t('shell.scheme')}>
        <Icon size={20} stroke={1.75} />
      </ActionIcon>
    </ChoiceMenu>
  )
}

const languageChoices = (Object.keys(languages) as Language[]).map((value) => ({
  value,
  label: languages[value],
  lang: value,
}))

export const LanguageMenu = () => {
  const { t, language } = useTranslation()
  return (
    <ChoiceMenu
      choices={languageChoices}
      chosen={language}
      onChoose={(chosen: Language) => void chooseLanguage(chosen)}
    >
      <ActionIcon {...look} aria-label={t('shell.language')} data-hint={t('shell.language')}>
        <IconLanguage size={20} stroke={1.75} />
      </ActionIcon>
    </ChoiceMenu>
  )
}
