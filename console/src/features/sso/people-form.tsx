import { Alert, Button, Group, Input, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { Connection, UpdateConnection } from '@tenantry/client'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { useApplications } from '../applications/applications.queries.ts'
import { useRoles } from '../roles/roles.queries.ts'
import type { ConnectionProps } from './connection-page.tsx'
import { DomainChoice, freeOf } from './domain-choice.tsx'
import { useConnections } from './sso.queries.ts'
import { useConnectionForm } from './use-connection-form.ts'
import { PageForm } from '../../components/page-form.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'

const hourSeconds = 3600

/** The fields have the names of the API, so that its refusals appear beside them. */
type Values = {
  domains: string[]
  jit: boolean
  default_role_ids: string[]
  trust_mfa: boolean
  /** In hours. */
  session_seconds: string
  /** The application; "" for the console. */
  application_id: string
}

type Form = UseFormReturnType<Values>

const valuesOf = (connection: Connection): Values => ({
  domains: connection.domains,
  jit: connection.jit,
  default_role_ids: connection.default_role_ids.map(String),
  trust_mfa: connection.trust_mfa,
  session_seconds: String(Math.round((connection.session_seconds / hourSeconds) * 100) / 100),
  application_id: connection.application_id === null ? '' : String(connection.application_id),
})

const changesOf = (values: Values): UpdateConnection => ({
  domains: values.domains,
  jit: values.jit,
  trust_mfa: values.trust_mfa,
  default_role_ids: values.default_role_ids.map(Number),
  session_seconds: Math.round(Number(values.session_seconds) * hourSeconds),
  application_id: values.application_id === '' ? null : Number(values.application_id),
})

const isLifetime = (hours: string): boolean => {
  const seconds = Math.round(Number(hours) * hourSeconds)
  return seconds >= 300 && seconds <= 604_800
}

interface RolesInput {
  value: string[]
  onChange: (ids: string[]) => void
  error?: string
}

const DefaultRolesDialog = lazyPart(
  async () =>
    (await loadPage(['sso', 'access'], () => import('./default-roles-dialog.tsx'))()).DefaultRolesDialog,
)

export const PeopleForm = (props: ConnectionProps & { onSaved?: () => void }) => {
  const { t } = useTranslation()
  const { connection, domains, canChange, onSaved } = props
  const { data: connections } = useConnections()
  const values = valuesOf(connection)
  const isFirst = onSaved && connections && values.domains.length === 0
  const form = useForm<Values>({
    initialValues: isFirst ? { ...values, domains: freeOf(domains, connections) } : values,
    validate: {
      session_seconds: (hours) => (isLifetime(hours) ? null : t('connections.hoursWrong')),
    },
  })
  const sending = useConnectionForm(connection, form, changesOf, onSaved)
  return (
    <PageForm isDirty={form.isDirty()} sending={sending}>
      <fieldset disabled={!canChange} className="bare">
        <Stack maw={900}>
          <DomainChoice input={form.getInputProps('domains')} domains={domains} connection={connection}>
            <TextLink to="/connections" size="sm" underline="always" mt="sm" display="inline-block">
              {t('connections.toDomains')}
            </TextLink>
          </DomainChoice>
          <NewPeople form={form} connection={connection} />
          <Sessions form={form} />
          {canChange && (onSaved !== undefined || form.isDirty()) && (
            <Group>
              <Button type="submit" loading={sending.isSending}>
                {t(onSaved ? 'connections.saveNext' : 'common.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </PageForm>
  )
}

const NewPeople = ({ form, connection }: { form: Form; connection: Connection }) => {
  const { t } = useTranslation()
  const hasDirectory = connection.scim_account_id !== null
  return (
    <SectionCard title={t('connections.newPeople')} hint={t('connections.newPeopleHint')}>
      <Stack>
        {hasDirectory && <Alert color="gray">{t('connections.jitByDirectory')}</Alert>}
        <Switch
          label={t('connections.jit')}
          description={t('connections.jitHint')}
          {...form.getInputProps('jit', { type: 'checkbox' })}
          {...(hasDirectory && { checked: false, disabled: true })}
        />
        <DefaultRoles form={form} />
      </Stack>
    </SectionCard>
  )
}

const DefaultRoles = ({ form }: { form: Form }) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const { value, onChange, error } = form.getInputProps('default_role_ids') as RolesInput
  const names = roles.filter(({ id }) => value.includes(String(id))).map(({ name }) => name)
  return (
    <Input.Wrapper
      label={t('connections.defaultRoles')}
      description={t('connections.defaultRolesHint')}
      error={error}
    >
      <Group gap="sm" mt={4}>
        <Text size="sm" className="breakable">
          {names.join(', ') || t('connections.noRoles')}
        </Text>
        <DialogButton size="compact-sm" variant="default" label={t('connections.chooseRoles')}>
          {(onClose) => <DefaultRolesDialog value={value} onChange={onChange} onClose={onClose} />}
        </DialogButton>
      </Group>
    </Input.Wrapper>
  )
}

const Sessions = ({ form }: { form: Form }) => {
  const { t } = useTranslation()
  const canRead = useMe().can('application:read')
  const { data: applications } = useApplications({ size: 200 }, canRead)
  return (
    <SectionCard title={t('connections.sessions')}>
      <Stack>
        <TextInput
          label={t('connections.hours')}
          description={t('connections.hoursHint')}
          inputMode="decimal"
          maw={220}
          {...form.getInputProps('session_seconds')}
        />
        <Switch
          label={t('connections.trustMfa')}
          description={t('connections.trustMfaHint')}
          {...form.getInputProps('trust_mfa', { type: 'checkbox' })}
        />
        {canRead && (
          <NativeSelect
            label={t('connections.home')}
            description={t('connections.homeHint')}
            maw={420}
            data={[
              { value: '', label: t('connections.homeConsole') },
              ...(applications?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []),
            ]}
            {...form.getInputProps('application_id')}
          />
        )}
      </Stack>
    </SectionCard>
  )
}
