import type { Client } from '../client.ts'
import type { UserDetails } from '../schema.ts'
import { createAnswers, type Forgotten } from './answers.ts'
import type { Acting, SessionPermissions } from './permissions.ts'
import type { Claims } from './tokens.ts'

/**
 * The user of an admitted request. `username`, `email` and `person` ask Tenantry with the guard's key, which needs
 * `user:read`. Their answers are at most 1.5 seconds old. They reject with an `ApiError` if Tenantry does not answer,
 * and for a service account.
 */
export interface Caller {
  userId: number
  tenantId: string
  /** The permissions that the token may use, for finer questions within the route. */
  permissions: readonly string[]
  /** Only in a support session, which the option `support` admits: the person who acts. */
  actor?: Acting
  username(): Promise<string>
  email(): Promise<string>
  /** The UUID of the person, equal in all their tenants. If the token lacks it, the key also needs `tenant:enter`. */
  person(): Promise<string>
}

export interface Callers {
  of: (claims: Claims, held: Pick<SessionPermissions, 'permissions' | 'actor'>) => Caller
  forget: (forgotten: Forgotten) => void
}

export const createCallers = (client: Client): Callers => {
  const read = async ({ tenantId, userId }: Claims, query: { include?: 'person' }): Promise<UserDetails> => {
    const user = await client.inTenant(tenantId).users.get(userId, query)
    const isAbout = user.id === userId && user.tenant_id === tenantId
    if (!isAbout) throw new TypeError('the answer is not about this user')
    return user
  }
  const users = createAnswers((claims) => read(claims, {}))
  const persons = createAnswers(async (claims) => {
    const { person } = await read(claims, { include: 'person' })
    if (person === undefined) throw new TypeError('the answer names no person')
    return person
  })
  return {
    // Not enumerable, so that a route can send or copy the caller as plain data.
    of: (claims, { permissions, actor }) => {
      const { userId, tenantId } = claims
      const plain = { userId, tenantId, permissions, ...(actor && { actor }) } as Caller
      return Object.defineProperties(plain, {
        username: { value: async () => (await users.of(claims)).username },
        email: { value: async () => (await users.of(claims)).email },
        person: { value: async () => claims.person ?? persons.of(claims) },
      })
    },
    forget: (forgotten) => {
      users.forget(forgotten)
      persons.forget(forgotten)
    },
  }
}
