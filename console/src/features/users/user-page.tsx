import { Alert, Badge, Skeleton, Tabs } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { User, UserDetails } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { UserPicture } from '../../components/user-picture.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useLacking, useRolesOf } from '../roles/roles.queries.ts'
import { ExportUser } from './export-user.tsx'
import { UserActions } from './user-actions.tsx'
import { useUser } from './users.queries.ts'

const waiting = <Skeleton height={240} />
const UserOverview = lazyPart(async () => (await import('./user-overview.tsx')).UserOverview, waiting)
const UserAccess = lazyPart(async () => (await import('./user-access.tsx')).UserAccess, waiting)
const Why = lazyPart(async () => (await import('./why.tsx')).Why, waiting)
const UserActivity = lazyPart(async () => (await import('./user-activity.tsx')).UserActivity, waiting)

const route = getRouteApi('/shell/users/$userId')

export const UserPage = () => {
  const { t } = useTranslation()
  const id = Number(route.useParams().userId)
  const { data: user, error, refetch } = useUser(id)
  return (
    <>
      <BackLink to="/users">{t('places.users')}</BackLink>
      {user ? (
        <FoundUser user={user} />
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}

const FoundUser = ({ user }: { user: UserDetails }) => {
  const { t } = useTranslation()
  const lacking = useLacking()(useRolesOf(user.id).data ?? [])
  return (
    <>
      <PageHeader
        title={nameOf(user)}
        description={user.email}
        lead={<UserPicture user={user} size={48} />}
        marks={<UserMarks user={user} />}
        actions={
          <>
            <ExportUser user={user} />
            {lacking.length === 0 && <UserActions user={user} />}
          </>
        }
      />
      {lacking.length > 0 && (
        <Alert color="yellow" icon={<IconLock />} title={t('users.outranks')} mb="md">
          {t('users.outranksText', { codes: lacking.join(', ') })}
        </Alert>
      )}
      <UserTabs user={user} canChange={lacking.length === 0} />
    </>
  )
}

const UserMarks = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <>
      <StatusBadge status={user.status} />
      {user.id === me.user.id && (
        <Badge variant="default" tt="none" fw={500}>
          {t('users.you')}
        </Badge>
      )}
    </>
  )
}

const UserTabs = ({ user, canChange }: { user: UserDetails; canChange: boolean }) => {
  const { t } = useTranslation()
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const { can, user: own } = useMe()
  const hasTab = {
    access: can('role:read') || user.id === own.id,
    activity: can('audit:read'),
  }
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
        <UserOverview user={user} canChange={canChange} />
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <UserAccess user={user} canChange={canChange}>
          {can('role:read') && <Why user={user} />}
        </UserAccess>
      </Tabs.Panel>
      <Tabs.Panel value="activity">
        <UserActivity user={user} />
      </Tabs.Panel>
    </Tabs>
  )
}
