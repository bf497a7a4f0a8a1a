import { Skeleton, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Connection, Domain } from '@tenantry/client'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { loadPage } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { ConnectionActions } from './connection-actions.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import { MissingPermissions } from './missing-permissions.tsx'
import { useConnection, useDomains, useLackingForSignIn } from './sso.queries.ts'
import { connectionTabs } from './sso.search.ts'
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
  const { t } = useTranslation()
  const connection = useConnection(route.useParams().connectionId)
  const domains = useDomains()
  const lacking = useLackingForSignIn()
  const failed = [connection, domains].find(({ error, data }) => error && !data)
  return (
    <>
      <BackLink to="/connections">{t('places.connections')}</BackLink>
      {failed && <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} />}
      {connection.data && domains.data && lacking ? (
        <>
          <Head connection={connection.data} domains={domains.data} canChange={lacking.length === 0} />
          <MissingPermissions lacking={lacking} />
          <Parts connection={connection.data} domains={domains.data} canChange={lacking.length === 0} />
        </>
      ) : (
        !failed && <Skeleton height={480} />
      )}
    </>
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

const Parts = (props: ConnectionProps) => {
  const { t } = useTranslation()
  const { tab = 'first' } = route.useSearch()
  const navigate = route.useNavigate()
  const isDraft = props.connection.status === 'draft'
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(chosen) => void navigate({ search: { tab: connectionTabs.find((one) => one === chosen) } })}
    >
      <Tabs.List mb="lg">
        <Tabs.Tab value="first">{t(isDraft ? 'connections.setUp' : 'connections.provider')}</Tabs.Tab>
        {connectionTabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`connections.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="first">{isDraft ? <SetUp {...props} /> : <Overview {...props} />}</Tabs.Panel>
      <Tabs.Panel value="people">
        <PeopleForm {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="groups">
        <GroupMappings {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="directory">
        <Directory {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="attempts">
        <Attempts connection={props.connection} />
      </Tabs.Panel>
    </Tabs>
  )
}
