import { ScrollArea, Text } from '@mantine/core'
import {
  IconBan,
  IconCircleCheck,
  IconDownload,
  IconShieldMinus,
  IconShieldPlus,
  IconTrash,
} from '@tabler/icons-react'
import type { ListedUser, User } from '@tenantry/client'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { MoreMenu, type MenuAction } from '../../components/more-menu.tsx'
import { nameOf } from '../../format.ts'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useExportSelected } from './export-users.views.tsx'
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

type Run = (tried: ListedUser[], start: (users: ListedUser[]) => Promise<User[]>) => Promise<void>

interface ActionsProps extends Pick<BulkActionsProps, 'users' | 'work'> {
  run: Run
}

/** Enabling and disabling skip users whom they would not change; disabling also skips the caller. */
const useStatusActions = ({ users, work, run }: ActionsProps): (MenuAction | false)[] => {
  const { t } = useTranslation()
  const { can, user: me } = useMe()
  const disabled = users.filter(({ status }) => status === 0)
  const enabled = users.filter(({ id, status }) => status === 1 && id !== me.id)
  return [
    can('user:update') &&
      disabled.length > 0 && {
        label: t('users.enable'),
        icon: IconCircleCheck,
        run: () => void run(disabled, (them) => work.setStatus(them, 1)),
      },
    can('user:update') &&
      enabled.length > 0 && {
        label: t('users.disable'),
        icon: IconBan,
        renderWindow: (onClose) => (
          <Disable
            users={enabled}
            selected={users}
            onClose={onClose}
            onConfirm={() => void run(enabled, (them) => work.setStatus(them, 0))}
          />
        ),
      },
  ]
}

const useRoleActions = ({ users, work, run }: ActionsProps): (MenuAction | false)[] => {
  const { t } = useTranslation()
  const { can } = useMe()
  if (!can('role:assign') || !can('role:read')) return []
  const actionOf = (kind: RoleChange['kind']): MenuAction => ({
    label: t(kind === 'give' ? 'users.giveRoleShort' : 'users.takeRoleShort'),
    icon: kind === 'give' ? IconShieldPlus : IconShieldMinus,
    renderWindow: (onClose) => (
      <BulkRole
        {...{ kind, users, onClose }}
        onConfirm={(them, change) => {
          onClose()
          void run(them, (tried) => work.setRole(tried, change))
        }}
      />
    ),
  })
  return [actionOf('give'), actionOf('take')]
}

/** Actions for selected users. They end sessions, so they ask first. */
export const BulkActions = ({ users, work, onDone }: BulkActionsProps) => {
  const { t } = useTranslation()
  const { can, user: me } = useMe()
  const { save, failure } = useExportSelected(users)
  const others = users.filter(({ id }) => id !== me.id)
  const run: Run = async (tried, start) => {
    const done = new Set((await start(tried)).map(({ id }) => id))
    onDone(users.filter((user) => !tried.includes(user) || done.has(user.id)))
  }
  const deletion: MenuAction = {
    label: t('users.delete'),
    icon: IconTrash,
    isDeletion: true,
    renderWindow: (onClose) => (
      <Delete
        users={others}
        selected={users}
        onClose={onClose}
        onConfirm={() => void run(others, work.remove)}
      />
    ),
  }
  return (
    <>
      <MoreMenu
        label={t('table.actions')}
        disabled={work.bulk.state.isRunning}
        actions={[
          ...useRoleActions({ users, work, run }),
          ...useStatusActions({ users, work, run }),
          { label: t('users.export'), icon: IconDownload, run: save },
          can('user:delete') && others.length > 0 && deletion,
        ]}
      />
      {failure}
    </>
  )
}

interface AskingProps {
  /** The users that change. */
  users: ListedUser[]
  selected: ListedUser[]
  onClose: () => void
  onConfirm: () => void
}

/** Why fewer users change than are selected. */
const LeftOut = ({ users, selected }: Pick<AskingProps, 'users' | 'selected'>) => {
  const { t } = useTranslation()
  const { user: me } = useMe()
  const leftOut = selected.filter((user) => !users.includes(user))
  const count = leftOut.filter(({ id }) => id !== me.id).length
  return (
    <>
      {count > 0 && <Text size="sm">{t('users.alreadyDisabled', { count })}</Text>}
      {count < leftOut.length && <Text size="sm">{t('users.withoutYou')}</Text>}
    </>
  )
}

const Disable = ({ users, selected, onClose, onConfirm }: AskingProps) => {
  const { t } = useTranslation()
  const [one, ...more] = users
  return (
    <ConfirmChanges
      changes={users.map(({ id }) => ({ kind: 'set_user_status', user_id: id, status: 0 }))}
      names={users.map(nameOf)}
      onClose={onClose}
      title={
        one && more.length === 0
          ? t('users.disableOne', { name: nameOf(one) })
          : t('users.disableTitle', { count: users.length })
      }
      confirm={t('users.disable')}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
    >
      {t('users.disableText')}
      <LeftOut users={users} selected={selected} />
    </ConfirmChanges>
  )
}

const Delete = ({ users, selected, onClose, onConfirm }: AskingProps) => {
  const { t } = useTranslation()
  const count = users.length
  const [one, ...more] = users
  const question =
    one && more.length === 0
      ? { title: t('users.deleteOne', { name: nameOf(one) }), word: one.username }
      : {
          title: t('users.deleteTitle', { count }),
          word: String(count),
          wordLabel: t('users.deleteWord', { count }),
          effect: <Names users={users} />,
        }
  return (
    <ConfirmModal
      opened
      {...question}
      onClose={onClose}
      confirm={t('users.delete')}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
    >
      {t('users.deleteText')}
      <LeftOut users={users} selected={selected} />
    </ConfirmModal>
  )
}
