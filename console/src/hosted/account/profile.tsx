import { useMemo } from 'react'
import { chooseTimeZone, useFormat, useTimeZone } from '../../format.ts'
import { chooseLanguage, client } from '../../session/client.ts'
import { languages, useTranslation, type Language } from '../../translation.ts'
import { Field, Form } from '../kit.tsx'
import { useForm } from '../use-form.ts'
import { useAccount } from './account.ts'
import { OwnAttributes } from './attributes.tsx'
import { Section } from './parts.tsx'
import { OwnPicture } from './picture.tsx'
import { Choice } from './choice.tsx'

export const ProfilePage = () => (
  <>
    <Person />
    <OwnAttributes />
    <Preferences />
  </>
)

const Person = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const { user, tenant } = useAccount()
  const facts = [
    [t('fields.username'), user.username],
    [t('ownAccount.organization'), tenant.name],
    [t('fields.lastLogin'), user.last_login === '' ? t('common.never') : format.moment(user.last_login)],
  ]
  return (
    <Section title={t('ownAccount.person')} hint={t('ownAccount.personText')}>
      <OwnPicture />
      <NicknameForm />
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

const NicknameForm = () => {
  const { t } = useTranslation()
  const { user, renew, say } = useAccount()
  const form = useForm(
    async ({ nickname = '' }) => {
      await client.profile.update({ nickname: nickname.trim() })
      say(t('ownProfile.saved'))
      renew()
    },
    { nickname: 'nickname' },
  )
  return (
    <Form {...form} submit={t('common.save')}>
      <Field
        name="nickname"
        label={t('fields.nickname')}
        hint={t('ownProfile.nicknameHint')}
        autoComplete="nickname"
        defaultValue={user.nickname}
      />
    </Form>
  )
}

const languageChoices = Object.entries(languages).map(([value, label]) => ({ value, label, lang: value }))

const offsetOf = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

const zoneChoices = () =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: `${value.replaceAll('_', ' ')} (${offsetOf(value)})`,
  }))

/** Preferences that stay in this browser (docs/decisions/0072-console.md). */
const Preferences = () => {
  const { t, language } = useTranslation()
  const zone = useTimeZone()
  const zones = useMemo(() => zoneChoices(), [])
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Section title={t('ownProfile.preferences')} hint={t('ownProfile.preferencesText')}>
      <Choice
        label={t('hosted.language')}
        choices={languageChoices}
        value={language}
        onChange={(value) => void chooseLanguage(value as Language)}
      />
      <Choice
        label={t('ownProfile.timeZone')}
        choices={[{ value: '', label: t('ownProfile.systemZone', { zone: own }) }, ...zones]}
        value={zone ?? ''}
        onChange={(value) => chooseTimeZone(value === '' ? undefined : value)}
      />
    </Section>
  )
}
