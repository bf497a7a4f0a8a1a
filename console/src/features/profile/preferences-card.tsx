import { Card, Select, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { languages, useTranslation, type Language } from '../../translation.ts'
import { chooseLanguage } from '../../session/client.ts'
import { chooseTimeZone, useTimeZone } from '../../format.ts'

const languageChoices = Object.entries(languages).map(([value, label]) => ({ value, label }))

/** The value of the option that follows the system. */
const system = 'system'

const offsetOf = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

const zoneChoices = () =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: `${value.replaceAll('_', ' ')} (${offsetOf(value)})`,
  }))

const TimeZone = () => {
  const { t } = useTranslation()
  const zone = useTimeZone()
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  // A new array at each render would reset the typed text.
  const choices = useMemo(
    () => [{ value: system, label: t('ownProfile.systemZone', { zone: own }) }, ...zoneChoices()],
    [t, own],
  )
  return (
    <Select
      label={t('ownProfile.timeZone')}
      data={choices}
      value={zone ?? system}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('ownProfile.noZone')}
      onChange={(value) => chooseTimeZone(value === null || value === system ? undefined : value)}
    />
  )
}

/** Preferences that stay in this browser (docs/decisions/0072-console.md). */
export const PreferencesCard = () => {
  const { t, language } = useTranslation()
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4">
        {t('ownProfile.preferences')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('ownProfile.preferencesText')}
      </Text>
      <Stack>
        <Select
          label={t('shell.language')}
          data={languageChoices}
          value={language}
          allowDeselect={false}
          onChange={(value) => void chooseLanguage(value as Language)}
        />
        <TimeZone />
      </Stack>
    </Card>
  )
}
