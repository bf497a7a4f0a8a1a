import { Switch, Text, TextInput } from '@mantine/core'
import type { PasswordRules, Setting } from '@tenantry/client'
import { usePasswordHint } from '../../components/password-hint.ts'
import { useAuthOptions } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { passwords, type SettingScope } from './known-settings.ts'
import { PreviewFigure } from './preview-figure.tsx'
import { Readings } from './readings.tsx'
import { SettingForm } from './setting-form.tsx'

/** The fewest characters are a text until the form is sent. */
type Values = { min_length: string; refuse_common: boolean; refuse_personal: boolean; breached: boolean }

const valuesOfRules = (rules: Partial<PasswordRules>): Values => ({
  min_length: String(rules.min_length ?? passwords.lengthMin),
  refuse_common: rules.refuse_common ?? false,
  refuse_personal: rules.refuse_personal ?? false,
  breached: rules.breached === 'refuse',
})

const valuesOf = (setting: Setting | undefined): Values => valuesOfRules(setting?.value ?? {})

const strictest = (one: Values, other: Values): Values => ({
  min_length: String(Math.max(Number(one.min_length), Number(other.min_length))),
  refuse_common: one.refuse_common || other.refuse_common,
  refuse_personal: one.refuse_personal || other.refuse_personal,
  breached: one.breached || other.breached,
})

const rulesOf = ({ min_length: min, breached, ...rest }: Values): PasswordRules => ({
  ...rest,
  min_length: Number(min),
  breached: breached ? 'refuse' : 'off',
})

const isLength = (text: string): boolean =>
  /^\d+$/.test(text.trim()) && Number(text) >= passwords.lengthMin && Number(text) <= passwords.lengthMax

interface PasswordsFormProps {
  scope: SettingScope
  setting: Setting | undefined
}

const switches = [
  ['refuse_common', 'settings.passwordsCommon', 'settings.passwordsCommonHint'],
  ['refuse_personal', 'settings.passwordsPersonal', 'settings.passwordsPersonalHint'],
  ['breached', 'settings.passwordsBreached', 'settings.passwordsBreachedHint'],
] as const

const RulesAsText = ({ rules }: { rules: Values }) => {
  const { t } = useTranslation()
  return (
    <Readings
      of={[
        [t('settings.passwordsLength'), rules.min_length],
        ...switches.map(([name, label]): [string, boolean] => [t(label), rules[name]]),
      ]}
    />
  )
}

/** The rules for new passwords. */
export const PasswordsForm = ({ scope, setting }: PasswordsFormProps) => {
  const { t } = useTranslation()
  const bounds = { min: passwords.lengthMin, max: passwords.lengthMax }
  const isTenant = scope === 'tenant'
  const rules = useAuthOptions().data?.passwords
  const inherited = isTenant && rules ? valuesOfRules(rules) : undefined
  const saved = valuesOf(setting)
  return (
    <SettingForm
      scope={scope}
      name={passwords.key}
      title={t('settings.passwords')}
      hint={t(scope === 'global' ? 'settings.passwordsOfAll' : 'settings.passwordsHint')}
      saved={saved}
      validate={{ min_length: (text) => (isLength(text) ? null : t('settings.retentionWrong', bounds)) }}
      settingOf={rulesOf}
      Preview={isTenant ? StrictestPreview : Preview}
      readings={<RulesAsText rules={inherited ? strictest(saved, inherited) : saved} />}
    >
      {(form) => (
        <>
          <TextInput
            inputMode="numeric"
            w={220}
            label={t('settings.passwordsLength')}
            description={
              inherited &&
              Number(inherited.min_length) > Number(form.values.min_length) &&
              t('settings.inheritedLength', { length: inherited.min_length })
            }
            {...form.getInputProps('min_length')}
          />
          {switches.map(([name, label, hint]) => (
            <Switch
              key={name}
              label={t(label)}
              description={t(inherited?.[name] ? 'settings.inherited' : hint)}
              disabled={inherited?.[name] === true}
              {...form.getInputProps(name, { type: 'checkbox' })}
              {...(inherited?.[name] && { checked: true })}
            />
          ))}
        </>
      )}
    </SettingForm>
  )
}

/** The rules as people read them. */
const Preview = ({ values }: { values: Values }) => {
  const { t } = useTranslation()
  const hint = usePasswordHint()
  return (
    <PreviewFigure caption={t('settings.passwordsPreview')}>
      <Text size="sm" fw={500}>
        {t('fields.password')}
      </Text>
      <Text size="xs" c="dimmed">
        {isLength(values.min_length) && hint(rulesOf(values))}
      </Text>
    </PreviewFigure>
  )
}

const StrictestPreview = ({ values }: { values: Values }) => {
  const rules = useAuthOptions().data?.passwords
  return <Preview values={rules ? strictest(values, valuesOfRules(rules)) : values} />
}
