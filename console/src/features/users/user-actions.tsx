import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { nameOf, useRenewUsers } from './user-queries.ts'

/** Enables, disables and deletes; nobody disables or deletes themselves. */
export const UserActions = ({ user }: { user: User }) => {
  const me = useMe()
  if (user.id === me.user.id) return null
  return (
    <Group gap="xs">
      {me.can('user:update') && (user.status === 1 ? <Disable user={user} /> : <Enable user={user} />)}
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

/** What is easily taken back is done without a question; only a refusal shows a dialog. */
const Enable = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const enabling = useSetStatus(user, 1, () => {})
  return (
    <>
      <Button variant="default" loading={enabling.isPending} onClick={() => enabling.mutate()}>
        {t('users.enable')}
      </Button>
      <ConfirmModal
        opened={enabling.isError}
        onClose={enabling.reset}
        title={t('common.failed')}
        confirm={t('common.retry')}
        onConfirm={() => enabling.mutate()}
        error={enabling.error}
      >
        {nameOf(user)}
      </ConfirmModal>
    </>
  )
}

const Disable = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const disabling = useSetStatus(user, 0, () => setAsked(false))
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t('users.disable')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('users.disableOne', { name: nameOf(user) })}
        confirm={t('users.disable')}
        onConfirm={() => disabling.mutate()}
        isPending={disabling.isPending}
        error={disabling.error}
      >
        {t('users.disableText')}
      </ConfirmModal>
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
      // First away from here, or the page would ask for who is gone.
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
        onConfirm={() => deleting.mutate()}
        word={user.username}
        isPending={deleting.isPending}
        error={deleting.error}
      >
        {t('users.deleteText')}
      </ConfirmModal>
    </>
  )
}
