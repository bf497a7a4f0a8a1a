import { Alert, Badge, Skeleton } from '@mantine/core'
import { IconDownload, IconLifebuoy, IconLock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { User, UserDetails } from '@tenantry/client'
import { DialogButton } from '../../components/dialog-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { deletion, type MenuAction, MoreMenu } from '../../components/more-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { saveFile } from '../../components/save-file.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { UserPicture } from '../../components/user-picture.tsx'
import { nameOf } from '../../format.ts'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useFileName } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'
import { useAttributes, useReadable } from '../attributes/attributes.queries.ts'
import { UserAttributes } from '../attributes/attributes.views.tsx'
import { PermissionList } from '../authz/permission-list.views.tsx'
import { useLacking, useRolesOf } from '../roles/roles.queries.ts'
import { useCanAsk } from '../support/support.queries.ts'
import { useUser } from './users.queries.ts'

const waiting = <Skeleton height={240} />
const UserOverview = lazyPart(async () => (await import('./user-overview.tsx')).UserOverview, waiting)
const EligibleRoles = lazyPart(
  async () => (await import('../roles/eligible-roles.views.tsx')).EligibleRoles,
  waiting,
)
const UserAccess = lazyPart(async () => (await import('./user-access.tsx')).UserAccess, waiting)
const Why = lazyPart(async () => (await import('./why.tsx')).Why, waiting)
const loadActivity = loadPage(['access', 'audit'], () => import('./user-activity.tsx'))
const UserActivity = lazyPart(async () => (await loadActivity()).UserActivity, waiting)

const ConfirmStatus = lazyPart(async () => (await import('./confirm-status.views.tsx')).ConfirmStatus)

const loadSupport = loadPage(['support'], () => import('../support/ask-support.views.tsx'))
const AskSupportDialog = lazyPart(async () => (await loadSupport()).AskSupportDialog)

const route = getRouteApi('/shell/users/$userId')

export const UserPage = () => {
  const id = Number(route.useParams().userId)
  const user = useUser(id)
  // They decide about a tab, which would push the others on a phone.
  const { isPending } = useAttributes()
  return (
    <ResourcePage of="/users" query={isPending ? { ...user, data: undefined } : user} height={320}>
      {(data) => <FoundUser user={data} />}
    </ResourcePage>
  )
}

/**
 * The permissions that the caller lacks to change the user. The service names them to callers with `user:update`. Others
 * compare the roles that they may see.
 */
const useMissing = ({ id, security }: UserDetails): string[] => {
  const ofRoles = useLacking()(useRolesOf(id).data ?? [])
  return security?.missing_permissions ?? ofRoles
}

const FoundUser = ({ user }: { user: UserDetails }) => {
  const { t } = useTranslation()
  const lacking = useMissing(user)
  return (
    <>
      <PageHeader
        title={nameOf(user)}
        description={user.email}
        lead={<UserPicture user={user} size={48} />}
        marks={<UserMarks user={user} />}
        actions={<UserActions user={user} isOutranked={lacking.length > 0} />}
      />
      {lacking.length > 0 && (
        <Alert color="yellow" icon={<IconLock />} title={t('users.outranks')} mb="md">
          <PermissionList codes={lacking} say={(codes) => t('users.outranksText', { codes })} />
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

const AccessTab = ({ user, canChange }: TabProps) => {
  const { data: held = [] } = useRolesOf(user.id)
  const { can, reaches } = useMe()
  return (
    <UserAccess user={user} canChange={canChange}>
      {can('role:read') && reaches('explainPermission') && <Why user={user} />}
      <EligibleRoles user={user} held={held} canChange={canChange} />
    </UserAccess>
  )
}

const useTitles = ({ id }: User) => {
  const { t } = useTranslation()
  const { can, user: own } = useMe()
  const { tab } = route.useSearch()
  const attributes = useReadable('user')
  const hasAttributes = tab === 'attributes' || (attributes !== undefined && attributes.length > 0)
  return {
    overview: t('users.overview'),
    access: (can('role:read') || id === own.id) && t('users.access'),
    activity: can('audit:read') && t('users.activity'),
    attributes: hasAttributes && t('places.attributes'),
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
      {shown === 'attributes' && <UserAttributes user={user} canChange={canChange} />}
    </PageTabs>
  )
}

/** Saves all data of the user as a file. */
const useExport = (user: User) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const fileName = useFileName()
  const { mutate, error, reset } = useMutation({
    mutationFn: async () => {
      const file = await api.users.export(user.id)
      saveFile([await file.blob()], `${fileName(`user-${user.id}`)}.json`, 'application/json')
    },
    onSuccess: () => notify(t('users.exportedOne', { name: nameOf(user) })),
  })
  const failure = error && (
    <Dialog opened onClose={reset} title={t('users.exportOne')}>
      <ErrorPanel error={error} />
    </Dialog>
  )
  return { save: () => mutate(), failure }
}

interface UserActionsProps {
  user: User
  isOutranked: boolean
}

/** The service decides about support sessions by rank and tenant. */
const useSupport = (user: User): MenuAction | false => {
  const { t } = useTranslation()
  const { user: me } = useMe()
  const canAsk = useCanAsk() && user.id !== me.id && user.status === 1
  return (
    canAsk && {
      label: t('places.support'),
      icon: IconLifebuoy,
      renderWindow: (onClose) => <AskSupportDialog user={user} onClose={onClose} />,
    }
  )
}

const useDeletion = (user: User): MenuAction => {
  const { t } = useTranslation()
  const { api } = useScope()
  return deletion({
    title: t('users.deleteOne', { name: nameOf(user) }),
    confirm: t('users.delete'),
    word: user.username,
    send: () => api.users.delete(user.id),
    leaveTo: '/users',
    done: t('users.deleted', { count: 1, name: nameOf(user) }),
    children: t('users.deleteText'),
  })
}

/** Callers cannot disable or delete themselves. */
const UserActions = ({ user, isOutranked }: UserActionsProps) => {
  const { t } = useTranslation()
  const { can, reaches, user: me } = useMe()
  const { save, failure } = useExport(user)
  const support = useSupport(user)
  const deleting = useDeletion(user)
  const canAct = user.id !== me.id && !isOutranked
  const canExport = can('audit:read') && reaches('exportUser')
  return (
    <>
      <MoreMenu
        actions={[
          canExport && { label: t('users.exportOne'), icon: IconDownload, run: save },
          support,
          canAct && can('user:delete') && deleting,
        ]}
      />
      {canAct && <SetStatus user={user} status={user.status === 1 ? 0 : 1} />}
      {failure}
    </>
  )
}

/** Enabling and disabling both change authority, so both ask. */
const SetStatus = ({ user, status }: { user: User; status: 0 | 1 }) => {
  const { t } = useTranslation()
  if (!useMe().can('user:update')) return null
  return (
    <DialogButton variant="default" label={t(status === 1 ? 'users.enable' : 'users.disable')}>
      {(onClose) => <ConfirmStatus {...{ user, status, onClose }} />}
    </DialogButton>
  )
}
