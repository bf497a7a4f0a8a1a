import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { PasswordField } from '../../components/password-field.tsx'
import { useTranslation } from '../../translation.ts'
import type { Values } from './provider-kinds.ts'

export type Form = UseFormReturnType<Values>

interface FieldsProps {
  form: Form
  /** True if the provider exists. Then some fields are fixed, and an empty secret keeps the present one. */
  isThere?: boolean
}

const plain = { autoComplete: 'off', spellCheck: false } as const

/** The fields of the provider's kind, in the order in which the guide names them. */
export const ProviderFields = (props: FieldsProps) => {
  const { t } = useTranslation()
  const { form, isThere = false } = props
  const { kind } = form.values
  return (
    <>
      {!isThere && <LastingFields form={form} />}
      <TextInput
        label={t(kind === 'apple' ? 'providers.servicesId' : 'providers.clientId')}
        required
        {...plain}
        {...form.getInputProps('client_id')}
      />
      {kind === 'apple' && <AppleFields form={form} />}
      <Secret {...props} />
      <TextInput
        label={t('providers.scopes')}
        description={t(isThere ? 'providers.scopesHint' : 'providers.scopesUsual')}
        required={isThere}
        {...plain}
        {...form.getInputProps('scopes')}
      />
      <People form={form} />
    </>
  )
}

/** The fields that never change. */
const LastingFields = ({ form }: { form: Form }) => {
  const { t } = useTranslation()
  const { kind } = form.values
  if (kind === 'microsoft') return <TenantFields form={form} />
  if (kind !== 'oidc') return null
  return (
    <TextInput
      label={t('providers.issuer')}
      description={t('providers.issuerHint')}
      placeholder="https://login.example.com"
      required
      inputMode="url"
      {...plain}
      {...form.getInputProps('issuer')}
    />
  )
}

const Secret = ({ form, isThere = false }: FieldsProps) => {
  const { t } = useTranslation()
  const input = { required: !isThere, ...form.getInputProps('client_secret') }
  const kept = isThere ? ` ${t('providers.secretKept')}` : ''
  if (form.values.kind === 'apple') {
    return (
      <Textarea
        label={t('providers.key')}
        description={`${t('providers.keyHint')}${kept}`}
        placeholder="-----BEGIN PRIVATE KEY-----"
        rows={4}
        {...plain}
        {...input}
      />
    )
  }
  return (
    <PasswordField
      label={t('providers.secret')}
      show={t('providers.showSecret')}
      description={isThere ? t('providers.secretKept') : undefined}
      autoComplete="new-password"
      {...input}
    />
  )
}

const AppleFields = ({ form }: { form: Form }) => {
  const { t } = useTranslation()
  return (
    <>
      <TextInput label={t('providers.teamId')} required {...plain} {...form.getInputProps('team_id')} />
      <TextInput label={t('providers.keyId')} required {...plain} {...form.getInputProps('key_id')} />
    </>
  )
}

const tenants = ['common', 'organizations', 'consumers'] as const

/** Which accounts of Microsoft may sign in. One organization is named by its tenant id. */
const TenantFields = ({ form }: { form: Form }) => {
  const { t } = useTranslation()
  const chosen = tenants.find((one) => one === form.values.tenant) ?? 'single'
  return (
    <>
      <NativeSelect
        label={t('providers.tenant')}
        value={chosen}
        data={[...tenants, 'single' as const].map((value) => ({
          value,
          label: t(`providers.tenant_${value}`),
        }))}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue('tenant', value === 'single' ? '' : value)
        }
      />
      {chosen === 'single' && (
        <TextInput label={t('providers.tenantId')} required {...plain} {...form.getInputProps('tenant')} />
      )}
    </>
  )
}

const People = ({ form }: { form: Form }) => {
  const { t } = useTranslation()
  return (
    <>
      {form.values.kind === 'oidc' && (
        <Switch
          label={t('providers.trustsEmail')}
          description={t('providers.trustsEmailHint')}
          {...form.getInputProps('trusts_email', { type: 'checkbox' })}
        />
      )}
      <Switch
        label={t('providers.allowNew')}
        description={t('providers.allowNewHint')}
        {...form.getInputProps('allow_new', { type: 'checkbox' })}
      />
    </>
  )
}

/** The name of a provider. The sign-in page shows it. */
export const NameField = ({ form }: { form: Form }) => {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('fields.name')}
      description={t('providers.nameHint')}
      required
      maw={420}
      autoComplete="off"
      {...form.getInputProps('name')}
    />
  )
}
