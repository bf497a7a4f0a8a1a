import { Button, Group } from '@mantine/core'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useMe } from '../../session/me.ts'
import type { useManyUsers } from './use-many-users.ts'

interface BulkActionsProps {
  users: User[]
  work: ReturnType<typeof useManyUsers>
  /** With those who need not be chosen any more: all but those with whom it failed, or whose turn did not come. */
  onDone: (settled: User[]) => void
}

/**
 * What can be done with the users chosen, each only with those whom it changes: nobody disables or deletes themselves.
 * Both end sessions, so they ask before.
 */
export const BulkActions = ({ users, work, onDone }: BulkActionsProps) => {
  const { t } = useTranslation()
  const me = useMe()
  const { isRunning } = work.bulk.state
  const disabledOnes = users.filter(({ status }) => status === 0)
  const others = users.filter(({ id }) => id !== me.user.id)
  const enabledOthers = others.filter(({ status }) => status === 1)
  const run = async (tried: User[], start: (users: User[]) => Promise<User[]>): Promise<void> => {
    const done = await start(tried)
    onDone(users.filter((user) => !tried.includes(user) || done.includes(user)))
  }
  return (
    <Group gap="xs">
      {me.can('user:update') && (
        <>
          <Button
            size="xs"
            variant="default"
            disabled={isRunning || disabledOnes.length === 0}
            onClick={() => void run(disabledOnes, (them) => work.setStatus(them, 1))}
          >
            {t('users.enable')}
          </Button>
          <Asking
            verb="disable"
            count={enabledOthers.length}
            isRunning={isRunning}
            onConfirm={() => void run(enabledOthers, (them) => work.setStatus(them, 0))}
          />
        </>
      )}
      {me.can('user:delete') && (
        <Asking
          verb="delete"
          count={others.length}
          isRunning={isRunning}
          onConfirm={() => void run(others, work.remove)}
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
