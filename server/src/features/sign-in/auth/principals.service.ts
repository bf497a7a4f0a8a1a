import { actorOf, isWithinBounds, type Actor } from '../../../access/actor.ts'
import { readCaller } from '../../../access/caller.ts'
import { resolveGuest } from '../../../access/guests.ts'
import { resolveSupport } from '../../../access/support.ts'
import type { CallerRow } from '../../../access/caller.store.ts'
import type { Caller } from '../../../access/credential.ts'
import { concernsUser, createRemembered } from '../../../cache/remembered.ts'
import type { Invalidation } from '../../../cache/cache.ts'
import type { Parts } from '../../../context.ts'
import { updateKeyUsed, updateLastSeen, updateSessionUsed } from './auth.store.ts'

/** Resolves callers to their present permissions. */
export interface Principals {
  /** Undefined if credential, caller or tenant no longer exists, or if a key is not valid at the address `ip`. */
  resolve: (caller: Caller, ip: string) => Promise<Actor | undefined>
  /** Forgets the callers that a change concerns. Without a change, forgets all callers. */
  forget: (change: Invalidation | undefined) => void
}

const keyOf = ({ tenantId, userId, credential }: Caller): string =>
  `${tenantId} ${userId} ${credential.kind} ${credential.id} ${credential.narrowedTo?.join(' ') ?? ''} ${credential.via ?? ''}`

export const createPrincipals = (
  parts: Pick<Parts, 'config' | 'store' | 'cache' | 'now' | 'metrics'>,
): Principals => {
  const remembered = createRemembered<Actor>({ isConcerned: concernsUser })
  return {
    resolve: async (caller, ip) => {
      if (caller.credential.kind === 'guest') return resolveGuest(parts.store, caller, parts.now())
      if (caller.credential.kind === 'support') return resolveSupport(parts, caller)
      const key = keyOf(caller)
      const known = remembered.get(key)
      parts.metrics.callerLookups.inc({ result: known ? 'hit' : 'miss' })
      const actor = known ?? (await remembered.read(key, () => readActor(parts, caller, ip)))
      return actor && isWithinBounds(actor, ip, parts.now()) ? actor : undefined
    },
    forget: remembered.forget,
  }
}

const readActor = async (
  parts: Pick<Parts, 'config' | 'store' | 'cache' | 'now'>,
  caller: Caller,
  ip: string,
): Promise<Actor | undefined> => {
  const row = await readCaller(parts.store.scoped({ tenantId: caller.tenantId }), caller, parts.now())
  const actor = row && actorOf(parts.config, caller, row)
  if (actor && isWithinBounds(actor, ip, parts.now())) await noteUse(parts, actor, row)
  return actor
}

/**
 * Stores the caller's activity. Only users count as online; a service account has only its last use. Day and session
 * are two transactions, so that no transaction locks both rows.
 */
const noteUse = async (
  { store, cache, now }: Pick<Parts, 'store' | 'cache' | 'now'>,
  { tenantId, userId, credential, key }: Actor,
  { is_noted: isNoted, is_seen_today: isSeenToday }: CallerRow,
): Promise<void> => {
  const db = store.scoped({ tenantId })
  if (key) {
    if (!isNoted) await updateKeyUsed(db, tenantId, key.id, now())
    return
  }
  cache.touch(tenantId, userId)
  if (!isSeenToday) await updateLastSeen(db, tenantId, userId, now())
  if (!isNoted && credential) await updateSessionUsed(db, { tenantId, id: credential.id, now: now() })
}
