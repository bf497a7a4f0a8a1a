import { Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Setting } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useTranslation } from '../../translation.ts'
import { ColorInput, isColor, LogoInput } from './brand-inputs.tsx'
import { branding, unregistered } from './known-settings.ts'
import { ReadByService } from './read-by-service.tsx'
import { SettingForm, SettingHint } from './setting-form.tsx'
import { useCanWrite, usePutSetting } from './settings.queries.ts'
import { accentOf } from '../../hosted/accent.ts'
import icon from '../../icon.svg'

/** As the setting holds it. */
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

/** The look of the tenant's sign-in pages. */
export const BrandingForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  const saved = valuesOf(setting)
  return (
    <SectionCard
      title={t('settings.branding')}
      hint={<SettingHint text={t('settings.brandingHint')} name={branding.key} />}
    >
      <Fields key={JSON.stringify(saved)} saved={saved} />
    </SectionCard>
  )
}

const useBranding = (saved: Values) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const put = usePutSetting('tenant', ({ key }) => notify(t('settings.saved', { key })))
  const form = useForm<Values>({
    initialValues: saved,
    validate: {
      name: (name) => ([...name].length > branding.nameMax ? t('fieldFaults.nickname') : null),
      color: (color) => (color === '' || isColor(color) ? null : t('settings.brandingColorWrong')),
    },
  })
  const sending = useSubmit(form, async (value) => {
    await put.mutateAsync({ key: branding.key, value })
  })
  return { form, ...sending }
}

const Fields = ({ saved }: { saved: Values }) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useBranding(saved)
  const isReadOnly = !useCanWrite('tenant')
  return (
    <SettingForm
      isDirty={form.isDirty()}
      isSending={isSending}
      error={error}
      onSubmit={onSubmit}
      preview={<BrandingPreview branding={form.values} />}
    >
      <TextInput
        label={t('fields.name')}
        description={t('settings.brandingNameHint')}
        disabled={isReadOnly}
        {...form.getInputProps('name')}
      />
      <LogoInput
        value={form.values.logo}
        isReadOnly={isReadOnly}
        onChange={(logo) => form.setFieldValue('logo', logo)}
      />
      <ColorInput
        label={t('settings.brandingColor')}
        isReadOnly={isReadOnly}
        {...form.getInputProps('color')}
        value={form.values.color}
        onPick={(color) => form.setFieldValue('color', color)}
      />
    </SettingForm>
  )
}

/** Whether people may authorize assistants that registered themselves. */
export const UnregisteredForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const put = usePutSetting('tenant', ({ key }) => notify(t('settings.saved', { key })))
  const canWrite = useCanWrite('tenant')
  const isAllowed = setting?.value === true
  return (
    <SectionCard title={t('settings.assistants')} hint={<ReadByService name={unregistered.key} />}>
      {canWrite ? (
        <Switch
          label={t('settings.unregistered')}
          description={t('settings.unregisteredHint')}
          checked={isAllowed}
          disabled={put.isPending}
          onChange={({ currentTarget }) =>
            put.mutate({ key: unregistered.key, value: currentTarget.checked })
          }
        />
      ) : (
        <Text size="sm">{t(isAllowed ? 'settings.unregistered' : 'settings.unregisteredNot')}</Text>
      )}
      {put.error && <ErrorPanel error={put.error} />}
    </SectionCard>
  )
}

interface BrandingPreviewProps {
  branding: { name: string; logo: string; color: string }
}

const BrandingPreview = ({ branding: { name, logo, color } }: BrandingPreviewProps) => {
  const { t } = useTranslation()
  return (
    <figure className="branding-preview" aria-label={t('settings.brandingPreview')}>
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
    </figure>
  )
}
