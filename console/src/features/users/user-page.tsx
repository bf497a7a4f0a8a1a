import { Alert, Badge, Button, Group, Skeleton } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { User, UserDetails } from '@tenantry/client'
import { BackLink } from '../../components/back-link.tsx'
import { ConfirmButton, useChange } from '../../components/confirm-change.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { saveFile } from '../../components/save-file.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { UserPicture } from '../../components/user-picture.tsx'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useFileName } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useLacking, useRolesOf } from '../roles/roles.queries.ts'
import { useRenewUsers, useUser } from './users.queries.ts'

const waiting = <Skeleton height={240} />
const UserOverview = lazyPart(async () => (await import('./user-overview.tsx')).UserOverview, waiting)
const UserAccess = lazyPart(async () => (await import('./user-access.tsx')).UserAccess, waiting)
const Why = lazyPart(async () => (await import('./why.tsx')).Why, waiting)
const UserActivity = lazyPart(async () => (await import('./user-activity.tsx')).UserActivity, waiting)

const route = getRouteApi('/shell/users/$userId')

export const UserPage = () => {
  const { t } = useTranslation()
  const id = Number(route.useParams().userId)
  const user = useUser(id)
  return (
    <>
      <BackLink to="/users">{t('places.users')}</BackLink>
      <Loaded query={user} height={320}>
        {(data) => <FoundUser user={data} />}
      </Loaded>
    </>
  )
}

const FoundUser = ({ user }: { user: UserDetails }) => {
  const { t } = useTranslation()
  const { can } = useMe()
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
            {can('audit:read') && <ExportButton user={user} />}
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

interface TabProps {
  user: UserDetails
  canChange: boolean
}

const AccessTab = ({ user, canChange }: TabProps) => (
  <UserAccess user={user} canChange={canChange}>
    {useMe().can('role:read') && <Why user={user} />}
  </UserAccess>
)

const useTitles = ({ id }: User) => {
  const { t } = useTranslation()
  const { can, user: own } = useMe()
  return {
    overview: t('users.overview'),
    access: (can('role:read') || id === own.id) && t('users.access'),
    activity: can('audit:read') && t('users.activity'),
  }
}

const UserTabs = ({ user, canChange }: TabProps) => {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const titles = useTitles(user)
  // The URL can name a tab that the caller may not see.
  const shown = tab && titles[tab] ? tab : 'overview'
  return (
    <PageTabs
      tab={shown}
      titles={titles}
      onChange={(chosen) => void navigate({ search: chosen === 'overview' ? {} : { tab: chosen } })}
    >
      {shown === 'overview' && <UserOverview user={user} canChange={canChange} />}
      {shown === 'access' && <AccessTab user={user} canChange={canChange} />}
      {shown === 'activity' && <UserActivity user={user} />}
    </PageTabs>
  )
}

const ExportButton = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const fileName = useFileName()
  const exporting = useMutation({
    mutationFn: async () => {
      const file = await api.users.export(user.id)
      saveFile([await file.blob()], `${fileName(`user-${user.id}`)}.json`, 'application/json')
    },
    onSuccess: () => notify(t('users.exportedOne', { name: nameOf(user) })),
  })
  return (
    <>
      <Button variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
        {t('users.exportOne')}
      </Button>
      {exporting.error && (
        <Dialog opened onClose={exporting.reset} title={t('users.exportOne')}>
          <ErrorPanel error={exporting.error} />
        </Dialog>
      )}
    </>
  )
}

/** Enables, disables and deletes a user. Callers cannot disable or delete themselves. */
const UserActions = ({ user }: { user: User }) => {
  const me = useMe()
  if (user.id === me.user.id) return null
  return (
    <Group gap="xs">
      {me.can('user:update') && <SetStatus user={user} status={user.status === 1 ? 0 : 1} />}
      {me.can('user:delete') && <DeleteUser user={user} />}
    </Group>
  )
}

/** Enabling and disabling both change authority, so both ask. */
const SetStatus = ({ user, status }: { user: User; status: 0 | 1 }) => {
  const { t } = useTranslation()
  return (
    <DialogButton variant="default" label={t(status === 1 ? 'users.enable' : 'users.disable')}>
      {(onClose) => <ConfirmStatus {...{ user, status, onClose }} />}
    </DialogButton>
  )
}

interface ConfirmStatusProps {
  user: User
  status: 0 | 1
  onClose: () => void
}

const ConfirmStatus = ({ user, status, onClose }: ConfirmStatusProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const isEnabling = status === 1
  return (
    <ConfirmChanges
      changes={[{ kind: 'set_user_status', user_id: user.id, status }]}
      title={t(isEnabling ? 'users.enableOne' : 'users.disableOne', { name: nameOf(user) })}
      confirm={t(isEnabling ? 'users.enable' : 'users.disable')}
      {...(isEnabling && { color: 'indigo' })}
      {...useChange({
        send: () => api.users.update(user.id, { status }),
        onClose,
        done: t(isEnabling ? 'users.enabled' : 'users.disabled', { count: 1 }),
        renew: useRenewUsers(),
      })}
    >
      {t(isEnabling ? 'users.enableText' : 'users.disableText')}
    </ConfirmChanges>
  )
}

const DeleteUser = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  return (
    <ConfirmButton
      isDeletion
      title={t('users.deleteOne', { name: nameOf(user) })}
      confirm={t('users.delete')}
      word={user.username}
      send={() => api.users.delete(user.id)}
      leaveTo="/users"
      done={t('users.deleted', { count: 1 })}
      renew={useRenewUsers()}
    >
      {t('users.deleteText')}
    </ConfirmButton>
  )
}
