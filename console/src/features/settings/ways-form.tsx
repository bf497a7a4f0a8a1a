import { Switch } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ways, type SettingScope } from './known-settings.ts'
import { SettingForm } from './setting-form.tsx'

/** The value, with the members that this form does not show. */
const valuesOf = (setting: Setting | undefined): { password: boolean; passkey: boolean } => ({
  password: true,
  passkey: true,
  ...(setting?.value as object | undefined),
})

const switches = [
  ['password', 'settings.waysPassword', 'settings.waysPasswordHint'],
  ['passkey', 'settings.waysPasskey', 'settings.waysPasskeyHint'],
] as const

interface WaysFormProps {
  scope: SettingScope
  setting: Setting | undefined
}

/** The ways to sign in that are open. */
export const WaysForm = ({ scope, setting }: WaysFormProps) => {
  const { t } = useTranslation()
  return (
    <SettingForm
      scope={scope}
      name={ways.key}
      title={t('settings.ways')}
      hint={t(scope === 'global' ? 'settings.waysOfAll' : 'settings.waysHint')}
      saved={{ ...valuesOf(setting) }}
      settingOf={(values) => values}
    >
      {(form, isReadOnly) =>
        switches.map(([name, label, hint]) => (
          <Switch
            key={name}
            label={t(label)}
            description={t(hint)}
            disabled={isReadOnly}
            {...form.getInputProps(name, { type: 'checkbox' })}
          />
        ))
      }
    </SettingForm>
  )
}
