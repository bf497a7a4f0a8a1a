import { Alert, Button, Divider, Group, List, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Connection, Domain } from '@tenantry/client'
import { Fragment } from 'react'
import { IconInfoCircle } from '@tabler/icons-react'
import { Ago } from '../../components/ago.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { StepItem } from '../../components/step-item.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { builtInTenantId } from '../../session/built-in.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useLackingOf } from '../roles/roles.queries.ts'
import { ConnectionStatus, MissingPermissions } from './sso.views.tsx'
import { Domains } from './domains.tsx'
import { GuideButton } from './guide-button.tsx'
import { OnlyConnection } from './only-connection.tsx'
import { providers } from './presets.ts'
import { isProved, useConnections, useDomains } from './sso.queries.ts'
import { useProviderText } from './sso.texts.ts'

const SetupLinks = lazyPart(
  async () => (await import('./setup-links.tsx')).SetupLinks,
  <Skeleton height={120} />,
)

/** How the users of the tenant sign in: its domains, and their providers. */
export const ConnectionsPage = () => {
  const { t } = useTranslation()
  const domains = useDomains()
  const connections = useConnections()
  const lacking = useLackingOf('sso:manage')
  const failed = [domains, connections].find(({ error, data }) => error && !data)
  const isLoaded = domains.data && connections.data && lacking
  return (
    <>
      <PageHeader title={t('places.connections')} description={t('connections.about')} />
      {failed && <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && !isLoaded && <Skeleton height={480} />}
      {isLoaded && (
        <Stack gap="lg" maw={900}>
          <BuiltInNote />
          <MissingPermissions lacking={lacking} />
          {!connections.data.some(isActive) && <Plan domains={domains.data} connections={connections.data} />}
          <Domains domains={domains.data} connections={connections.data} canChange={lacking.length === 0} />
          <Connections
            connections={connections.data}
            canChange={lacking.length === 0}
            hasDomain={domains.data.some(isProved)}
          />
          <SetupLinks connections={connections.data} canChange={lacking.length === 0} />
          <OnlyConnection connections={connections.data} canChange={lacking.length === 0} />
        </Stack>
      )}
    </>
  )
}

const isActive = ({ status }: Connection): boolean => status === 'active'

interface ConnectionsProps {
  connections: Connection[]
  canChange: boolean
  /** Whether a domain of the tenant is verified. Nobody signs in by a connection without one. */
  hasDomain: boolean
}

const Connections = ({ connections, canChange, hasDomain }: ConnectionsProps) => {
  const { t } = useTranslation()
  const hasDirectory = connections.some(({ scim_account_id: id }) => id !== null)
  return (
    <SectionCard title={t('connections.title')} hint={t('connections.hint')}>
      <Stack>
        {connections.length === 0 && (
          <Text size="sm">{t(hasDomain ? 'connections.none' : 'connections.domainFirst')}</Text>
        )}
        {connections.map((connection, at) => (
          <Fragment key={connection.id}>
            {at > 0 && <Divider />}
            <OneConnection connection={connection} mayAddDirectory={canChange && !hasDirectory} />
          </Fragment>
        ))}
        {canChange && hasDomain && (
          <Group>
            <Button renderRoot={(props: object) => <Link to="/connections/new" {...props} />}>
              {t('places.createConnection')}
            </Button>
          </Group>
        )}
      </Stack>
    </SectionCard>
  )
}

interface OneConnectionProps {
  connection: Connection
  mayAddDirectory: boolean
}

const OneConnection = ({ connection, mayAddDirectory }: OneConnectionProps) => {
  const { t } = useTranslation()
  const providerOf = useProviderText()
  const { id, name, domains, last_used_at: at } = connection
  return (
    <Group justify="space-between" gap="sm" align="flex-start">
      <Stack gap={2} miw={0} flex={1}>
        <Group gap="sm">
          <TextLink
            to="/connections/$connectionId"
            params={{ connectionId: id }}
            fw={500}
            className="breakable"
          >
            {name}
          </TextLink>
          <ConnectionStatus status={connection.status} />
        </Group>
        <Text size="sm" c="dimmed" className="breakable">
          {providerOf(connection)}
        </Text>
        <Text size="sm" c="dimmed" className="breakable">
          {domains.length === 0
            ? t('connections.noDomains')
            : t('connections.ofDomains', { domains: domains.join(', ') })}
        </Text>
        <DirectoryLine connection={connection} mayAdd={mayAddDirectory && isActive(connection)} />
      </Stack>
      {at !== '' && (
        <Group gap={4}>
          <Text size="sm" c="dimmed">
            {t('connections.lastUsed')}
          </Text>
          <Ago at={at} c="dimmed" />
        </Group>
      )}
    </Group>
  )
}

const DirectoryLine = ({ connection, mayAdd }: { connection: Connection; mayAdd: boolean }) => {
  const { t } = useTranslation()
  const hasDirectory = connection.scim_account_id !== null
  if (!hasDirectory && !mayAdd) return null
  return (
    <TextLink
      to="/connections/$connectionId"
      params={{ connectionId: connection.id }}
      search={{ tab: 'directory' }}
      size="sm"
      w="fit-content"
    >
      {t(hasDirectory ? 'ssoPlan.hasDirectory' : 'ssoPlan.addDirectory')}
    </TextLink>
  )
}

/** A warning against a customer's connection in the operator's tenant. */
const BuiltInNote = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  if (useScope().tenantId !== builtInTenantId) return null
  return (
    <Alert color="indigo" icon={<IconInfoCircle />}>
      {t('ssoPlan.builtIn')}{' '}
      {can('tenant:read') && (
        <TextLink to="/tenants" size="sm" underline="always">
          {t('ssoPlan.toTenants')}
        </TextLink>
      )}
    </Alert>
  )
}

interface PlanProps {
  domains: Domain[]
  connections: Connection[]
}

/** The steps to a first active connection, with the guides of the providers. */
const Plan = ({ domains, connections }: PlanProps) => {
  const { t } = useTranslation()
  const steps = [
    { name: 'domain', isDone: domains.some(isProved) },
    { name: 'connection', isDone: false },
    { name: 'directory', isDone: connections.some(({ scim_account_id: id }) => id !== null) },
    { name: 'only', isDone: false },
  ] as const
  return (
    <SectionCard title={t('ssoPlan.title')} hint={t('ssoPlan.hint')}>
      <List type="ordered" listStyleType="none" className="steps" aria-label={t('ssoPlan.title')}>
        {steps.map(({ name, isDone }) => (
          <StepItem
            key={name}
            isDone={isDone}
            sign={t(isDone ? 'ssoPlan.done' : 'ssoPlan.open')}
            title={
              <Text size="sm" fw={500}>
                {t(`ssoPlan.${name}`)}
              </Text>
            }
          >
            {t(`ssoPlan.${name}Text`)}
          </StepItem>
        ))}
      </List>
      <Group gap="xs" mt="md" role="group" aria-label={t('ssoPlan.guides')}>
        <Text size="sm" aria-hidden>
          {t('ssoPlan.guides')}
        </Text>
        {providers.map((one) => (
          <GuideButton key={one} provider={one} label={t(`ssoProviders.${one}`)} />
        ))}
      </Group>
    </SectionCard>
  )
}
