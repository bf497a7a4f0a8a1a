import { ApiError, type Client } from '../client.ts'
import type { HeldPermissions } from '../schema.ts'
import { createAnswers } from './answers.ts'
import { Refusal } from './refusal.ts'
import type { Claims } from './tokens.ts'

/** The person who works as the user in a support session. */
export interface Acting {
  userId: number
  tenantId: string
  name: string
  /** Staff of the installation, or another user of the tenant. */
  kind: 'platform' | 'user'
}

export interface SessionPermissions {
  /** True if both user and tenant are enabled. */
  isEnabled: boolean
  permissions: readonly string[]
  /** The person who works as the user; undefined for any session but one of support. */
  actor: Acting | undefined
}

/** The service answers 404 with these if the user, the tenant or the session no longer exists. */
const sessionOverReasons = new Set(['sessionUnknown', 'userUnknown', 'tenantUnknown'])

/** Throws for an answer about another user, without the actor, or of another form: a proxy may have sent it. */
const requireAbout = ({ userId, tenantId, isSupport }: Claims, answer: HeldPermissions): void => {
  const isAbout =
    answer.user_id === userId && answer.tenant_id === tenantId && isSupport === Boolean(answer.actor)
  const isWhole = typeof answer.is_enabled === 'boolean' && Array.isArray(answer.permissions)
  if (!isAbout || !isWhole) throw new TypeError('the answer is not about this user')
}

const isOver = (err: unknown): boolean => err instanceof ApiError && sessionOverReasons.has(err.reason)

/** A token can be narrower than its session. */
const narrowed = ({ codes }: Claims, held: SessionPermissions): SessionPermissions =>
  codes ? { ...held, permissions: Object.freeze(held.permissions.filter((code) => codes.has(code))) } : held

const actingOf = ({ actor }: HeldPermissions): Acting | undefined =>
  actor
    ? Object.freeze({ userId: actor.id, tenantId: actor.tenant_id, name: actor.name, kind: actor.kind })
    : undefined

/** Asks Tenantry for the current permissions of a session, and remembers the answer for at most 1.5 seconds. */
export const createPermissions = (client: Client) => {
  /** Undefined if the session is over. */
  const ask = async (claims: Claims): Promise<SessionPermissions | undefined> => {
    try {
      const question = {
        user_id: claims.userId,
        session_id: claims.sessionId,
        include: claims.isSupport ? 'is_enabled,actor' : 'is_enabled',
      } as const
      const answer = await client.inTenant(claims.tenantId).authz.permissions(question)
      requireAbout(claims, answer)
      // Frozen, because all requests of this session share the array.
      const permissions = Object.freeze(answer.permissions)
      return { isEnabled: answer.is_enabled === true, permissions, actor: actingOf(answer) }
    } catch (err) {
      if (isOver(err)) return undefined
      throw err
    }
  }
  const answers = createAnswers(ask)
  return {
    of: async (claims: Claims): Promise<SessionPermissions> => {
      const held = await answers.of(claims)
      if (!held) throw new Refusal('sessionOver', 'The session is over')
      return narrowed(claims, held)
    },
    forget: answers.forget,
  }
}
