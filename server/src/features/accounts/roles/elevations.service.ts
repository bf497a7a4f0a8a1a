/** Elevations: a session gets a role for a time, which its user is eligible for. */
import { changingAuthority, codesOfUser, requireRankOverUser } from '../../../access/authority.ts'
import {
  isOwnUser,
  policies,
  requireAllowed,
  requireFullSession,
  requireMay,
} from '../../../access/policies.ts'
import { inOwnTenant, inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { AppError, passOverRemoved } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../../http/schemas.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import type { Elevation, ElevationQuery, StartElevation } from './elevations.schemas.ts'
import * as store from './elevations.store.ts'
import { selectEligibility, selectNextEnd } from './eligibility.store.ts'
import { codesOf, getRole } from './roles.service.ts'

/** The most elevations that a person starts in a day, in all tenants (docs/contract.md, "Elevation"). */
const perDayMax = 10

/** Elevations of the tenant in scope, newest first. Callers need `role:read`, except for their own. */
export const listElevations = async (ctx: Ctx, query: ElevationQuery): Promise<CountedPage<Elevation>> => {
  const { db, tenantId } = ctx
  const filter = { userId: query.user_id, status: query.status }
  requireMay(ctx.actor, policies.readRolesOfUser, { tenant_id: tenantId, user_id: query.user_id ?? 0 })
  const [items, { count }] = await Promise.all([
    store.selectElevations(db, tenantId, filter, sliceOf(query)),
    store.countElevations(db, tenantId, filter, totalMax),
  ])
  return pageOf(items, count, query.page, true)
}

const requireRoom = async (ctx: TransactionCtx, accountId: number): Promise<void> => {
  const { count } = await store.countStarted(ctx.db, accountId)
  if (count < perDayMax) return
  throw new AppError('tooManyRequests', `You have started ${perDayMax} elevations today. Go on tomorrow`, {
    retryAfterSeconds: 3600,
  })
}

const notEligible = (message: string) => new AppError('notEligible', message)

/**
 * Gives the caller's session a role for some minutes. Throws 403 unless the user is eligible for so long, 409 if the
 * session has the role already, and 429 beyond ten elevations a day.
 */
export const startElevation = (outer: Ctx, input: StartElevation): Promise<Elevation> =>
  changingAuthority(
    inOwnTenant(outer),
    (ctx) => getRole(ctx, input.role_id),
    async (ctx, role) => {
      const { actor, db, tenantId } = ctx
      requireFullSession(actor)
      const { userId, accountId = 0, credential: { id: sessionId } = { id: '' } } = actor
      const eligible = await selectEligibility(db, tenantId, userId, role.id)
      if (!eligible) throw notEligible('You are not eligible for this role. Ask an administrator')
      if (input.minutes > eligible.max_minutes) {
        throw notEligible(`You may have this role for ${eligible.max_minutes} minutes at most`)
      }
      if (await store.selectActive(db, tenantId, sessionId, role.id)) {
        throw new AppError('elevationActive', 'This session has the role already')
      }
      await requireRoom(ctx, accountId)
      const { minutes, reason } = input
      const row = { tenantId, userId, accountId, roleId: role.id, sessionId, reason, minutes }
      const { id } = await store.insertElevation(db, row)
      record(ctx, {
        action: 'elevation.start',
        resourceId: id,
        aboutUserId: userId,
        detail: changesBetween({}, { role: role.name, minutes, reason }),
        effect: { gives: codesOf(role.permissions) },
      })
      ctx.changes.push({ kind: 'user', tenantId, userId, sessionId })
      const started = await store.selectElevation(db, tenantId, id)
      if (!started) throw new Error('a new elevation was not found')
      return started
    },
  )

const recordEnd = (
  ctx: TransactionCtx,
  { id, user_id: userId, session_id: sessionId, ...names }: store.EndedElevation,
) => {
  record(ctx, {
    action: 'elevation.end',
    resourceId: id,
    aboutUserId: userId,
    detail: naming({ username: names.username, role: names.role }),
  })
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId, sessionId })
}

/** Ends an elevation. Callers need `role:assign` and rank over the user, except for their own. */
export const endElevation = (ctx: Ctx, id: number): Promise<null> =>
  changingAuthority(
    ctx,
    async (ctx) => {
      const found = await store.selectElevation(ctx.db, ctx.tenantId, id)
      return found && { found, codes: await codesOfUser(ctx, found.user.id) }
    },
    async (ctx, known) => {
      const unknown = new AppError('elevationUnknown', 'There is no elevation with this id in this tenant')
      if (!known) throw unknown
      requireFullSession(ctx.actor)
      const userId = known.found.user.id
      if (!isOwnUser(ctx.actor, { tenant_id: ctx.tenantId, user_id: userId })) {
        requireAllowed(ctx.actor, 'role:assign')
        requireRankOverUser(ctx, userId, known.codes)
      }
      const ended = await store.updateEnded(ctx.db, ctx.tenantId, id)
      if (ended) recordEnd(ctx, ended)
      return null
    },
  )

/** The most tenants with open elevations that a round sees. */
const tenantsMax = 10_000

/** The most elevations that one transaction ends. */
const roundMax = 1000

/**
 * Records the end of elevations that do not count any more, for every reason. Several processes can run it at once.
 * Resolves with the milliseconds until the next end of an elevation or an eligibility; undefined if there is none.
 */
export const endElevations = async (ctx: Ctx): Promise<number | undefined> => {
  const open = await ctx.parts.store.transaction(
    {},
    (db) => store.selectTenantsWithOpen(db, tenantsMax),
    'tenantry_search',
  )
  for (const { tenant_id: tenantId } of open) {
    await inTransaction(inTenant(ctx, tenantId), async (ctx) => {
      for (const ended of await store.updateAllEnded(ctx.db, tenantId, roundMax)) recordEnd(ctx, ended)
    }).catch(passOverRemoved)
  }
  if (open.length === 0) return undefined
  const { ms } = await ctx.parts.store.transaction({}, selectNextEnd, 'tenantry_search')
  const next = [...open.map((one) => one.ms), ms ?? 0].filter((one) => one > 0)
  return next.length === 0 ? undefined : Math.min(...next)
}

/** Deletes the elevations of a tenant's expired period, in the transaction that deletes its records. */
export const expireElevations = (db: TransactionDb, tenantId: string): void =>
  store.deleteExpiredElevations(db, tenantId)
