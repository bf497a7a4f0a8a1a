import { ApiError, type Client } from '../client.ts'
import type { HeldPermissions } from '../schema.ts'
import { createMemory } from './memory.ts'
import { Refusal } from './refusal.ts'
import type { Claims } from './tokens.ts'

/** Names what the guard forgets: everything that matches all given fields. */
export interface Forgotten {
  tenantId?: string
  userId?: number
  sessionId?: string
}

/** Undefined when the session is over. */
type Answer = readonly string[] | undefined

/** The service answers 404 with these when the user, the tenant or the session is no more. */
const over = new Set(['sessionUnknown', 'userUnknown', 'tenantUnknown'])

/** Any answer but that of the service about this user counts as no answer. */
const requireAbout = ({ userId, tenantId }: Claims, answer: HeldPermissions): void => {
  const isAbout = answer.user_id === userId && answer.tenant_id === tenantId
  if (!isAbout || !Array.isArray(answer.permissions)) throw new TypeError('the answer is not about this user')
}

const isOver = (err: unknown): boolean => err instanceof ApiError && over.has(err.reason)

const matches = ({ claims }: { claims: Claims }, forgotten: Forgotten): boolean =>
  (forgotten.tenantId ?? claims.tenantId) === claims.tenantId &&
  (forgotten.userId ?? claims.userId) === claims.userId &&
  (forgotten.sessionId ?? claims.sessionId) === claims.sessionId

/** Asks Tenantry for the present permissions of a session, and remembers the answer for 1.5 seconds at most. */
export const createPermissions = (client: Client) => {
  const memory = createMemory<{ claims: Claims; answer: Promise<Answer> }>()

  const ask = async (claims: Claims): Promise<Answer> => {
    try {
      const question = { user_id: claims.userId, session_id: claims.sessionId }
      const answer = await client.inTenant(claims.tenantId).authz.permissions(question)
      requireAbout(claims, answer)
      // All requests of this session share the array.
      return Object.freeze(answer.permissions)
    } catch (err) {
      if (isOver(err)) return undefined
      throw err
    }
  }

  /** The time of the memory runs from the question on: the answer may be as old. */
  const askAndRemember = (claims: Claims): Promise<Answer> => {
    const entry = { claims, answer: ask(claims) }
    memory.set(claims.sessionId, entry)
    entry.answer.catch(() => memory.forget((one) => one === entry))
    return entry.answer
  }

  return {
    /** The permissions of a session. Equal questions at one moment are one request. */
    of: async (claims: Claims): Promise<readonly string[]> => {
      const permissions = await (memory.get(claims.sessionId)?.answer ?? askAndRemember(claims))
      if (!permissions) throw new Refusal('sessionOver', 'The session is over')
      return permissions
    },
    forget: (forgotten: Forgotten): void => memory.forget((entry) => matches(entry, forgotten)),
  }
}
