import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Connection, Domain, SetupGuest } from '@tenantry/client'
import { CopyLine } from '../../components/copy-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { PageForm } from '../../components/page-form.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useRenew } from '../../components/use-renew.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { ProviderDetails, TestConnection } from './connection-overview.tsx'
import { DomainChoice, freeOf } from './domain-choice.tsx'
import { DomainList } from './domains.tsx'
import { MappingRows, mappingsOf, rowOf, useMappingRules } from './group-mappings.tsx'
import { FirstStep } from './new-connection-page.tsx'
import { useConnectionForm } from './use-connection-form.ts'

export interface GuestProps {
  guest: SetupGuest
  domains: Domain[]
  /** Undefined until the guest has created it. */
  connection: Connection | undefined
}

interface StepProps extends GuestProps {
  onSaved: () => void
}

const Domains = ({ domains, connection }: StepProps) => (
  <Card withBorder padding="lg">
    <DomainList
      domains={domains}
      connections={connection ? [connection] : []}
      canChange
      mayDeleteProved={false}
    />
  </Card>
)

const Provider = ({ guest, domains, connection, onSaved }: StepProps) =>
  connection ? (
    <ProviderDetails connection={connection} domains={domains} canChange={connection.status === 'draft'} />
  ) : (
    <FirstStep newId={guest.new_connection_id} onCreated={onSaved} />
  )

/** A domain that is added later is chosen too. */
const People = (props: StepProps) => {
  const { connection, domains } = props
  return (
    connection && (
      <PeopleForm
        {...props}
        connection={connection}
        key={domains.map(({ id, status }) => `${id} ${status}`).join()}
      />
    )
  )
}

/** A guest decides only about the domains and the groups: all else about people is for administrators. */
const PeopleForm = ({ guest, domains, connection, onSaved }: StepProps & { connection: Connection }) => {
  const { t } = useTranslation()
  const hasGroups = guest.roles.length > 0 && connection.scim_account_id === null
  const form = useForm({
    initialValues: {
      domains: connection.domains.length === 0 ? freeOf(domains, [connection]) : connection.domains,
      group_mappings: connection.group_mappings.map(rowOf),
    },
    validate: { group_mappings: useMappingRules() },
  })
  const sending = useConnectionForm(
    connection,
    form,
    ({ domains: chosen, group_mappings: rows }) => ({
      ...(guest.parts.includes('domains') && { domains: chosen }),
      ...(hasGroups && { group_mappings: mappingsOf(rows) }),
    }),
    onSaved,
  )
  return (
    <PageForm isDirty={form.isDirty()} sending={sending}>
      {guest.parts.includes('domains') && (
        <DomainChoice input={form.getInputProps('domains')} domains={domains} connection={connection} />
      )}
      {hasGroups && (
        <SectionCard
          title={t('connections.groups')}
          hint={t('connections.groupsOfClaim', {
            claim: connection.groups_claim ?? connection.groups_attribute,
          })}
        >
          <MappingRows form={form} isLocked={false} hasDirectory={false} />
        </SectionCard>
      )}
      <Group>
        <Button type="submit" loading={sending.isSending}>
          {t('connections.saveNext')}
        </Button>
      </Group>
    </PageForm>
  )
}

const Test = ({ domains, connection }: StepProps) =>
  connection && <TestConnection connection={connection} domains={domains} canChange />

/** Creates the key of a directory. Only the state of the page holds it. */
const Directory = ({ connection }: StepProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const renew = useRenew()
  const isOver = connection !== undefined && connection.status !== 'draft'
  const hasKey = connection !== undefined && connection.scim_account_id !== null
  const creating = useMutation({
    mutationFn: () => api.sso.createSetupDirectory(),
    onSuccess: () => renew(),
  })
  return (
    <Card withBorder padding="lg">
      <Stack>
        {creating.error && <ErrorPanel error={creating.error} />}
        {creating.data && (
          <>
            <Alert color="yellow" icon={<IconAlertTriangle />} title={t('setup.keyOnce')}>
              {t('setup.keyOnceText')}
            </Alert>
            <CopyLine
              label={t('connections.baseUrl')}
              text={creating.data.base_url}
              copy={t('connections.copyBaseUrl')}
            />
            <CopyLine label={t('setup.key')} text={creating.data.key} copy={t('setup.copyKey')} />
          </>
        )}
        {isOver ? (
          <Text size="sm">{t('setup.doneHint')}</Text>
        ) : (
          <Group>
            <Button
              variant={hasKey ? 'default' : 'filled'}
              loading={creating.isPending}
              onClick={() => creating.mutate()}
            >
              {t(hasKey ? 'setup.newKey' : 'setup.createKey')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

export const bodies = {
  domains: Domains,
  connection: Provider,
  people: People,
  test: Test,
  directory: Directory,
}

export type StepName = keyof typeof bodies
