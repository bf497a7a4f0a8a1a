import { Switch } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { robots } from './known-settings.ts'
import { SettingForm } from './setting-form.tsx'

/** Whether strangers prove work before they register. */
export const RobotsForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  return (
    <SettingForm
      scope="global"
      name={robots.key}
      title={t('settings.robots')}
      hint={t('settings.robotsHint')}
      saved={{ isOn: setting?.value === robots.on }}
      settingOf={({ isOn }) => (isOn ? robots.on : robots.off)}
    >
      {(form, isReadOnly) => (
        <Switch
          label={t('settings.robotsWork')}
          description={t('settings.robotsWorkHint')}
          disabled={isReadOnly}
          {...form.getInputProps('isOn', { type: 'checkbox' })}
        />
      )}
    </SettingForm>
  )
}
