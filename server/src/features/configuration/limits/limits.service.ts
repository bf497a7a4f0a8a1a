/** The most that a tenant may have of a kind: the setting `tenantry.limits` (docs/contract.md, "Limits of a tenant"). */
import { may, policies, requireMay } from '../../../access/policies.ts'
import type { EarlyCtx, TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { limitNames, type LimitName } from '../../../values/limit-names.ts'
import type { Limits } from './limits.schemas.ts'
import { nearPart, noteLevel } from './notices.service.ts'
import * as store from './limits.store.ts'

const unlimited: Limits = Object.fromEntries(limitNames.map((name) => [name, null]))

const membersOf = (value: unknown): Limits => value ?? {}

/** The tenant's value counts name by name. */
export const limitsIn = (stored: { global?: unknown; tenant?: unknown }): Limits => ({
  ...unlimited,
  ...membersOf(stored.global),
  ...membersOf(stored.tenant),
})

/** The number before a change of the transaction. */
export interface Room extends store.Room {
  name: LimitName
}

const placeOf = ({ tenantId, parts }: EarlyCtx): store.Place => ({ tenantId, now: parts.now() })

/**
 * Locks out other changes of a limited number until the transaction ends, and returns the number. Send it before the
 * change, in the same flush.
 */
export const enterRoom = async (ctx: EarlyCtx, name: LimitName): Promise<Room> => {
  const place = placeOf(ctx)
  store.lockRoom(ctx.db, place, name)
  return { name, ...(await store.selectRoom(ctx.db, place, name)) }
}

/** How many more fit. */
export const spaceIn = ({ limit, used }: Room): number =>
  limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - (used ?? 0))

const nouns: Record<LimitName, string> = {
  users: 'users',
  pending_invitations: 'pending invitations',
  service_accounts: 'service accounts',
  roles: 'roles',
  webhooks: 'webhooks',
  connections: 'connections',
}

/** Only callers that may read the usage learn the numbers. */
export const limitReached = ({ actor, tenantId }: TransactionCtx, { name, limit, used }: Room): AppError =>
  new AppError(
    'limitReached',
    `The organization has as many ${nouns[name]} as its limit allows. Delete or disable one, or ask for a higher limit`,
    may(actor, policies.readUsage, tenantId) ? { data: { limit, used, name } } : {},
  )

/** Whether a change that adds up to `most` leaves nothing to refuse and nothing to note. */
const isFar = ({ limit, used, level }: Room, most: number): boolean =>
  limit === null || (level === null && (used ?? 0) + most < limit * nearPart)

/**
 * Throws 403 if the transaction has raised the number beyond the limit. Notes a limit that is near or reached. The change
 * adds `most` at most: far from the limit the number is not counted again, which saves a round trip.
 */
export const requireRoom = async (ctx: TransactionCtx, before: Room, most: number): Promise<void> => {
  if (isFar(before, most)) return
  const { limit, used, level } = await store.selectRoom(ctx.db, placeOf(ctx), before.name)
  const [had, has] = [before.used ?? 0, used ?? 0]
  if (limit === null || has <= had) return
  if (has > limit) throw limitReached(ctx, before)
  await noteLevel(ctx, before.name, { limit, level, before: had, used: has })
}

/**
 * Runs a change that can raise a number by one. Throws 403 if the number then exceeds its limit. Far from the limit it costs
 * no round trip. Every such change calls this, or `enterRoom` and `requireRoom`.
 */
export const withinLimit = async <T>(
  ctx: TransactionCtx,
  name: LimitName,
  change: () => Promise<T>,
): Promise<T> => {
  const [before, result] = await Promise.all([enterRoom(ctx, name), change()])
  await requireRoom(ctx, before, 1)
  return result
}

/**
 * Throws 403 for a caller who is no platform administrator: nobody writes the own limits. Notes the limits of a tenant
 * that the new value makes near or reached.
 */
export const applyLimits = async (ctx: TransactionCtx, scope: 'global' | 'tenant'): Promise<void> => {
  if (ctx.actor.credential) requireMay(ctx.actor, policies.writeLimits, undefined)
  if (scope === 'global') return
  for (const name of limitNames) {
    const { limit, used, level } = await store.selectRoom(ctx.db, placeOf(ctx), name)
    if (limit === null || used === null) continue
    await noteLevel(ctx, name, { limit, level, before: used, used })
  }
}
