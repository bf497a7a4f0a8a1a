import { useTranslation } from '../../translation.ts'
import { limits, retention, unregistered, type FormsProps } from './known-settings.ts'
import { LimitsForm } from './limits-form.tsx'
import { RetentionForm } from './retention-form.tsx'
import { SwitchForm } from './switch-form.tsx'

export const AdvancedSection = ({ scope, settingOf }: FormsProps) => {
  const { t } = useTranslation()
  return (
    <>
      {scope === 'tenant' && (
        <>
          <RetentionForm setting={settingOf(retention.key)} />
          <SwitchForm
            name={unregistered.key}
            title={t('settings.assistants')}
            label={t('settings.unregistered')}
            description={t('settings.unregisteredHint')}
            off={t('settings.unregisteredNot')}
            isOn={settingOf(unregistered.key)?.value === true}
          />
        </>
      )}
      <LimitsForm scope={scope} setting={settingOf(limits.key)} />
    </>
  )
}
