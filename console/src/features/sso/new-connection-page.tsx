import { Button, Group, Radio, SimpleGrid, Stack } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useLocalStorage } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { ApiError, type Connection } from '@tenantry/client'
import { useState } from 'react'
import { BackLink } from '../../components/back-link.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { PageForm } from '../../components/page-form.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { Addresses, Steps, type Addressed } from './connection-parts.tsx'
import { useLackingOf } from '../roles/roles.queries.ts'
import { WithPermissions } from './sso.views.tsx'
import { GuideButton } from './guide-button.tsx'
import {
  presets,
  type Protocol,
  protocols,
  type Provider,
  providers,
  sentFields,
  type ProviderValues,
} from './presets.ts'
import { NameField, ProviderInputs } from './provider-fields.tsx'
import { useFieldRefusals } from './sso.texts.ts'
import { useRenew } from '../../components/use-renew.ts'

interface Values extends ProviderValues {
  provider: Provider
  type: Protocol
  name: string
}

const begin = (name: string): Values => ({
  provider: 'entra',
  type: 'oidc',
  name,
  issuer: '',
  client_id: '',
  client_secret: '',
  metadata: '',
  metadata_url: '',
  ...presets.entra.fields,
})

/**
 * The id of the next connection, which its addresses contain. The browser keeps it until the connection exists, because
 * registering the addresses at the provider can take days. A setup link names one for all browsers.
 */
const useNextId = (named?: string) => {
  const { tenantId } = useScope()
  const [first] = useState(() => named ?? crypto.randomUUID())
  const [id, setId, forget] = useLocalStorage({
    key: `tenantry.connection ${named ?? tenantId}`,
    defaultValue: first,
    getInitialValueInEffect: false,
  })
  return { id, forget, replace: () => setId(crypto.randomUUID()) }
}

const useCreate = ({ onCreated, newId }: FirstStepProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const check = useFieldChecks()
  const renew = useRenew()
  const next = useNextId(newId)
  const [isDone, setDone] = useState(false)
  const form = useForm<Values>({
    initialValues: begin(t('ssoProviders.entra')),
    validate: { name: check('roleName') },
  })
  const showRefusals = useFieldRefusals(form)
  const sending = useSubmit(form, async ({ type, name, ...values }) => {
    const created = await api.sso
      .createConnection({ id: next.id, type, name, ...sentFields(type, values, { isNew: true }) })
      .catch((err: unknown) => {
        if (err instanceof ApiError && err.reason === 'connectionIdTaken') next.replace()
        showRefusals(err)
      })
    if (!created) return
    next.forget()
    setDone(true)
    await renew()
    await onCreated(created)
  })
  const choose = (provider: Provider): void => {
    // The name that the form suggests. The sign-in page shows it on a button, so "Another one" is not suggested.
    const nameOf = (one: Provider): string => (one === 'other' ? '' : t(`ssoProviders.${one}`))
    const isNamed = providers.every((one) => form.values.name !== nameOf(one))
    const google = provider === 'google' && form.values.issuer === ''
    form.setValues({
      provider,
      ...presets[provider].fields,
      ...(isNamed ? {} : { name: nameOf(provider) }),
      ...(google ? { issuer: presets.google.issuerExample } : {}),
    })
  }
  return { form, choose, isDone, sending, id: next.id }
}

/** The addresses of a connection that does not exist yet. The console is served at the public address. */
const addressesOf = (type: Protocol, id: string): Addressed => ({
  type,
  callback_url: `${location.origin}/sso/${type}/${id}/${type === 'saml' ? 'acs' : 'callback'}`,
})

/** The first of three steps. It shows the provider's addresses, and creates a draft. */
export const NewConnectionPage = () => {
  const { t } = useTranslation()
  const lacking = useLackingOf('sso:manage')
  const navigate = useNavigate()
  const openDraft = ({ id }: Connection) =>
    navigate({ to: '/connections/$connectionId', params: { connectionId: id }, ignoreBlocker: true })
  return (
    <>
      <BackLink to="/connections">{t('places.connections')}</BackLink>
      <PageHeader title={t('places.newConnection')} />
      <WithPermissions lacking={lacking}>
        <Steps current={1} />
        <FirstStep onCreated={openDraft} />
      </WithPermissions>
    </>
  )
}

interface FirstStepProps {
  onCreated: (created: Connection) => Promise<void> | void
  /** The id that a setup link names. */
  newId?: string
}

export const FirstStep = (props: FirstStepProps) => {
  const { t } = useTranslation()
  const { form, choose, isDone, sending, id } = useCreate(props)
  const { provider, type } = form.values
  const connection = addressesOf(type, id)
  return (
    <PageForm isDirty={form.isDirty() && !isDone} sending={sending}>
      <Kind form={form} choose={choose} />
      <SectionCard
        title={t('connections.addresses')}
        hint={t(type === 'oidc' ? 'connections.registerOidc' : 'connections.registerSaml')}
      >
        <Stack>
          <Addresses connection={connection} />
          <GuideButton provider={provider} part={type} connection={connection} />
        </Stack>
      </SectionCard>
      <SectionCard title={t('connections.fromProvider')} hint={t('connections.fromProviderHint')}>
        <Stack>
          <ProviderInputs form={form} provider={provider} type={type} />
        </Stack>
      </SectionCard>
      <Group>
        <Button type="submit" loading={sending.isSending}>
          {t('connections.createDraft')}
        </Button>
      </Group>
    </PageForm>
  )
}

interface KindProps {
  form: UseFormReturnType<Values>
  choose: (provider: Provider) => void
}

/** The provider decides only hints and initial values. The protocol decides the fields. */
const Kind = ({ form, choose }: KindProps) => {
  const { t } = useTranslation()
  const { provider, type } = form.values
  return (
    <SectionCard title={t('connections.step1')}>
      <Stack>
        <Radio.Group
          aria-label={t('connections.provider')}
          value={provider}
          onChange={(value) => choose(providers.find((one) => one === value) ?? 'other')}
        >
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs">
            {providers.map((one) => (
              <Radio key={one} value={one} label={t(`ssoProviders.${one}`)} />
            ))}
          </SimpleGrid>
        </Radio.Group>
        <Radio.Group
          label={t('connections.protocol')}
          value={type}
          onChange={(value) => form.setFieldValue('type', value === 'saml' ? 'saml' : 'oidc')}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs">
            {protocols.map((one) => (
              <Radio
                key={one}
                value={one}
                label={t(`connections.${one}`)}
                description={t(`connections.${one}Hint`)}
              />
            ))}
          </SimpleGrid>
        </Radio.Group>
        <NameField input={form.getInputProps('name')} />
      </Stack>
    </SectionCard>
  )
}
