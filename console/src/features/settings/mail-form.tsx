import { Switch, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { Setting } from '@tenantry/client'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useTranslation } from '../../translation.ts'
import { ColorInput, isColor, LogoInput } from './brand-inputs.tsx'
import { mail } from './known-settings.ts'
import { MailPreview, type MailValues } from './mail-preview.tsx'
import { SettingForm, SettingHint } from './setting-form.tsx'
import { useCanWrite, usePutSetting } from './settings.queries.ts'

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
const isSupport = (text: string): boolean => {
  if (text === '') return true
  const isPlain = /^https:\/\/[!-~]+$/.test(text) && !/[<>"'\\]/.test(text)
  if (text.length > mail.supportMax || !isPlain || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}
const isFooter = (text: string): boolean => [...text].length <= mail.footerMax && !control.test(text)

export const MailForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  const saved = valuesOf(setting)
  return (
    <SectionCard
      title={t('settings.mail')}
      hint={<SettingHint text={t('settings.mailHint')} name={mail.key} />}
    >
      <Fields key={JSON.stringify(saved)} saved={saved} />
    </SectionCard>
  )
}

const useMail = (saved: MailValues) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const put = usePutSetting('global', ({ key }) => notify(t('settings.saved', { key })))
  const form = useForm<MailValues>({
    initialValues: saved,
    validate: {
      product: (name) => (isName(name) ? null : t('settings.mailNameWrong')),
      from_name: (name) => (isName(name) && !/[<>@",;:]/.test(name) ? null : t('settings.mailFromNameWrong')),
      color: (color) => (color === '' || isColor(color) ? null : t('settings.brandingColorWrong')),
      support_url: (url) => (isSupport(url) ? null : t('settings.mailSupportWrong')),
      footer: (text) => (isFooter(text) ? null : t('settings.mailFooterWrong')),
    },
  })
  const sending = useSubmit(form, async (values) => {
    await put.mutateAsync({ key: mail.key, value: settingOf(values) })
  })
  return { form, ...sending }
}

type InputsProps = { form: UseFormReturnType<MailValues>; isReadOnly: boolean }

const LookInputs = ({ form, isReadOnly }: InputsProps) => {
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
      <LogoInput
        value={form.values.logo}
        isReadOnly={isReadOnly}
        onChange={(logo) => form.setFieldValue('logo', logo)}
      />
      <ColorInput
        label={t('settings.mailColor')}
        isReadOnly={isReadOnly}
        {...form.getInputProps('color')}
        value={form.values.color}
        onPick={(color) => form.setFieldValue('color', color)}
      />
    </>
  )
}

/** The lines below, and the notice that can be disabled. */
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

const Fields = ({ saved }: { saved: MailValues }) => {
  const { form, onSubmit, isSending, error } = useMail(saved)
  const isReadOnly = !useCanWrite('global')
  return (
    <SettingForm
      isDirty={form.isDirty()}
      isSending={isSending}
      error={error}
      onSubmit={onSubmit}
      preview={<MailPreview mail={form.values} />}
    >
      <LookInputs form={form} isReadOnly={isReadOnly} />
      <FooterInputs form={form} isReadOnly={isReadOnly} />
    </SettingForm>
  )
}
