import { Alert, Button, Divider, Group, List, Skeleton, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Connection, Domain, PermissionCode, SetupLink } from '@tenantry/client'
import { Fragment, type ReactNode } from 'react'
import { IconInfoCircle } from '@tabler/icons-react'
import { Ago } from '../../components/ago.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
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
import { useIsConnectionOnly } from '../settings/settings.queries.ts'
import { OnlyConnection } from './only-connection.tsx'
import { providers } from './presets.ts'
import { SetupLinks } from './setup-links.tsx'
import { isProved, useConnections, useDomains, useSetupLinks } from './sso.queries.ts'
import { useProviderText } from './sso.texts.ts'

const SendLinkDialog = lazyPart(async () => (await import('./send-link-dialog.tsx')).SendLinkDialog)

/** How the users of the tenant sign in: its domains, and their providers. */
export const ConnectionsPage = () => {
  const { t } = useTranslation()
  const domains = useDomains()
  const connections = useConnections()
  const links = useSetupLinks()
  const lacking = useLackingOf('sso:manage')
  const failed = [domains, connections, links].find(({ error, data }) => error && !data)
  if (domains.data && connections.data && links.data && lacking) {
    return (
      <Overview domains={domains.data} connections={connections.data} links={links.data} lacking={lacking} />
    )
  }
  return (
    <>
      <PageHeader title={t('places.connections')} description={t('connections.about')} />
      {failed ? (
        <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton height={480} />
      )}
    </>
  )
}

interface OverviewProps extends PlanProps {
  links: SetupLink[]
  lacking: PermissionCode[]
}

const Overview = ({ domains, connections, links, lacking }: OverviewProps) => {
  const { t } = useTranslation()
  const canChange = lacking.length === 0
  return (
    <>
      <PageHeader
        title={t('places.connections')}
        description={t('connections.about')}
        actions={canChange && <Actions connections={connections} domains={domains} />}
      />
      <Stack gap="lg">
        <BuiltInNote />
        <MissingPermissions lacking={lacking} />
        {!connections.some(isActive) && <Plan domains={domains} connections={connections} />}
        <section id="domains">
          <Domains domains={domains} connections={connections} canChange={canChange} />
        </section>
        <Connections connections={connections} canChange={canChange} />
        <SetupLinks links={links} canChange={canChange} />
        <Requirement connections={connections} canChange={canChange} />
      </Stack>
    </>
  )
}

const isActive = ({ status }: Connection): boolean => status === 'active'

/** Nobody signs in by a connection without a verified domain, so the domain comes first. */
const Actions = ({ connections, domains }: PlanProps) => {
  const { t } = useTranslation()
  return (
    <>
      <DialogButton variant="default" label={t('setup.send')}>
        {(onClose) => <SendLinkDialog connections={connections} onClose={onClose} />}
      </DialogButton>
      {domains.some(isProved) && (
        <Button renderRoot={(props: object) => <Link to="/connections/new" {...props} />}>
          {t('places.createConnection')}
        </Button>
      )}
    </>
  )
}

interface ConnectionsProps {
  connections: Connection[]
  canChange: boolean
}

/** Before there is a connection, there is nothing to require. */
const Requirement = (props: ConnectionsProps) => {
  const isRequired = useIsConnectionOnly()
  return (props.connections.length > 0 || isRequired) && <OnlyConnection {...props} />
}

const Connections = ({ connections, canChange }: ConnectionsProps) => {
  const { t } = useTranslation()
  const hasDirectory = connections.some(({ scim_account_id: id }) => id !== null)
  if (connections.length === 0) return null
  return (
    <SectionCard title={t('connections.title')} hint={t('connections.hint')}>
      <Stack>
        {connections.map((connection, at) => (
          <Fragment key={connection.id}>
            {at > 0 && <Divider />}
            <OneConnection connection={connection} mayAddDirectory={canChange && !hasDirectory} />
          </Fragment>
        ))}
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

interface Step {
  name: 'domain' | 'connection' | 'directory' | 'only'
  isDone: boolean
  /** The link to the step's place, as soon as it can be taken. */
  title?: ReactNode
}

const ToDomains = () => {
  const { t } = useTranslation()
  return (
    <TextLink to="/connections" hash="domains" size="sm" fw={500}>
      {t('ssoPlan.domain')}
    </TextLink>
  )
}

/** Leads to the draft, or to the page that creates one. */
const ToConnection = ({ draft }: { draft: Connection | undefined }) => {
  const { t } = useTranslation()
  return draft ? (
    <TextLink to="/connections/$connectionId" params={{ connectionId: draft.id }} size="sm" fw={500}>
      {t('ssoPlan.connection')}
    </TextLink>
  ) : (
    <TextLink to="/connections/new" size="sm" fw={500}>
      {t('ssoPlan.connection')}
    </TextLink>
  )
}

/** The steps to a first active connection, with the guides of the providers. */
const Plan = ({ domains, connections }: PlanProps) => {
  const { t } = useTranslation()
  const hasDomain = domains.some(isProved)
  const [draft] = connections
  const steps = [
    { name: 'domain', isDone: hasDomain, title: <ToDomains /> },
    { name: 'connection', isDone: false, title: (hasDomain || draft) && <ToConnection draft={draft} /> },
    { name: 'directory', isDone: connections.some(({ scim_account_id: id }) => id !== null) },
    { name: 'only', isDone: false },
  ] satisfies Step[]
  return (
    <SectionCard title={t('ssoPlan.title')} hint={t('ssoPlan.hint')}>
      <List type="ordered" listStyleType="none" className="steps" aria-label={t('ssoPlan.title')}>
        {steps.map(({ name, isDone, title }: Step) => (
          <StepItem
            key={name}
            isDone={isDone}
            sign={t(isDone ? 'ssoPlan.done' : 'ssoPlan.open')}
            title={
              title || (
                <Text size="sm" fw={500}>
                  {t(`ssoPlan.${name}`)}
                </Text>
              )
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
