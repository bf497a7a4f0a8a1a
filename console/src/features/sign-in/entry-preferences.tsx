import { Group, NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { chooseLanguage } from '../../session/language.ts'
import { languages, useTranslation, type Language } from '../../translation.ts'

const languageChoices = Object.entries(languages).map(([value, label]) => ({ value, label, lang: value }))

/** Lists of the browser: the menus of the frame would make each of these pages 40 kB heavier. */
export const EntryPreferences = () => {
  const { t, language } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const schemes = (['light', 'dark', 'auto'] as const).map((value) => ({ value, label: t(`shell.${value}`) }))
  return (
    <Group gap={4}>
      <NativeSelect
        aria-label={t('shell.scheme')}
        variant="unstyled"
        size="xs"
        data={schemes}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as MantineColorScheme)}
      />
      <NativeSelect
        aria-label={t('shell.language')}
        variant="unstyled"
        size="xs"
        data={languageChoices}
        value={language}
        onChange={({ currentTarget }) => void chooseLanguage(currentTarget.value as Language)}
      />
    </Group>
  )
}
