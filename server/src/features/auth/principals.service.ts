import { LRUCache } from 'lru-cache'
import { actorOf, isWithinBounds, type Actor } from '../../access/actor.ts'
import { selectCaller, type CallerRow } from '../../access/caller.store.ts'
import type { Caller } from '../../access/credential.ts'
import type { Change } from '../../cache/cache.ts'
import type { Parts } from '../../context.ts'
import { updateKeyUsed, updateLastSeen, updateSessionUsed } from './auth.store.ts'

/**
 * How long a resolved caller is remembered. Changes are told to every replica at once; this bounds the effect of a lost
 * message: nobody keeps a permission they lost for longer than 2 seconds.
 */
const rememberedMs = 1500
/** About 1 kB each. */
const rememberedCallers = 10_000

/** Resolves callers to their present rights. */
export interface Principals {
  /** Undefined when credential, caller or tenant are no more, and when a key is not valid for the address `ip`. */
  resolve: (caller: Caller, ip: string) => Promise<Actor | undefined>
  /** Forgets the callers whom a change concerns; all of them without a change. */
  forget: (change: Change | undefined) => void
}

const keyOf = ({ credential }: Caller): string => `${credential.kind} ${credential.id}`

export const createPrincipals = (
  parts: Pick<Parts, 'config' | 'store' | 'cache' | 'now' | 'metrics'>,
): Principals => {
  const remembered = new LRUCache<string, Actor>({ max: rememberedCallers })
  const loading = new Map<string, Promise<Actor | undefined>>()
  let changes = 0

  const load = async (caller: Caller, ip: string): Promise<Actor | undefined> => {
    const startedAt = performance.now()
    const changesBefore = changes
    const actor = await readActor(parts, caller, ip)
    const ttl = rememberedMs - (performance.now() - startedAt)
    // A caller that was read before a change arrived serves this request, and no other one.
    if (actor && changes === changesBefore && ttl >= 1) {
      remembered.set(keyOf(caller), actor, { ttl, start: performance.now() })
    }
    return actor
  }

  const loadOnce = (caller: Caller, ip: string): Promise<Actor | undefined> => {
    const key = `${caller.tenantId} ${caller.userId} ${keyOf(caller)} ${changes}`
    const running = loading.get(key)
    if (running) return running
    const started = load(caller, ip).finally(() => loading.delete(key))
    loading.set(key, started)
    return started
  }

  return {
    resolve: async (caller, ip) => {
      const known = remembered.get(keyOf(caller))
      parts.metrics.callerLookups.inc({ result: known ? 'hit' : 'miss' })
      const isSame = known?.userId === caller.userId && known.tenantId === caller.tenantId
      const actor = isSame ? known : await loadOnce(caller, ip)
      return actor && isWithinBounds(actor, ip, parts.now()) ? actor : undefined
    },
    forget: (change) => {
      if (change?.kind === 'inbox') return
      changes += 1
      if (change === undefined || change.kind === 'catalogue') return remembered.clear()
      if (change.kind === 'keys') return
      for (const [key, actor] of remembered.entries()) {
        if (isConcerned(actor, change)) remembered.delete(key)
      }
    },
  }
}

const isConcerned = (
  actor: Actor,
  change: Exclude<Change, { kind: 'catalogue' | 'keys' | 'inbox' }>,
): boolean => {
  if (change.kind === 'account') return actor.accountId === change.accountId
  return actor.tenantId === change.tenantId && (change.kind === 'tenant' || actor.userId === change.userId)
}

const readActor = async (
  parts: Pick<Parts, 'config' | 'store' | 'cache' | 'now'>,
  caller: Caller,
  ip: string,
): Promise<Actor | undefined> => {
  const row = await selectCaller(parts.store.scoped({ tenantId: caller.tenantId }), caller, parts.now())
  const actor = row && actorOf(parts.config, caller, row)
  if (actor && isWithinBounds(actor, ip, parts.now())) await noteUse(parts, actor, row)
  return actor
}

/**
 * Notes that the caller is here. Only users count as online; a service account has its last use alone. Day and session
 * are two transactions: no statement holds the locks of both rows.
 */
const noteUse = async (
  { store, cache, now }: Pick<Parts, 'store' | 'cache' | 'now'>,
  { tenantId, userId, accountId, credential, key }: Actor,
  { is_noted: isNoted, is_seen_today: isSeenToday }: CallerRow,
): Promise<void> => {
  const db = store.scoped({ tenantId })
  if (key) {
    if (!isNoted) await updateKeyUsed(db, tenantId, key.id, now())
    return
  }
  cache.touch(tenantId, userId)
  if (!isSeenToday) await updateLastSeen(db, tenantId, userId, now())
  if (!isNoted && credential && accountId !== undefined) {
    await updateSessionUsed(db, { tenantId, id: credential.id, accountId, now: now() })
  }
}
