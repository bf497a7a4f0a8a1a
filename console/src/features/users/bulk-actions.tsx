import { Button, Group, ScrollArea, Text } from '@mantine/core'
import type { ListedUser, User } from '@tenantry/client'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { nameOf } from '../../format.ts'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { ExportSelected } from './export-users.views.tsx'
import type { RoleChange, useManyUsers } from './use-many-users.ts'

const loadRole = loadPage(['access', 'roleEnds'], () => import('./bulk-role.tsx'))
const BulkRole = lazyPart(async () => (await loadRole()).BulkRole)

interface BulkActionsProps {
  users: ListedUser[]
  work: ReturnType<typeof useManyUsers>
  /**
   * Receives the users that the action has changed or skipped. The page deselects them; failed and unreached ones stay
   * selected.
   */
  onDone: (settled: ListedUser[]) => void
}

const Names = ({ users }: { users: ListedUser[] }) => {
  const { t, comma } = useTranslation()
  return (
    <ScrollArea.Autosize
      mah={120}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('places.users') }}
    >
      <Text size="sm" fw={500} className="breakable">
        {users.map(nameOf).join(comma)}
      </Text>
    </ScrollArea.Autosize>
  )
}

/**
 * Actions for selected users. They skip the caller, and users whom they would not change. They end sessions, so they
 * ask first.
 */
export const BulkActions = ({ users, work, onDone }: BulkActionsProps) => {
  const { t } = useTranslation()
  const me = useMe()
  const { isRunning } = work.bulk.state
  const disabledOnes = users.filter(({ status }) => status === 0)
  const others = users.filter(({ id }) => id !== me.user.id)
  const enabledOthers = others.filter(({ status }) => status === 1)
  const run = async (tried: ListedUser[], start: (users: ListedUser[]) => Promise<User[]>): Promise<void> => {
    const done = new Set((await start(tried)).map(({ id }) => id))
    onDone(users.filter((user) => !tried.includes(user) || done.has(user.id)))
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
      {me.can('role:assign') && me.can('role:read') && (
        <Roles
          users={users}
          isRunning={isRunning}
          onConfirm={(them, gift) => void run(them, (tried) => work.setRole(tried, gift))}
        />
      )}
      <ExportSelected users={users} />
      {me.can('user:delete') && (
        <Delete users={others} isRunning={isRunning} onConfirm={() => void run(others, work.remove)} />
      )}
    </Group>
  )
}

interface AskingProps {
  users: ListedUser[]
  isRunning: boolean
  onConfirm: () => void
}

interface RolesProps extends Omit<AskingProps, 'onConfirm'> {
  onConfirm: (users: ListedUser[], change: RoleChange) => void
}

const Roles = ({ users, isRunning, onConfirm }: RolesProps) => {
  const { t } = useTranslation()
  return (['give', 'take'] as const).map((kind) => (
    <DialogButton
      key={kind}
      size="xs"
      variant="default"
      disabled={isRunning}
      label={t(kind === 'give' ? 'users.giveRoleShort' : 'users.takeRoleShort')}
    >
      {(onClose) => (
        <BulkRole
          {...{ kind, users, onClose }}
          onConfirm={(them, change) => {
            onClose()
            onConfirm(them, change)
          }}
        />
      )}
    </DialogButton>
  ))
}

const Disable = ({ users, isRunning, onConfirm }: AskingProps) => {
  const { t } = useTranslation()
  return (
    <DialogButton
      size="xs"
      variant="default"
      disabled={isRunning || users.length === 0}
      label={t('users.disable')}
    >
      {(onClose) => (
        <ConfirmChanges
          changes={users.map(({ id }) => ({ kind: 'set_user_status', user_id: id, status: 0 }))}
          names={users.map(nameOf)}
          onClose={onClose}
          title={t('users.disableTitle', { count: users.length })}
          confirm={t('users.disable')}
          onConfirm={() => {
            onClose()
            onConfirm()
          }}
        >
          {t('users.disableText')}
        </ConfirmChanges>
      )}
    </DialogButton>
  )
}

const Delete = ({ users, isRunning, onConfirm }: AskingProps) => {
  const { t } = useTranslation()
  const count = users.length
  return (
    <DialogButton
      size="xs"
      color="red"
      variant="light"
      disabled={isRunning || count === 0}
      label={t('users.delete')}
    >
      {(onClose) => (
        <ConfirmModal
          opened
          onClose={onClose}
          title={t('users.deleteTitle', { count })}
          confirm={t('users.delete')}
          onConfirm={() => {
            onClose()
            onConfirm()
          }}
          word={String(count)}
          effect={<Names users={users} />}
        >
          {t('users.deleteText')}
        </ConfirmModal>
      )}
    </DialogButton>
  )
}
