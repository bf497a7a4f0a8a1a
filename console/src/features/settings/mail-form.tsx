import { Switch, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Setting } from '@tenantry/client'
import { accentOf } from '../../hosted/accent.ts'
import { useTranslation } from '../../translation.ts'
import { isAddress } from './address.ts'
import { isColor, LookInputs } from './brand-inputs.tsx'
import { mail } from './known-settings.ts'
import { PreviewFigure } from './preview-figure.tsx'
import { SettingForm } from './setting-form.tsx'

/** The values in the form of the setting. A field is "" if the setting omits it. */
type MailValues = {
  product: string
  from_name: string
  color: string
  /** A data URL. */
  logo: string
  support_url: string
  footer: string
  new_device_notice: boolean
}

const valuesOf = (setting: Setting | undefined): MailValues => ({
  product: '',
  from_name: '',
  color: '',
  logo: '',
  support_url: '',
  footer: '',
  new_device_notice: true,
  ...(setting?.value as Partial<MailValues> | undefined),
})

const settingOf = (values: MailValues): Partial<MailValues> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** docs/contract.md, "Settings". */
const control = /\p{Cc}/u
const isName = (text: string): boolean => [...text].length <= mail.nameMax && !control.test(text)
const isFooter = (text: string): boolean => [...text].length <= mail.footerMax && !control.test(text)

export const MailForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  return (
    <SettingForm
      scope="global"
      name={mail.key}
      title={t('settings.mail')}
      hint={t('settings.mailHint')}
      saved={valuesOf(setting)}
      validate={{
        product: (name) => (isName(name) ? null : t('settings.mailNameWrong')),
        from_name: (name) =>
          isName(name) && !/[<>@",;:]/.test(name) ? null : t('settings.mailFromNameWrong'),
        color: (color) => (isColor(color) ? null : t('settings.brandingColorWrong')),
        support_url: (url) => (isAddress(url, mail.supportMax) ? null : t('settings.mailSupportWrong')),
        footer: (text) => (isFooter(text) ? null : t('settings.mailFooterWrong')),
      }}
      settingOf={settingOf}
      Preview={MailPreview}
    >
      {(form, isReadOnly) => (
        <>
          <HeadInputs form={form} isReadOnly={isReadOnly} />
          <FooterInputs form={form} isReadOnly={isReadOnly} />
        </>
      )}
    </SettingForm>
  )
}

type InputsProps = { form: UseFormReturnType<MailValues>; isReadOnly: boolean }

const HeadInputs = ({ form, isReadOnly }: InputsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('settings.mailProduct')}
        description={t('settings.mailProductHint')}
        disabled={isReadOnly}
        {...form.getInputProps('product')}
      />
      <TextInput
        label={t('settings.mailFromName')}
        description={t('settings.mailFromNameHint')}
        disabled={isReadOnly}
        {...form.getInputProps('from_name')}
      />
      <LookInputs form={form} colorLabel={t('settings.mailColor')} isReadOnly={isReadOnly} />
    </>
  )
}

/** The inputs for the lines below an e-mail, and for the notice that can be disabled. */
const FooterInputs = ({ form, isReadOnly }: InputsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('settings.mailSupport')}
        description={t('settings.mailSupportHint')}
        placeholder="https://"
        disabled={isReadOnly}
        {...form.getInputProps('support_url')}
      />
      <Textarea
        label={t('settings.mailFooter')}
        description={t('settings.mailFooterHint')}
        autosize
        minRows={2}
        disabled={isReadOnly}
        {...form.getInputProps('footer')}
      />
      <Switch
        label={t('settings.mailNotice')}
        description={t('settings.mailNoticeHint')}
        disabled={isReadOnly}
        {...form.getInputProps('new_device_notice', { type: 'checkbox' })}
      />
    </>
  )
}

const Line = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" className="breakable">
    {children}
  </Text>
)

const MailPreview = ({ values }: { values: MailValues }) => {
  const { t } = useTranslation()
  const { product, from_name: fromName, color, logo, support_url: support, footer } = values
  const name = product || 'Tenantry'
  return (
    <PreviewFigure caption={t('settings.mailPreview')}>
      <Line>{t('settings.mailSampleFrom', { name: fromName || 'Tenantry' })}</Line>
      {logo !== '' && (
        <div className="branding-brand">
          <img src={logo} alt={name} />
        </div>
      )}
      {logo === '' && product !== '' && (
        <Text fw={600} className="breakable">
          {product}
        </Text>
      )}
      <Text fw={600} size="lg">
        {t('settings.mailSampleTitle')}
      </Text>
      <Text size="sm">{t('settings.mailSampleText')}</Text>
      <div className="branding-button mail-button" style={accentOf(color)}>
        {t('settings.mailSampleButton')}
      </div>
      <div>
        <Line>{t('settings.mailSampleSender', { name })}</Line>
        {footer !== '' && <Line>{footer}</Line>}
        {support !== '' && <Line>{t('settings.mailSampleHelp', { url: support })}</Line>}
      </div>
    </PreviewFigure>
  )
}
