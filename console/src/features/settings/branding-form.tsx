import { Text, TextInput } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { accentOf } from '../../hosted/accent.ts'
import icon from '../../icon.svg'
import { useTranslation } from '../../translation.ts'
import { isColor, LookInputs } from './brand-inputs.tsx'
import { branding } from './known-settings.ts'
import { PreviewFigure } from './preview-figure.tsx'
import { SettingForm } from './setting-form.tsx'

/** The values in the form of the setting. */
type Values = {
  name: string
  /** A data URL, "" for none. */
  logo: string
  color: string
}

const valuesOf = (setting: Setting | undefined): Values => ({
  name: '',
  logo: '',
  color: '',
  ...(setting?.value as Partial<Values> | undefined),
})

/** The appearance of the tenant's sign-in pages. */
export const BrandingForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  return (
    <SettingForm
      scope="tenant"
      name={branding.key}
      title={t('settings.branding')}
      hint={t('settings.brandingHint')}
      saved={valuesOf(setting)}
      validate={{
        name: (name) => ([...name].length > branding.nameMax ? t('fieldFaults.nickname') : null),
        color: (color) => (isColor(color) ? null : t('settings.brandingColorWrong')),
      }}
      Preview={BrandingPreview}
    >
      {(form, isReadOnly) => (
        <>
          <TextInput
            label={t('fields.name')}
            description={t('settings.brandingNameHint')}
            disabled={isReadOnly}
            {...form.getInputProps('name')}
          />
          <LookInputs form={form} colorLabel={t('settings.brandingColor')} isReadOnly={isReadOnly} />
        </>
      )}
    </SettingForm>
  )
}

const BrandingPreview = ({ values: { name, logo, color } }: { values: Values }) => {
  const { t } = useTranslation()
  return (
    <PreviewFigure caption={t('settings.brandingPreview')}>
      <div className="branding-brand">
        <img src={logo || icon} alt="" />
        <Text fw={600} span className="breakable">
          {name || 'Tenantry'}
        </Text>
      </div>
      <Text fw={600} size="lg">
        {t('signIn.title')}
      </Text>
      <div className="branding-field" />
      <div className="branding-button" style={accentOf(color)}>
        {t('signIn.submit')}
      </div>
      <Text size="xs" c="dimmed">
        {location.host}
      </Text>
    </PreviewFigure>
  )
}
