import { Switch } from '@mantine/core'
import type { Setting, Ways } from '@tenantry/client'
import { useAuthOptions, useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { ways, type SettingScope } from './known-settings.ts'
import { ProviderChoice } from './provider-choice.tsx'
import { Readings } from './readings.tsx'
import { SettingForm } from './setting-form.tsx'

/** `providers` has slugs; null for all that are active. */
type Values = Omit<Ways, 'providers'> & { providers: string[] | null }

/** The value, with the members that this form does not show. */
const storedIn = (setting: Setting | undefined) => (setting?.value ?? {}) as Partial<Values>

/** A tenant only closes codes by mail and the offer, so the form shows them as open until it closes them. */
const defaultsOf = (scope: SettingScope): Values => ({
  password: true,
  passkey: true,
  email_code: scope === 'tenant',
  offer_passkey: scope === 'tenant',
  providers: null,
})

const switches = [
  ['password', 'settings.waysPassword', 'settings.waysPasswordHint'],
  ['passkey', 'settings.waysPasskey', 'settings.waysPasskeyHint'],
  ['offer_passkey', 'settings.waysOffer', 'settings.waysOfferHint'],
  ['email_code', 'settings.waysEmailCode', 'settings.waysEmailCodeHint'],
] as const

interface WaysFormProps {
  scope: SettingScope
  setting: Setting | undefined
}

interface WaysAsTextProps {
  values: Values
  isClosed: (name: keyof Ways) => boolean
}

const WaysAsText = ({ values, isClosed }: WaysAsTextProps) => {
  const { t } = useTranslation()
  const { providers } = values
  const open = switches.map(([name, label]): [string, string | boolean] => [
    t(label),
    isClosed(name) ? t('settings.waysClosed') : values[name],
  ])
  const names = providers?.join(', ') ?? ''
  return (
    <Readings
      of={
        providers === null
          ? open
          : [...open, [t('settings.waysProvidersOpen'), names || t('settings.waysProvidersNone')]]
      }
    />
  )
}

/** The ways to sign in that are open. */
export const WaysForm = ({ scope, setting }: WaysFormProps) => {
  const { t } = useTranslation()
  const installation = useAuthOptions().data?.ways
  const [defaults, stored] = [defaultsOf(scope), storedIn(setting)]
  const saved = { ...defaults, ...stored }
  const isClosed = (name: keyof Ways): boolean => scope === 'tenant' && installation?.[name] === false
  return (
    <SettingForm
      scope={scope}
      name={ways.key}
      title={t('settings.ways')}
      hint={t(scope === 'global' ? 'settings.waysOfAll' : 'settings.waysHint')}
      isLocked={!useMe().hasFactor}
      saved={saved}
      // A member that nobody has set stays as the installation sets it.
      settingOf={(values) =>
        Object.fromEntries(
          Object.entries(values).filter(
            ([name, value]) => name in stored || value !== defaults[name as keyof Values],
          ),
        )
      }
      readings={<WaysAsText values={saved} isClosed={isClosed} />}
    >
      {(form) => (
        <>
          {switches.map(([name, label, hint]) => (
            <Switch
              key={name}
              label={t(label)}
              description={t(isClosed(name) ? 'settings.waysClosed' : hint)}
              disabled={isClosed(name)}
              {...form.getInputProps(name, { type: 'checkbox' })}
              {...(isClosed(name) && { checked: false })}
            />
          ))}
          <ProviderChoice
            scope={scope}
            value={form.values.providers}
            onChange={(slugs) => form.setFieldValue('providers', slugs)}
          />
        </>
      )}
    </SettingForm>
  )
}
