import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useRenewUsers } from './users.queries.ts'

/** Enables, disables and deletes a user. Callers cannot disable or delete themselves. */
export const UserActions = ({ user }: { user: User }) => {
  const me = useMe()
  if (user.id === me.user.id) return null
  return (
    <Group gap="xs">
      {me.can('user:update') && <SetStatus user={user} status={user.status === 1 ? 0 : 1} />}
      {me.can('user:delete') && <Delete user={user} />}
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

const Delete = ({ user }: { user: User }) => {
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
