import { Alert, Badge, Button, Group, Skeleton, Tabs } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { User, UserDetails } from '@tenantry/client'
import { useState } from 'react'
import { BackLink } from '../../components/back-link.tsx'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
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

const ExportUser = ({ user }: { user: User }) => {
  const { can } = useMe()
  return can('audit:read') ? <ExportButton user={user} /> : null
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

const useSetStatus = ({ id }: User, status: 0 | 1, onDone: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewUsers()
  return useMutation({
    mutationFn: () => api.users.update(id, { status }),
    onSuccess: async () => {
      onDone()
      notify(t(status === 1 ? 'users.enabled' : 'users.disabled', { count: 1 }))
      await renew()
    },
  })
}

/** Enabling and disabling both change authority, so both ask. */
const SetStatus = ({ user, status }: { user: User; status: 0 | 1 }) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const setting = useSetStatus(user, status, () => setAsked(false))
  const isEnabling = status === 1
  const verb = t(isEnabling ? 'users.enable' : 'users.disable')
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {verb}
      </Button>
      {isAsked && (
        <ConfirmChanges
          changes={[{ kind: 'set_user_status', user_id: user.id, status }]}
          onClose={() => setAsked(false)}
          title={t(isEnabling ? 'users.enableOne' : 'users.disableOne', { name: nameOf(user) })}
          confirm={verb}
          {...(isEnabling && { color: 'indigo' })}
          {...mutationProps(setting)}
        >
          {t(isEnabling ? 'users.enableText' : 'users.disableText')}
        </ConfirmChanges>
      )}
    </>
  )
}

const useDelete = ({ id }: User) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const navigate = useNavigate()
  const { api } = useScope()
  const renew = useRenewUsers()
  return useMutation({
    mutationFn: () => api.users.delete(id),
    onSuccess: async () => {
      notify(t('users.deleted', { count: 1 }))
      // Navigates first, or this page would request the deleted user.
      await navigate({ to: '/users' })
      await renew()
    },
  })
}

const DeleteUser = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const deleting = useDelete(user)
  return (
    <>
      <Button color="red" variant="light" onClick={() => setAsked(true)}>
        {t('users.delete')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('users.deleteOne', { name: nameOf(user) })}
        confirm={t('users.delete')}
        {...mutationProps(deleting)}
        word={user.username}
      >
        {t('users.deleteText')}
      </ConfirmModal>
    </>
  )
}
