import { Alert, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Client, Connection, SetupGuest } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { CopyLine } from '../../components/copy-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { PageForm } from '../../components/page-form.tsx'
import { PageClient, useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { ConnectionOverview } from './connection-overview.tsx'
import type { ConnectionProps } from './connection-page.tsx'
import { DomainChoice, freeOf } from './domain-choice.tsx'
import { DomainList } from './domains.tsx'
import { GroupMappings } from './group-mappings.tsx'
import { FirstStep } from './new-connection-page.tsx'
import { SetUpSteps } from './set-up.tsx'
import type { LaterStep } from './sso.search.ts'
import { useConnections, useDomains } from './sso.queries.ts'
import { ConnectionStatus } from './sso.views.tsx'
import { useConnectionForm } from './use-connection-form.ts'
import { useRenew } from '../../components/use-renew.ts'

interface GuestProps {
  guest: SetupGuest
}

/** The parts of a tenant's sign-in that a setup link opens. */
export const GuestArea = ({ guest, api }: GuestProps & { api: Client }) => {
  const { t } = useTranslation()
  return (
    <PageClient value={api}>
      <Stack gap="xl">
        <Text size="sm">
          {t(guest.may_activate ? 'setup.ownEnd' : 'setup.end', { tenant: guest.tenant.name })}
        </Text>
        {areas
          .filter(({ part }) => guest.parts.includes(part))
          .map(({ part, hint, Area }, at) => (
            <Part key={part} title={`${at + 1}. ${t(`setupParts.${part}`)}`} hint={t(hint)}>
              <Area guest={guest} />
            </Part>
          ))}
      </Stack>
    </PageClient>
  )
}

interface PartProps {
  title: string
  hint: string
  children: ReactNode
}

const Part = ({ title, hint, children }: PartProps) => (
  <Stack component="section" gap="sm" aria-label={title}>
    <div>
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    </div>
    {children}
  </Stack>
)

const useGuestConnections = ({ parts }: SetupGuest) => useConnections(parts.includes('connection'))

const GuestDomains = ({ guest }: GuestProps) => {
  const { data: connections = [] } = useGuestConnections(guest)
  const { data, error, refetch } = useDomains()
  if (error && !data) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} />
  return (
    <Card withBorder padding="lg">
      <DomainList domains={data} connections={connections} canChange mayDeleteProved={false} />
    </Card>
  )
}

const GuestConnection = ({ guest }: GuestProps) => {
  const [isReached, setReached] = useState(false)
  const { data, error, refetch } = useGuestConnections(guest)
  if (error && !data) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} />
  const [connection] = data
  return connection ? (
    <GuestDraft key={connection.id} {...{ guest, connection, isReached }} />
  ) : (
    <FirstStep newId={guest.new_connection_id} onCreated={() => setReached(true)} />
  )
}

interface GuestDraftProps extends GuestProps {
  connection: Connection
  /** True if the guest has just created it. */
  isReached: boolean
}

const GuestDraft = ({ guest, connection, isReached }: GuestDraftProps) => {
  const { t } = useTranslation()
  const { data: domains = [] } = useDomains(guest.parts.includes('domains'))
  const [step, go] = useState<LaterStep>(2)
  const { name, status, scim_account_id: directory } = connection
  const isDraft = status === 'draft'
  const props = { connection, domains, canChange: isDraft }
  const hasGroups = step === 2 && guest.roles.length > 0 && directory === null
  return (
    <Stack>
      <Group gap="sm">
        <Text fw={500} className="breakable">
          {name}
        </Text>
        <ConnectionStatus status={status} />
      </Group>
      {isDraft ? (
        <SetUpSteps
          {...props}
          {...{ step, go, isReached }}
          People={hasGroups ? GuestPeopleAndGroups : GuestPeople}
        />
      ) : (
        <>
          <Text size="sm">{t('setup.doneHint')}</Text>
          <ConnectionOverview {...props} />
        </>
      )}
    </Stack>
  )
}

interface GuestPeopleProps extends ConnectionProps {
  onSaved: () => void
}

const GuestPeopleAndGroups = (props: GuestPeopleProps) => (
  <Stack>
    <GroupMappings {...props} />
    <GuestPeople {...props} />
  </Stack>
)

/** A guest decides only about the domains: all else about people is for administrators. */
const GuestPeople = ({ connection, domains, onSaved }: GuestPeopleProps) => {
  const { t } = useTranslation()
  const { data: connections = [] } = useConnections()
  const isFirst = connection.domains.length === 0
  const form = useForm({
    initialValues: { domains: isFirst ? freeOf(domains, connections) : connection.domains },
  })
  const sending = useConnectionForm(connection, form, (values) => values, onSaved)
  return (
    <PageForm isDirty={form.isDirty()} sending={sending}>
      <DomainChoice input={form.getInputProps('domains')} domains={domains} connection={connection} />
      <Group>
        <Button type="submit" loading={sending.isSending}>
          {t('connections.saveNext')}
        </Button>
      </Group>
    </PageForm>
  )
}

/** Creates the key of a directory. Only the state of the page holds it. */
const GuestDirectory = ({ guest }: GuestProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const renew = useRenew()
  const { data: [connection] = [] } = useGuestConnections(guest)
  const isOver = connection !== undefined && connection.status !== 'draft'
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
              variant="default"
              disabled={!connection}
              loading={creating.isPending}
              onClick={() => creating.mutate()}
            >
              {t(creating.data ? 'setup.newKey' : 'setup.createKey')}
            </Button>
            {!connection && (
              <Text size="sm" c="dimmed">
                {t('setup.directoryNeeds')}
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </Card>
  )
}

const areas = [
  { part: 'domains', hint: 'domains.about', Area: GuestDomains },
  { part: 'connection', hint: 'ssoPlan.connectionText', Area: GuestConnection },
  { part: 'directory', hint: 'setup.directoryHint', Area: GuestDirectory },
] as const
