import { Alert, Skeleton, Tabs, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { ServiceAccount } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useLacking, useRolesOf } from '../roles/roles.queries.ts'
import { AccountActions } from './account-actions.tsx'
import { AccountOverview } from './account-overview.tsx'
import { canAccountHold, useAccount } from './service-accounts.queries.ts'

const waiting = <Skeleton height={240} />
const Access = lazyPart(async () => (await import('../users/users.views.tsx')).UserAccess, waiting)
const Records = lazyPart(async () => (await import('../audit/audit.views.tsx')).AuditRecords, waiting)

const route = getRouteApi('/shell/service-accounts/$accountId')

export const ServiceAccountPage = () => {
  const { t } = useTranslation()
  const id = Number(route.useParams().accountId)
  const { data: account, error, refetch } = useAccount(id)
  return (
    <>
      <BackLink to="/service-accounts">{t('places.serviceAccounts')}</BackLink>
      {account ? (
        <AccountDetails account={account} />
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}

const AccountDetails = ({ account }: { account: ServiceAccount }) => {
  const { t } = useTranslation()
  const lacking = useLacking()(useRolesOf(account.id).data ?? [])
  const canChange = lacking.length === 0
  return (
    <>
      <PageHeader
        title={account.name}
        description={account.description}
        marks={<StatusBadge status={account.status} />}
        actions={canChange && <AccountActions account={account} />}
      />
      {!canChange && (
        <Alert color="yellow" icon={<IconLock />} title={t('serviceAccounts.outranks')} mb="md">
          {t('serviceAccounts.outranksText', { codes: lacking.join(', ') })}
        </Alert>
      )}
      <AccountTabs account={account} canChange={canChange} />
    </>
  )
}

interface AccountProps {
  account: ServiceAccount
  canChange: boolean
}

const AccountTabs = ({ account, canChange }: AccountProps) => {
  const { t } = useTranslation()
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useMe()
  const hasTab = { access: can('role:read'), activity: can('audit:read') }
  return (
    <Tabs
      // The address may name a tab that the caller may not see.
      value={tab && hasTab[tab] ? tab : 'overview'}
      keepMounted={false}
      onChange={(chosen) =>
        void navigate({ search: chosen === 'access' || chosen === 'activity' ? { tab: chosen } : {} })
      }
    >
      <Tabs.List mb="lg">
        <Tabs.Tab value="overview">{t('users.overview')}</Tabs.Tab>
        {hasTab.access && <Tabs.Tab value="access">{t('users.access')}</Tabs.Tab>}
        {hasTab.activity && <Tabs.Tab value="activity">{t('users.activity')}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <AccountOverview account={account} canChange={canChange} />
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <AccountAccess account={account} canChange={canChange} />
      </Tabs.Panel>
      <Tabs.Panel value="activity">
        <AccountActivity account={account} />
      </Tabs.Panel>
    </Tabs>
  )
}

const AccountAccess = ({ account: { id, name, status }, canChange }: AccountProps) => (
  <Access
    user={{ id, username: name, nickname: '', status }}
    canChange={canChange}
    canHold={canAccountHold}
  />
)

const AccountActivity = ({ account: { id } }: { account: ServiceAccount }) => {
  const { t } = useTranslation()
  return (
    <Records
      label={t('users.activity')}
      name="account-activity"
      filters={{ user_id: id }}
      search={route.useSearch()}
      hides="who"
      toolbar={
        <Text size="sm" c="dimmed">
          {t('serviceAccounts.activityText')}{' '}
          <TextLink to="/audit" search={{ user_id: id }} underline="always">
            {t('users.toAudit')}
          </TextLink>
        </Text>
      }
      empty={{ title: t('serviceAccounts.noActivity') }}
    />
  )
}
