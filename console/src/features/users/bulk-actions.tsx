import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import type { useBulk } from '../../components/use-bulk.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'

interface BulkActionsProps {
  users: User[]
  bulk: ReturnType<typeof useBulk<User>>
  onDone: () => void
}

type Work = (user: User) => Promise<unknown>

const useBulkWork = ({ users, bulk, onDone }: BulkActionsProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const queries = useQueryClient()
  const { tenantId } = useScope()
  return async (work: Work): Promise<void> => {
    const worked = await bulk.run(users, work)
    onDone()
    await queries.invalidateQueries({ queryKey: ['users', tenantId] })
    if (worked.length > 0) notify(t('users.changed', { count: worked.length }))
  }
}

/** What can be done with the users chosen. Disabling and deleting end their sessions, so those ask before. */
export const BulkActions = (props: BulkActionsProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const { can } = useMe()
  const [asked, setAsked] = useState<'disable' | 'delete'>()
  const run = useBulkWork(props)
  const { users, bulk } = props
  const works = {
    disable: (user: User) => api.users.update(user.id, { status: 0 }),
    delete: (user: User) => api.users.delete(user.id),
  }
  const confirm = (): void => {
    setAsked(undefined)
    if (asked) void run(works[asked])
  }
  const { isRunning } = bulk.state
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        disabled={isRunning}
        onClick={() => void run((user) => api.users.update(user.id, { status: 1 }))}
      >
        {t('users.enable')}
      </Button>
      <Button size="xs" variant="default" disabled={isRunning} onClick={() => setAsked('disable')}>
        {t('users.disable')}
      </Button>
      {can('user:delete') && (
        <Button size="xs" color="red" variant="light" disabled={isRunning} onClick={() => setAsked('delete')}>
          {t('users.delete')}
        </Button>
      )}
      <ConfirmModal
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t(asked === 'delete' ? 'users.deleteTitle' : 'users.disableTitle', { count: users.length })}
        confirm={t(asked === 'delete' ? 'users.delete' : 'users.disable')}
        onConfirm={confirm}
        {...(asked === 'delete' ? { word: String(users.length) } : {})}
      >
        {t(asked === 'delete' ? 'users.deleteText' : 'users.disableText')}
      </ConfirmModal>
    </Group>
  )
}
