import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Connection } from '@tenantry/client'
import { FactList } from '../../components/fact-list.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageForm } from '../../components/page-form.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useTranslation } from '../../translation.ts'
import type { ConnectionProps } from './connection-page.tsx'
import { Addresses } from './connection-parts.tsx'
import { GuideButton } from './guide-button.tsx'
import { presets, providerOf, sentFields, type ProviderValues } from './presets.ts'
import { NameField, ProviderInputs } from './provider-fields.tsx'
import { useConnectionForm } from './use-connection-form.ts'

/** Lazy, because it includes the texts of all reasons. */
export const TestConnection = lazyPart(
  async () => (await import('./test-connection.tsx')).TestConnection,
  <Skeleton height={180} />,
)

export const ConnectionOverview = (props: ConnectionProps) => (
  <Stack maw={900}>
    <TestConnection {...props} />
    <ProviderDetails {...props} />
  </Stack>
)

export const ProviderDetails = (props: ConnectionProps) => {
  const { t } = useTranslation()
  const { connection } = props
  return (
    <>
      <SectionCard title={t('connections.addresses')} hint={t('connections.registerHint')}>
        <Stack>
          <Addresses connection={connection} />
          <GuideButton provider={providerOf(connection)} part={connection.type} connection={connection} />
        </Stack>
      </SectionCard>
      <ProviderForm {...props} />
    </>
  )
}

interface Values extends ProviderValues {
  name: string
}

/** Fields of the other protocol keep their presets, which are not sent. */
const valuesOf = ({
  name,
  issuer = '',
  client_id = '',
  metadata = '',
  metadata_url = '',
  ...connection
}: Connection): Values => {
  const fields = presets.other.fields
  const own = Object.fromEntries(
    Object.keys(fields).map((key) => [key, Reflect.get(connection, key) ?? Reflect.get(fields, key)]),
  )
  return { ...fields, ...own, name, issuer, client_id, metadata, metadata_url, client_secret: '' }
}

const ProviderForm = ({ connection, canChange }: ConnectionProps) => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('connections.fromProvider')}>
      <Stack>
        <FixedValues connection={connection} isWhole={!canChange} />
        {canChange && <Fields connection={connection} />}
      </Stack>
    </SectionCard>
  )
}

const FixedValues = ({ connection, isWhole }: { connection: Connection; isWhole: boolean }) => {
  const { t } = useTranslation()
  const { issuer, entity_id: entity, subject_claim: claim, subject, sso_url: address } = connection
  return (
    <FactList
      facts={[
        [t('connections.issuer'), issuer],
        [t('connections.providerEntity'), entity],
        [t('connections.signInAddress'), address],
        [t('connections.clientId'), isWhole ? connection.client_id : undefined],
        [t('connections.subject'), claim ?? subject],
      ]}
    />
  )
}

const Fields = ({ connection }: { connection: Connection }) => {
  const { t } = useTranslation()
  const check = useFieldChecks()
  const { type } = connection
  const form = useForm<Values>({ initialValues: valuesOf(connection), validate: { name: check('roleName') } })
  const changesOf = (values: Values) => ({
    name: values.name,
    ...sentFields(type, values, { isNew: false }),
  })
  const sending = useConnectionForm(connection, form, changesOf, () => {
    // No answer shows the secret, so the form drops it too.
    form.setFieldValue('client_secret', '')
    form.resetDirty({ ...form.getValues(), client_secret: '' })
  })
  return (
    <PageForm isDirty={form.isDirty()} sending={sending}>
      <NameField input={form.getInputProps('name')} />
      <ProviderInputs form={form} provider={providerOf(connection)} type={type} isThere />
      {(form.isDirty() || Boolean(connection.metadata_url)) && (
        <Group>
          <Button type="submit" variant={form.isDirty() ? 'filled' : 'default'} loading={sending.isSending}>
            {t('common.save')}
          </Button>
        </Group>
      )}
    </PageForm>
  )
}
