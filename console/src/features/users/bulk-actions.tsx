import { Button, Group } from '@mantine/core'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import type { useManyUsers } from './use-many-users.ts'

interface BulkActionsProps {
  users: User[]
  work: ReturnType<typeof useManyUsers>
  /** Receives the users to deselect: all but those that failed or were not reached. */
  onDone: (settled: User[]) => void
}

/** Actions for the selected users whom they change, never for the caller. They end sessions, so they ask first. */
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
          <Disable
            users={enabledOthers}
            isRunning={isRunning}
            onConfirm={() => void run(enabledOthers, (them) => work.setStatus(them, 0))}
          />
        </>
      )}
      {me.can('user:delete') && (
        <Delete users={others} isRunning={isRunning} onConfirm={() => void run(others, work.remove)} />
      )}
    </Group>
  )
}

interface AskingProps {
  users: User[]
  isRunning: boolean
  onConfirm: () => void
}

const Disable = ({ users, isRunning, onConfirm }: AskingProps) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={isRunning || users.length === 0}
        onClick={() => setAsked(true)}
      >
        {t('users.disable')}
      </Button>
      {isAsked && (
        <ConfirmChanges
          changes={users.map(({ id }) => ({ kind: 'set_user_status', user_id: id, status: 0 }))}
          names={users.map(nameOf)}
          onClose={() => setAsked(false)}
          title={t('users.disableTitle', { count: users.length })}
          confirm={t('users.disable')}
          onConfirm={() => {
            setAsked(false)
            onConfirm()
          }}
        >
          {t('users.disableText')}
        </ConfirmChanges>
      )}
    </>
  )
}

const Delete = ({ users: { length: count }, isRunning, onConfirm }: AskingProps) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button
        size="xs"
        color="red"
        variant="light"
        disabled={isRunning || count === 0}
        onClick={() => setAsked(true)}
      >
        {t('users.delete')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('users.deleteTitle', { count })}
        confirm={t('users.delete')}
        onConfirm={() => {
          setAsked(false)
          onConfirm()
        }}
        word={String(count)}
      >
        {t('users.deleteText')}
      </ConfirmModal>
    </>
  )
}
