import { Group, Select, Switch, TextInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Application, UpdateApplication } from '@tenantry/client'
import { useQuery } from '@tanstack/react-query'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { ManyChoice } from '../../components/many-choice.tsx'
import { AddressField, useAddressCheck } from './address-field.tsx'
import { linesOf } from './addresses.ts'
import { usePermissions } from '../roles/roles.queries.ts'
import { isOfProduct } from '../roles/roles.texts.ts'
import { useAllResources, daysOf, daySeconds } from './applications.queries.ts'
import { LogoInput } from '../../components/logo-input.tsx'
import { NameInput } from '../../components/named-form.tsx'
import { useRenew } from '../../components/use-renew.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The fields have the names of the API, so that its refusals appear beside them. A list has one entry per line. */
type Values = {
  name: string
  logo: string
  home_url: string
  redirect_uris: string
  post_logout_redirect_uris: string
  backchannel_logout_uri: string
  allowed_origins: string
  resource_ids: string[]
  tenant_ids: string[] | null
  required_permission: string | null
  require_mfa: boolean
  tenantry_api: boolean
  session_seconds: string
  refreshes: boolean
  devices: boolean
}

const valuesOf = (application: Application): Values => ({
  name: application.name,
  logo: application.logo,
  home_url: application.home_url,
  redirect_uris: application.redirect_uris.join('\n'),
  post_logout_redirect_uris: application.post_logout_redirect_uris.join('\n'),
  backchannel_logout_uri: application.backchannel_logout_uri,
  allowed_origins: application.allowed_origins.join('\n'),
  resource_ids: application.resource_ids.map(String),
  tenant_ids: application.tenant_ids,
  required_permission: application.required_permission,
  require_mfa: application.require_mfa,
  tenantry_api: application.tenantry_api,
  session_seconds: String(daysOf(application.session_seconds)),
  refreshes: application.grant_types.includes('refresh_token'),
  devices: application.grant_types.includes(deviceGrant),
})

const changesOf = ({ refreshes, devices, session_seconds: days, ...values }: Values): UpdateApplication => ({
  ...values,
  redirect_uris: linesOf(values.redirect_uris),
  post_logout_redirect_uris: linesOf(values.post_logout_redirect_uris),
  allowed_origins: linesOf(values.allowed_origins),
  resource_ids: values.resource_ids.map(Number),
  session_seconds: Math.round(Number(days) * daySeconds),
  grant_types: [
    'authorization_code',
    ...(refreshes ? (['refresh_token'] as const) : []),
    ...(devices ? ([deviceGrant] as const) : []),
  ],
})

/** The largest logo that the service takes (docs/openapi.json). */
const logoLimits = { bytesMax: 16_384, sideMax: 256 }

const isLifetime = (days: string): boolean => {
  const seconds = Number(days) * daySeconds
  return seconds >= 300 && seconds <= 90 * daySeconds
}

const useEdit = (application: Application, onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const check = useFieldChecks()
  const renew = useRenew()
  const form = useForm<Values>({
    initialValues: valuesOf(application),
    validate: {
      name: check('roleName'),
      redirect_uris: useAddressCheck(application.kind, true),
      post_logout_redirect_uris: useAddressCheck(application.kind),
      session_seconds: (days) => (isLifetime(days) ? null : t('applications.sessionDaysWrong')),
    },
  })
  const sending = useSubmit(form, async (values) => {
    await client.applications.update(application.id, changesOf(values))
    onClose()
    notify(t('applications.saved'))
    await renew()
  })
  return { form, sending }
}

type Form = ReturnType<typeof useEdit>['form']

interface EditProps {
  application: Application
  onClose: () => void
}

export const EditApplicationDialog = ({ application, onClose }: EditProps) => {
  const { t } = useTranslation()
  const { form, sending } = useEdit(application, onClose)
  return (
    <FieldsDialog
      title={t('applications.editTitle')}
      submit={t('common.save')}
      {...{ form, sending, onClose }}
    >
      <NameInput {...form.getInputProps('name')} />
      <Group justify="space-between" gap="sm">
        <LogoInput
          value={form.values.logo}
          {...logoLimits}
          isReadOnly={false}
          onChange={(logo) => form.setFieldValue('logo', logo)}
        />
        {form.values.logo !== '' && <img className="logo" src={form.values.logo} alt="" />}
      </Group>
      <TextInput
        label={t('applications.homeUrl')}
        description={t('applications.homeUrlHint')}
        inputMode="url"
        {...form.getInputProps('home_url')}
      />
      <Addresses application={application} form={form} />
      <SessionFields application={application} form={form} />
    </FieldsDialog>
  )
}

const Addresses = ({ application: { kind }, form }: { application: Application; form: Form }) => {
  const { t } = useTranslation()
  return (
    <>
      <AddressField
        kind={kind}
        label={t('applications.redirectUris')}
        description={t('applications.redirectUrisHint')}
        placeholder="https://shop.example.com/callback"
        required
        input={form.getInputProps('redirect_uris')}
      />
      <AddressField
        kind={kind}
        label={t('applications.postLogout')}
        description={t('applications.postLogoutHint')}
        placeholder="https://shop.example.com/"
        input={form.getInputProps('post_logout_redirect_uris')}
      />
      <TextInput
        label={t('applications.backchannel')}
        description={t('applications.backchannelHint')}
        inputMode="url"
        {...form.getInputProps('backchannel_logout_uri')}
      />
      {kind === 'browser' && (
        <AddressField
          kind={kind}
          label={t('applications.origins')}
          description={t('applications.originsHint')}
          placeholder="https://shop.example.com"
          input={form.getInputProps('allowed_origins')}
        />
      )}
    </>
  )
}

const SessionFields = ({ application, form }: { application: Application; form: Form }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { data: resources } = useAllResources()
  return (
    <>
      <ManyChoice
        label={t('places.resources')}
        description={t('applications.resourcesHint')}
        data={resources?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
        searchable
        {...form.getInputProps('resource_ids')}
      />
      {can('tenant:read') && (
        <TenantChoice
          value={form.values.tenant_ids}
          onChange={(ids) => form.setFieldValue('tenant_ids', ids)}
        />
      )}
      <TextInput
        label={t('applications.sessionDays')}
        description={t('applications.sessionDaysHint')}
        inputMode="decimal"
        w={220}
        {...form.getInputProps('session_seconds')}
      />
      <PermissionChoice required={application.required_permission} form={form} />
      <Switch
        label={t('applications.requireMfa')}
        {...form.getInputProps('require_mfa', { type: 'checkbox' })}
      />
      <Switch
        label={t('applications.refreshes')}
        description={t('applications.refreshesHint')}
        {...form.getInputProps('refreshes', { type: 'checkbox' })}
      />
      {!application.is_third_party && <OwnApplicationFields application={application} form={form} />}
    </>
  )
}

/** Also offers the present permission, which the product can have deleted. */
const PermissionChoice = ({ required, form }: { required: string | null; form: Form }) => {
  const { t } = useTranslation()
  const { data: permissions = [] } = usePermissions()
  const choices = permissions.filter(isOfProduct).map(({ code, name }) => ({
    value: code,
    label: `${name} (${code})`,
  }))
  const isMissing = required !== null && !choices.some(({ value }) => value === required)
  return (
    <Select
      label={t('applications.requiredPermission')}
      description={t('applications.requiredPermissionHint')}
      placeholder={t('applications.requiredPermissionNone')}
      data={[...(isMissing ? [{ value: required, label: required }] : []), ...choices]}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      {...form.getInputProps('required_permission')}
    />
  )
}

const OwnApplicationFields = ({ application, form }: { application: Application; form: Form }) => {
  const { t } = useTranslation()
  return (
    <>
      {application.kind === 'native' && (
        <Switch
          label={t('applications.devices')}
          description={t('applications.devicesHint')}
          {...form.getInputProps('devices', { type: 'checkbox' })}
        />
      )}
      <Switch
        label={t('applications.tenantryApi')}
        description={t('applications.tenantryApiHint')}
        {...form.getInputProps('tenantry_api', { type: 'checkbox' })}
      />
    </>
  )
}

interface TenantChoiceProps {
  /** The allowed tenants. Null means the users of every tenant. */
  value: string[] | null
  onChange: (ids: string[] | null) => void
}

const TenantChoice = ({ value, onChange }: TenantChoiceProps) => {
  const { t } = useTranslation()
  const { data: tenants = [] } = useQuery({
    queryKey: ['tenants', 'all'],
    queryFn: ({ signal }) => client.tenants.list({ signal }),
    enabled: value !== null,
  })
  return (
    <Stack gap="xs">
      <Switch
        label={t('applications.everyTenant')}
        checked={value === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : [])}
      />
      {value !== null && (
        <ManyChoice
          label={t('applications.tenants')}
          data={tenants.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          limit={100}
          value={value}
          onChange={onChange}
        />
      )}
    </Stack>
  )
}
