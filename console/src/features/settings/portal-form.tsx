import { Stack, Switch, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Setting } from '@tenantry/client'
import { LazyManyChoice } from '../../components/lazy-many-choice.tsx'
import { accentOf } from '../../hosted/accent.ts'
import icon from '../../icon.svg'
import { useMe } from '../../session/me.ts'
import { portalPreview } from '../../session/portal.ts'
import { useTranslation } from '../../translation.ts'
import { LogoInput } from '../../components/logo-input.tsx'
import { ColorInput, isColor } from './brand-inputs.tsx'
import { isAddress } from './address.ts'
import { portal } from './known-settings.ts'
import { PreviewFigure } from './preview-figure.tsx'
import { SettingForm } from './setting-form.tsx'

type Page = keyof typeof portal.pages

const pageNames = Object.keys(portal.pages) as Page[]

/** The values in the form of the setting. A text is "" if the setting omits it. */
type Values = {
  product: string
  logo: string
  logo_dark: string
  icon: string
  color: string
  home_url: string
  help_url: string
  /** Null for all. */
  pages: Page[] | null
}

const valuesOf = (setting: Setting | undefined): Values => ({
  product: '',
  logo: '',
  logo_dark: '',
  icon: '',
  color: '',
  home_url: '',
  help_url: '',
  pages: null,
  ...(setting?.value as Partial<Values> | undefined),
})

const settingOf = (values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null))

/** The product that people without `tenant:enter` see. */
export const PortalForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  const addressFault = (text: string) =>
    isAddress(text, portal.addressMax) ? null : t('settings.mailSupportWrong')
  return (
    <SettingForm
      scope="global"
      name={portal.key}
      title={t('settings.portal')}
      hint={t('settings.portalHint')}
      saved={valuesOf(setting)}
      validate={{
        product: (name) => ([...name].length <= portal.nameMax ? null : t('settings.mailNameWrong')),
        color: (color) => (isColor(color) ? null : t('settings.brandingColorWrong')),
        home_url: addressFault,
        help_url: addressFault,
      }}
      settingOf={settingOf}
      Preview={PortalPreview}
    >
      {(form, isReadOnly) => (
        <>
          <LookInputs form={form} isReadOnly={isReadOnly} />
          <LinkInputs form={form} isReadOnly={isReadOnly} />
          <PageInput form={form} isReadOnly={isReadOnly} />
        </>
      )}
    </SettingForm>
  )
}

type InputsProps = { form: UseFormReturnType<Values>; isReadOnly: boolean }

const pictures = [
  ['logo', 'logos.logo'],
  ['logo_dark', 'settings.portalLogoDark'],
  ['icon', 'settings.portalIcon'],
] as const

const LookInputs = ({ form, isReadOnly }: InputsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <TextInput label={t('settings.mailProduct')} disabled={isReadOnly} {...form.getInputProps('product')} />
      {pictures.map(([name, label]) => (
        <LogoInput
          key={name}
          label={t(label)}
          bytesMax={portal.pictureBytesMax}
          value={form.values[name]}
          isReadOnly={isReadOnly}
          onChange={(next) => form.setFieldValue(name, next)}
        />
      ))}
      <ColorInput form={form} label={t('settings.portalColor')} isReadOnly={isReadOnly} />
    </>
  )
}

const LinkInputs = ({ form, isReadOnly }: InputsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('settings.portalHome')}
        description={t('settings.portalHomeHint')}
        placeholder="https://"
        disabled={isReadOnly}
        {...form.getInputProps('home_url')}
      />
      <TextInput
        label={t('settings.mailSupport')}
        placeholder="https://"
        disabled={isReadOnly}
        {...form.getInputProps('help_url')}
      />
    </>
  )
}

const PageInput = ({ form, isReadOnly }: InputsProps) => {
  const { t } = useTranslation()
  const { pages } = form.values
  const choose = (names: Page[] | null): void => form.setFieldValue('pages', names)
  return (
    <Stack gap="xs">
      <Switch
        label={t('settings.portalAllPages')}
        description={t('settings.portalPagesHint')}
        disabled={isReadOnly}
        checked={pages === null}
        onChange={({ currentTarget }) => choose(currentTarget.checked ? null : pageNames)}
      />
      {pages !== null && (
        <LazyManyChoice
          label={t('settings.portalPages')}
          data={pageNames.map((value) => ({ value, label: t(portal.pages[value]) }))}
          disabled={isReadOnly}
          value={pages}
          onChange={(names) => choose(pageNames.filter((name) => names.includes(name)))}
        />
      )}
    </Stack>
  )
}

const PortalPreview = ({ values }: { values: Values }) => (
  <Stack gap="sm">
    <PortalSample values={values} />
    {useMe().can('tenant:enter') && <PreviewSwitch />}
  </Stack>
)

/** The frame of the console, with bars in place of its texts. */
const PortalSample = ({ values: { product, logo, color, home_url: home } }: { values: Values }) => {
  const { t } = useTranslation()
  const name = product || 'Tenantry'
  return (
    <PreviewFigure caption={t('settings.portalSample')}>
      <div className="branding-brand">
        <img src={logo || icon} alt="" />
        <Text fw={600} span className="breakable">
          {name}
        </Text>
      </div>
      <div className="portal-sample" style={accentOf(color)}>
        <div>
          {home !== '' && (
            <Text size="xs" className="breakable">
              {t('shell.backTo', { name })}
            </Text>
          )}
          <i className="sample-bar" data-is="open" />
          <i className="sample-bar" />
          <i className="sample-bar" />
        </div>
        <div>
          <i className="sample-bar" data-is="title" />
          <i className="sample-bar" />
          <i className="sample-bar" />
          <div className="branding-button sample-button">{t('common.save')}</div>
        </div>
      </div>
    </PreviewFigure>
  )
}

const PreviewSwitch = () => {
  const { t } = useTranslation()
  return (
    <Switch
      label={t('settings.portalPreview')}
      description={t('settings.portalPreviewHint')}
      checked={portalPreview.useValue()}
      onChange={({ currentTarget }) => portalPreview.set(currentTarget.checked)}
    />
  )
}
