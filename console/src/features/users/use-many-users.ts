import { ApiError, type ErrorName, type Role, type User } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useBulk } from '../../components/use-bulk.ts'
import { useOffer } from '../../components/use-offer.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewUsers } from './users.queries.ts'

/** Changes the status of users who do not have it yet. Users changed elsewhere meanwhile are not counted. */
const useStatusChange = (bulk: ReturnType<typeof useBulk<User>>) => {
  const { api } = useScope()
  const renew = useRenewUsers()
  return async (users: User[], status: 0 | 1) => {
    const changed: User[] = []
    const done = await bulk.run(users, async (user) => {
      const now = await api.users.get(user.id)
      if (now.status === status) return
      await api.users.update(user.id, { status })
      changed.push(user)
    })
    void renew()
    return { done, changed }
  }
}

export type RoleChange = 'give' | 'take'

const isReason = (error: unknown, reason: ErrorName): boolean =>
  error instanceof ApiError && error.reason === reason

/** Gives a role to users or takes it from them. Users changed elsewhere meanwhile are not counted. */
const useRoleChange = (bulk: ReturnType<typeof useBulk<User>>) => {
  const { api } = useScope()
  const renew = useRenewUsers()
  const requests = {
    give: { run: api.roles.assign, done: 'roleAlreadyHeld' },
    take: { run: api.roles.unassign, done: 'assignmentUnknown' },
  } as const
  return async (users: User[], { id: roleId }: Role, kind: RoleChange) => {
    const changed: User[] = []
    const request = requests[kind]
    const done = await bulk.run(users, async (user) => {
      try {
        await request.run({ userId: user.id, roleId })
        changed.push(user)
      } catch (error) {
        if (!isReason(error, request.done)) throw error
      }
    })
    void renew()
    return { done, changed }
  }
}

const useSetRole = (
  bulk: ReturnType<typeof useBulk<User>>,
  { offer, withdraw }: ReturnType<typeof useOffer>,
) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const changeRole = useRoleChange(bulk)

  const sayRole = (kind: RoleChange, { name: role }: Role, { length: count }: User[]): string =>
    kind === 'give' ? t('users.rolesGiven', { count, role }) : t('users.rolesTaken', { count, role })

  return async (users: User[], role: Role, kind: RoleChange): Promise<User[]> => {
    withdraw()
    const { done, changed } = await changeRole(users, role, kind)
    const opposite = kind === 'give' ? 'take' : 'give'
    const takeBack = async (): Promise<void> => {
      const undone = await changeRole(changed, role, opposite)
      if (undone.done.length > 0) notify(sayRole(opposite, role, undone.changed))
    }
    if (changed.length > 0) offer(sayRole(kind, role, changed), t('common.undo'), () => void takeBack())
    else if (done.length > 0) notify(sayRole(kind, role, changed))
    return done
  }
}

/** Actions on many users. Each resolves to the users that it changed. */
export const useManyUsers = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewUsers()
  const bulk = useBulk<User>()
  const change = useStatusChange(bulk)
  const offering = useOffer()
  const { offer, withdraw } = offering

  const say = (status: 0 | 1, { length: count }: User[]): string =>
    t(status === 1 ? 'users.enabled' : 'users.disabled', { count })

  const undo = async (users: User[], status: 0 | 1): Promise<void> => {
    const { done, changed } = await change(users, status)
    if (done.length > 0) notify(say(status, changed))
  }

  const setStatus = async (users: User[], status: 0 | 1): Promise<User[]> => {
    withdraw()
    const { done, changed } = await change(users, status)
    if (changed.length > 0) {
      offer(say(status, changed), t('common.undo'), () => void undo(changed, status === 1 ? 0 : 1))
    } else if (done.length > 0) notify(say(status, changed))
    return done
  }

  const remove = async (users: User[]): Promise<User[]> => {
    withdraw()
    const done = await bulk.run(users, ({ id }) => api.users.delete(id))
    void renew()
    if (done.length > 0) notify(t('users.deleted', { count: done.length }))
    return done
  }

  return { bulk, setStatus, setRole: useSetRole(bulk, offering), remove }
}
