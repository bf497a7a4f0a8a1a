import type { ChangedUsers, Role, User } from '@tenantry/client'
import { errorOfRow } from '../../components/row-error.ts'
import { useBulk } from '../../components/use-bulk.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useOffer } from '../../components/use-offer.ts'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRenew } from '../../components/use-renew.ts'

export interface RoleChange {
  kind: 'give' | 'take'
  role: Role
  /** When the gift ends. Undefined if it has no end. */
  expiresAt?: string | undefined
}

interface Change {
  send: (userIds: number[]) => Promise<ChangedUsers>
  /** The notice of success. */
  done: (users: User[]) => string
}

const opposite = ({ kind, role }: RoleChange): RoleChange => ({
  kind: kind === 'give' ? 'take' : 'give',
  role,
})

/** Their number, and the name of a single one. */
const named = ([first, ...others]: User[]) =>
  first ? { count: 1 + others.length, name: nameOf(first) } : { count: 0, name: '' }

/** The changes that can be undone. */
const useChanges = () => {
  const { t } = useTranslation()
  const { api } = useScope()
  return {
    status: (status: 0 | 1): Change => ({
      send: (user_ids) => api.users.changeStatus({ user_ids, status }),
      done: (users) => t(status === 1 ? 'users.enabled' : 'users.disabled', named(users)),
    }),
    role: ({ kind, role: { id, name: role }, expiresAt }: RoleChange): Change => ({
      send: (user_ids) =>
        api.roles.changeUsers(id, {
          user_ids,
          held: kind === 'give',
          ...(expiresAt !== undefined && { expires_at: expiresAt }),
        }),
      done: ({ length: count }) =>
        t(kind === 'give' ? 'users.rolesGiven' : 'users.rolesTaken', { count, role }),
    }),
  }
}

/** Actions on many users. Each resolves to the users that it changed. */
export const useManyUsers = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const bulk = useBulk<User>()
  const { offer, withdraw } = useOffer()
  const changes = useChanges()

  const applyTo = async (users: User[], { send }: Change) => {
    const changed: User[] = []
    const done = await bulk.runTogether(users, async (part) => {
      const { results } = await send(part.map(({ id }) => id))
      const byId = new Map(results.map((result) => [result.user_id, result]))
      changed.push(...part.filter(({ id }) => byId.get(id)?.status === 'changed'))
      return part.map(({ id }) => errorOfRow(byId.get(id)?.error))
    })
    void renew()
    return { done, changed }
  }

  /** Changes the users, and offers Undo. */
  const run = async (users: User[], change: Change, back: Change): Promise<User[]> => {
    withdraw()
    const { done, changed } = await applyTo(users, change)
    const undo = async (): Promise<void> => {
      const undone = await applyTo(changed, back)
      if (undone.done.length > 0) notify(back.done(undone.changed))
    }
    if (changed.length > 0) offer(change.done(changed), t('common.undo'), () => void undo())
    else if (done.length > 0) notify(change.done([]))
    return done
  }

  return {
    bulk,
    setStatus: (users: User[], status: 0 | 1) =>
      run(users, changes.status(status), changes.status(status === 1 ? 0 : 1)),
    setRole: (users: User[], change: RoleChange) =>
      run(users, changes.role(change), changes.role(opposite(change))),
    remove: async (users: User[]): Promise<User[]> => {
      withdraw()
      const done = await bulk.run(users, ({ id }) => api.users.delete(id))
      void renew()
      if (done.length > 0) notify(t('users.deleted', named(done)))
      return done
    },
  }
}
