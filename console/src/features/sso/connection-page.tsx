import { Skeleton } from '@mantine/core'
import { IconBan } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Connection, Domain } from '@tenantry/client'
import { confirmed, deletion, MoreMenu } from '../../components/more-menu.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { loadPage } from '../../i18n.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useLackingOf } from '../roles/roles.queries.ts'
import { ConnectionStatus, MissingPermissions } from './sso.views.tsx'
import { useConnection, useDomains } from './sso.queries.ts'
import { useProviderText } from './sso.texts.ts'

const waiting = <Skeleton height={320} />
const SetUp = lazyPart(async () => (await import('./set-up.tsx')).SetUp, waiting)
const Overview = lazyPart(async () => (await import('./connection-overview.tsx')).ConnectionOverview, waiting)
const PeopleForm = lazyPart(async () => (await import('./people-form.tsx')).PeopleForm, waiting)
const GroupMappings = lazyPart(async () => (await import('./group-mappings.tsx')).GroupMappings, waiting)
const Directory = lazyPart(async () => (await import('./directory.tsx')).Directory, waiting)
const Attempts = lazyPart(
  async () => (await loadPage(['sso', 'ssoAttempts'], () => import('./attempts.tsx'))()).Attempts,
  waiting,
)

const route = getRouteApi('/shell/connections/$connectionId')

export interface ConnectionProps {
  connection: Connection
  domains: Domain[]
  canChange: boolean
}

export const ConnectionPage = () => {
  const connection = useConnection(route.useParams().connectionId)
  const domains = useDomains()
  const lacking = useLackingOf('sso:manage')
  const failed = [connection, domains].find(({ error, data }) => error && !data)
  const data = connection.data &&
    domains.data &&
    lacking && { connection: connection.data, domains: domains.data, canChange: lacking.length === 0 }
  const query = { data, error: failed?.error, refetch: () => failed?.refetch() }
  return (
    <ResourcePage of="/connections" query={query} height={480}>
      {(props) => (
        <>
          <Head {...props} />
          <MissingPermissions lacking={lacking ?? []} />
          <Parts {...props} />
        </>
      )}
    </ResourcePage>
  )
}

const Head = ({ connection, canChange }: ConnectionProps) => {
  const providerOf = useProviderText()
  return (
    <PageHeader
      title={connection.name}
      description={providerOf(connection)}
      marks={<ConnectionStatus status={connection.status} />}
      actions={canChange && <ConnectionActions connection={connection} />}
    />
  )
}

const panels = { people: PeopleForm, groups: GroupMappings, directory: Directory, attempts: Attempts }

/** The open tab. The steps of a draft contain the people. */
const useTab = (isSetUp: boolean) => {
  const { tab = 'first' } = route.useSearch()
  return isSetUp && tab === 'people' ? 'first' : tab
}

const Parts = (props: ConnectionProps) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const isSetUp = props.connection.status === 'draft' && props.canChange
  const tab = useTab(isSetUp)
  const Panel = tab === 'first' ? (isSetUp ? SetUp : Overview) : panels[tab]
  const titles = {
    first: t(isSetUp ? 'connections.setUp' : 'connections.provider'),
    people: !isSetUp && t('connections.people'),
    groups: t('connections.groups'),
    directory: t('connections.directory'),
    attempts: t('connections.attempts'),
  }
  return (
    <PageTabs
      tab={tab}
      titles={titles}
      onChange={(next) => void navigate({ search: next === 'first' ? {} : { tab: next } })}
    >
      <Panel {...props} />
    </PageTabs>
  )
}

interface ActionProps {
  connection: Connection
}

/** Disables and deletes a connection. The card of the test activates it. */
const ConnectionActions = ({ connection }: ActionProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const { id, name, status, scim_account_id: accountId } = connection
  return (
    <MoreMenu
      actions={[
        status === 'active' &&
          confirmed(IconBan, {
            title: t('connections.disableOne', { name }),
            confirm: t('connections.disable'),
            send: () => api.sso.updateConnection(id, { status: 'disabled' }),
            done: t('connections.isDisabled'),
            children: t('connections.disableText'),
          }),
        deletion({
          title: t('connections.deleteOne', { name }),
          confirm: t('connections.delete'),
          word: name,
          send: () => api.sso.deleteConnection(id),
          leaveTo: '/connections',
          done: t('connections.deleted', { name }),
          children: t(accountId === null ? 'connections.deleteText' : 'connections.deleteDirectoryText'),
        }),
      ]}
    />
  )
}
