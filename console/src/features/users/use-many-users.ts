import { ApiError, type Role, type User } from '@tenantry/client'
import { useBulk } from '../../components/use-bulk.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useOffer } from '../../components/use-offer.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRenewUsers } from './users.queries.ts'

export type RoleChange = 'give' | 'take'

interface Change {
  /** Changes a user. False if another user has changed the user meanwhile, who then does not count. */
  apply: (user: User) => Promise<boolean>
  /** The notice of success. */
  done: (count: number) => string
}

/** The changes that can be undone. */
const useChanges = () => {
  const { t } = useTranslation()
  const { api } = useScope()
  const requests = {
    give: { send: api.roles.assign, refusal: 'roleAlreadyHeld' },
    take: { send: api.roles.unassign, refusal: 'assignmentUnknown' },
  } as const
  return {
    status: (status: 0 | 1): Change => ({
      apply: async ({ id }) => {
        if ((await api.users.get(id)).status === status) return false
        await api.users.update(id, { status })
        return true
      },
      done: (count) => t(status === 1 ? 'users.enabled' : 'users.disabled', { count }),
    }),
    role: ({ id: roleId, name: role }: Role, kind: RoleChange): Change => ({
      apply: async ({ id: userId }) => {
        const { send, refusal } = requests[kind]
        try {
          await send({ userId, roleId })
          return true
        } catch (error) {
          if (error instanceof ApiError && error.reason === refusal) return false
          throw error
        }
      },
      done: (count) => t(kind === 'give' ? 'users.rolesGiven' : 'users.rolesTaken', { count, role }),
    }),
  }
}

/** Actions on many users. Each resolves to the users that it changed. */
export const useManyUsers = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewUsers()
  const bulk = useBulk<User>()
  const { offer, withdraw } = useOffer()
  const changes = useChanges()

  const applyTo = async (users: User[], { apply }: Change) => {
    const changed: User[] = []
    const done = await bulk.run(users, async (user) => {
      if (await apply(user)) changed.push(user)
    })
    void renew()
    return { done, changed }
  }

  /** Changes the users, and offers Undo. */
  const run = async (users: User[], change: Change, opposite: Change): Promise<User[]> => {
    withdraw()
    const { done, changed } = await applyTo(users, change)
    const undo = async (): Promise<void> => {
      const undone = await applyTo(changed, opposite)
      if (undone.done.length > 0) notify(opposite.done(undone.changed.length))
    }
    if (changed.length > 0) offer(change.done(changed.length), t('common.undo'), () => void undo())
    else if (done.length > 0) notify(change.done(0))
    return done
  }

  return {
    bulk,
    setStatus: (users: User[], status: 0 | 1) =>
      run(users, changes.status(status), changes.status(status === 1 ? 0 : 1)),
    setRole: (users: User[], role: Role, kind: RoleChange) =>
      run(users, changes.role(role, kind), changes.role(role, kind === 'give' ? 'take' : 'give')),
    remove: async (users: User[]): Promise<User[]> => {
      withdraw()
      const done = await bulk.run(users, ({ id }) => api.users.delete(id))
      void renew()
      if (done.length > 0) notify(t('users.deleted', { count: done.length }))
      return done
    },
  }
}
