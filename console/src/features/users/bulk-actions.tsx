import { Button, Group } from '@mantine/core'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import type { useBulk } from '../../components/use-bulk.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewUsers } from './user-queries.ts'

interface BulkActionsProps {
  users: User[]
  bulk: ReturnType<typeof useBulk<User>>
  onDone: () => void
}

/** Enables or disables, and offers to undo it for those who were changed. */
const useSetStatus = ({ bulk, onDone }: BulkActionsProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewUsers()
  const set = async (users: User[], status: 0 | 1): Promise<User[]> => {
    const changed = await bulk.run(users, ({ id }) => api.users.update(id, { status }))
    onDone()
    await renew()
    return changed
  }
  const say = (status: 0 | 1, count: number): string =>
    t(status === 1 ? 'users.enabled' : 'users.disabled', { count })
  const undo = async (users: User[], status: 0 | 1): Promise<void> => {
    const changed = await set(users, status)
    if (changed.length > 0) notify(say(status, changed.length))
  }
  return async (users: User[], status: 0 | 1): Promise<void> => {
    const changed = await set(users, status)
    if (changed.length === 0) return
    const takeBack = { label: t('common.undo'), run: () => void undo(changed, status === 1 ? 0 : 1) }
    notify(say(status, changed.length), takeBack)
  }
}

const useDelete = ({ bulk, onDone }: BulkActionsProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewUsers()
  return async (users: User[]): Promise<void> => {
    const { length: count } = await bulk.run(users, ({ id }) => api.users.delete(id))
    onDone()
    await renew()
    if (count > 0) notify(t('users.deleted', { count }))
  }
}

/**
 * What can be done with the users chosen, each only with those whom it changes: nobody disables or deletes themselves.
 * Both end sessions, so they ask before.
 */
export const BulkActions = (props: BulkActionsProps) => {
  const { t } = useTranslation()
  const me = useMe()
  const setStatus = useSetStatus(props)
  const remove = useDelete(props)
  const { isRunning } = props.bulk.state
  const disabledOnes = props.users.filter(({ status }) => status === 0)
  const others = props.users.filter(({ id }) => id !== me.user.id)
  const enabledOthers = others.filter(({ status }) => status === 1)
  return (
    <Group gap="xs">
      {me.can('user:update') && (
        <>
          <Button
            size="xs"
            variant="default"
            disabled={isRunning || disabledOnes.length === 0}
            onClick={() => void setStatus(disabledOnes, 1)}
          >
            {t('users.enable')}
          </Button>
          <Asking
            verb="disable"
            count={enabledOthers.length}
            isRunning={isRunning}
            onConfirm={() => void setStatus(enabledOthers, 0)}
          />
        </>
      )}
      {me.can('user:delete') && (
        <Asking
          verb="delete"
          count={others.length}
          isRunning={isRunning}
          onConfirm={() => void remove(others)}
        />
      )}
    </Group>
  )
}

interface AskingProps {
  verb: 'disable' | 'delete'
  count: number
  isRunning: boolean
  onConfirm: () => void
}

const Asking = ({ verb, count, isRunning, onConfirm }: AskingProps) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const isDelete = verb === 'delete'
  const confirm = (): void => {
    setAsked(false)
    onConfirm()
  }
  return (
    <>
      <Button
        size="xs"
        {...(isDelete ? { color: 'red', variant: 'light' } : { variant: 'default' })}
        disabled={isRunning || count === 0}
        onClick={() => setAsked(true)}
      >
        {t(isDelete ? 'users.delete' : 'users.disable')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t(isDelete ? 'users.deleteTitle' : 'users.disableTitle', { count })}
        confirm={t(isDelete ? 'users.delete' : 'users.disable')}
        onConfirm={confirm}
        {...(isDelete ? { word: String(count) } : {})}
      >
        {t(isDelete ? 'users.deleteText' : 'users.disableText')}
      </ConfirmModal>
    </>
  )
}
