import { Button, DataList, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Connection } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useTranslation } from '../../translation.ts'
import type { ConnectionProps } from './connection-page.tsx'
import { NameField } from './name-field.tsx'
import { presets } from './presets.ts'
import { ProviderInputs } from './provider-fields.tsx'
import type { ProviderValues } from './provider-values.ts'
import { providerOf } from './provider-of.ts'
import { sentFields } from './sent-fields.ts'
import { useConnectionForm } from './use-connection-form.ts'

interface Values extends ProviderValues {
  name: string
}

/** Fields of the other protocol keep their presets; they are not sent. */
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

export const ProviderForm = ({ connection, canChange }: ConnectionProps) => {
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
  const facts = [
    [t('connections.issuer'), issuer],
    [t('connections.providerEntity'), entity],
    [t('connections.signInAddress'), address],
    [t('connections.clientId'), isWhole ? connection.client_id : undefined],
    [t('connections.subject'), claim ?? subject],
  ].filter(([, value]) => value !== undefined)
  return (
    <DataList>
      {facts.map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
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
  const { onSubmit, isSending, error } = useConnectionForm(connection, form, changesOf, () => {
    // No answer shows the secret, nor does the form.
    form.setFieldValue('client_secret', '')
    form.resetDirty({ ...form.getValues(), client_secret: '' })
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <LeaveQuestion isUnsaved={form.isDirty()} title={t('common.leaveTitle')} confirm={t('common.leave')}>
        {t('common.leaveText')}
      </LeaveQuestion>
      <Stack>
        {error !== undefined && <ErrorPanel error={error} />}
        <NameField input={form.getInputProps('name')} />
        <ProviderInputs form={form} provider={providerOf(connection)} type={type} isThere />
        <Group>
          <Button type="submit" loading={isSending} disabled={!form.isDirty() && !connection.metadata_url}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
