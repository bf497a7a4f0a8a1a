import { LRUCache } from 'lru-cache'
import type { Change } from '../../cache/cache.ts'
import { isSuspended, type Actor, type Parts } from '../../context.ts'
import { selectCaller } from '../../caller.store.ts'
import { updateLastSeen } from './auth.store.ts'
import type { Claims } from '../../crypto/tokens.ts'

/**
 * How long a resolved caller is remembered. Changes are told to every replica at once; this bounds what a lost
 * message can do: nobody keeps a permission they lost for longer than 2 seconds.
 */
const rememberedMs = 1500
/** About 1 kB each. */
const rememberedCallers = 10_000

/** Answers who the bearer of a valid token is now; undefined when session, user or tenant are no more. */
export interface Principals {
  resolve: (claims: Claims) => Promise<Actor | undefined>
  /** Forgets whom a change concerns; all, without one. */
  forget: (change: Change | undefined) => void
}

export const createPrincipals = (parts: Pick<Parts, 'store' | 'cache' | 'now' | 'metrics'>): Principals => {
  const remembered = new LRUCache<string, Actor>({ max: rememberedCallers })
  const loading = new Map<string, Promise<Actor | undefined>>()
  let changes = 0

  const load = async (claims: Claims): Promise<Actor | undefined> => {
    const startedAt = performance.now()
    const changesBefore = changes
    const actor = await readActor(parts, claims)
    const ttl = rememberedMs - (performance.now() - startedAt)
    // What was read before a change arrived is good for this request, and for no other one.
    if (actor && changes === changesBefore && ttl >= 1) {
      remembered.set(claims.sessionId, actor, { ttl, start: performance.now() })
    }
    return actor
  }

  const loadOnce = (claims: Claims): Promise<Actor | undefined> => {
    const key = `${claims.tenantId} ${claims.userId} ${claims.sessionId} ${changes}`
    const running = loading.get(key)
    if (running) return running
    const started = load(claims).finally(() => loading.delete(key))
    loading.set(key, started)
    return started
  }

  return {
    resolve: async (claims) => {
      const known = remembered.get(claims.sessionId)
      parts.metrics.callerLookups.inc({ result: known ? 'hit' : 'miss' })
      const isSame = known?.userId === claims.userId && known.tenantId === claims.tenantId
      return isSame ? known : loadOnce(claims)
    },
    forget: (change) => {
      changes += 1
      if (change === undefined) return remembered.clear()
      if (change.kind === 'keys') return
      for (const [sessionId, actor] of remembered.entries()) {
        const isConcerned =
          actor.tenantId === change.tenantId && (change.kind === 'tenant' || actor.userId === change.userId)
        if (isConcerned) remembered.delete(sessionId)
      }
    },
  }
}

const readActor = async (
  { store, cache, now }: Pick<Parts, 'store' | 'cache' | 'now'>,
  { tenantId, userId, sessionId }: Claims,
): Promise<Actor | undefined> => {
  const db = store.scoped({ tenantId })
  const row = await selectCaller(db, { tenantId, userId, sessionId }, now())
  if (!row) return undefined
  cache.touch(tenantId, userId)
  if (!row.seen_today) await updateLastSeen(db, tenantId, userId, now())
  return {
    userId,
    tenantId,
    sessionId,
    isPlatformAdmin: row.is_platform_admin,
    isSuspended: isSuspended(row),
    permissions: new Set(row.permissions),
  }
}
