import { Alert, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconBan, IconCircleCheck, IconLock } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { ServiceAccount } from '@tenantry/client'
import { MomentAndAgo } from '../../components/ago.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { confirmed, deletion, type MenuAction, MoreMenu } from '../../components/more-menu.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { loadPage } from '../../i18n.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { PermissionList } from '../authz/permission-list.views.tsx'
import { useLacking, useRolesOf } from '../roles/roles.queries.ts'
import { AccountKeys } from './account-keys.tsx'
import { canAccountHold, useAccount } from './service-accounts.queries.ts'

const EditAccountDialog = lazyPart(
  async () => (await import('./account-dialogs.views.tsx')).EditAccountDialog,
)

const waiting = <Skeleton height={240} />
const Access = lazyPart(async () => (await import('../users/users.views.tsx')).UserAccess, waiting)
const loadRecords = loadPage(['audit'], () => import('../audit/audit.views.tsx'))
const Records = lazyPart(async () => (await loadRecords()).AuditRecords, waiting)

const route = getRouteApi('/shell/service-accounts/$accountId')

export const ServiceAccountPage = () => {
  const id = Number(route.useParams().accountId)
  const account = useAccount(id)
  return (
    <ResourcePage of="/service-accounts" query={account} height={320}>
      {(data) => <AccountDetails account={data} />}
    </ResourcePage>
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
          <PermissionList codes={lacking} say={(codes) => t('serviceAccounts.outranksText', { codes })} />
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
  const titles = {
    overview: t('users.overview'),
    access: can('role:read') && t('users.access'),
    activity: can('audit:read') && t('users.activity'),
  }
  // The URL can name a tab that the caller may not see.
  const shown = tab && titles[tab] ? tab : 'overview'
  return (
    <PageTabs
      tab={shown}
      titles={titles}
      onChange={(chosen) => void navigate({ search: chosen === 'overview' ? {} : { tab: chosen } })}
    >
      {shown === 'overview' && <AccountOverview account={account} canChange={canChange} />}
      {shown === 'access' && <AccountAccess account={account} canChange={canChange} />}
      {shown === 'activity' && <AccountActivity account={account} />}
    </PageTabs>
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

interface ActionProps {
  account: ServiceAccount
}

/** Also asks before enabling, because the keys would work again. */
const useStatusAction = ({ id, name, status }: ServiceAccount): MenuAction => {
  const { t } = useTranslation()
  const { api } = useScope()
  const isEnabled = status === 1
  return confirmed(isEnabled ? IconBan : IconCircleCheck, {
    title: t(isEnabled ? 'serviceAccounts.disableOne' : 'serviceAccounts.enableOne', { name }),
    confirm: t(isEnabled ? 'serviceAccounts.disable' : 'serviceAccounts.enable'),
    send: () => api.serviceAccounts.update(id, { status: isEnabled ? 0 : 1 }),
    done: t(isEnabled ? 'serviceAccounts.disabled' : 'serviceAccounts.enabled'),
    children: t(isEnabled ? 'serviceAccounts.disableText' : 'serviceAccounts.enableText'),
  })
}

const AccountActions = ({ account }: ActionProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { api } = useScope()
  const { id, name } = account
  const status = useStatusAction(account)
  return (
    <>
      <MoreMenu
        actions={[
          can('service_account:update') && status,
          can('service_account:delete') &&
            deletion({
              title: t('serviceAccounts.deleteOne', { name }),
              confirm: t('serviceAccounts.delete'),
              word: name,
              send: () => api.serviceAccounts.delete(id),
              leaveTo: '/service-accounts',
              done: t('serviceAccounts.deleted', { name }),
              children: t('serviceAccounts.deleteText'),
            }),
        ]}
      />
      {can('service_account:update') && (
        <DialogButton variant="default" label={t('serviceAccounts.edit')}>
          {(onClose) => <EditAccountDialog account={account} onClose={onClose} />}
        </DialogButton>
      )}
    </>
  )
}

interface AccountOverviewProps {
  account: ServiceAccount
  canChange: boolean
}

const AccountOverview = ({ account, canChange }: AccountOverviewProps) => {
  const { t } = useTranslation()
  return (
    <Stack gap="lg">
      {account.status === 0 && <Alert color="gray">{t('serviceAccounts.disabledKeys')}</Alert>}
      <AccountFacts account={account} />
      <AccountKeys accountId={account.id} canChange={canChange} />
    </Stack>
  )
}

const AccountFacts = ({ account: { id, created_at, last_used_at } }: { account: ServiceAccount }) => {
  const { t } = useTranslation()
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('users.facts')}
      </Title>
      <Facts cols={{ base: 1, sm: 3 }}>
        <Fact label={t('serviceAccounts.lastUsed')}>
          <MomentAndAgo at={last_used_at} />
        </Fact>
        <Fact label={t('serviceAccounts.createdAt')}>
          <MomentAndAgo at={created_at} />
        </Fact>
        <Fact label={t('fields.id')}>{id}</Fact>
      </Facts>
    </Card>
  )
}
