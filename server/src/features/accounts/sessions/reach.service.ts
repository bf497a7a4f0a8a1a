/** Which sign-in methods a tenant accepts for its sessions. */
import { provesTwice, type Actor } from '../../../access/actor.ts'
import { inTenantWithin, type TransactionCtx } from '../../../context.ts'
import type { TokenSubject } from '../../../crypto/tokens.ts'
import type { Barrier } from '../../../access/reach.sql.ts'
import {
  AppError,
  connectionNeeded,
  connectionNeededHere,
  tenantSuspended,
  wayClosed,
  wayClosedHere,
} from '../../../errors/app-error.ts'
import { naming, recordAs } from '../../audit/audit/audit.service.ts'
import * as store from './reach.store.ts'

/** The error of a sign-in or refresh that the tenant does not accept. */
export const refusals: Record<Barrier, () => AppError> = { connection: connectionNeeded, way: wayClosed }

/** The errors for a signed-in caller who needs another sign-in for the tenant. */
export const refusalsHere: Record<Barrier, () => AppError> = {
  connection: connectionNeededHere,
  way: wayClosedHere,
}

/** Rethrows an error. For a caller who needs another sign-in for this tenant, it is 403 instead of 401. */
export const orElsewhere = (err: unknown): never => {
  const barrier = (Object.keys(refusals) as Barrier[]).find(
    (one) => err instanceof AppError && err.code === refusals[one]().code,
  )
  throw barrier ? refusalsHere[barrier]() : err
}

/** A new session, before its tenant has accepted it. */
export interface OpenedSession extends TokenSubject {
  /** The username of a break-glass user, if only the exemption admits the sign-in. */
  brokenGlassBy: string | undefined
}

/**
 * Throws 401 unless the tenant accepts the sign-in method. If only the exemption admits a break-glass user, writes an
 * audit record and returns the username.
 */
export const requireReach = async (
  ctx: TransactionCtx,
  { userId, tenantId }: Pick<Actor, 'userId' | 'tenantId'>,
  amr: readonly string[],
  connectionId: string | undefined,
): Promise<string | undefined> => {
  const opening = { tenantId, userId, connectionId: connectionId ?? null, amr, hasMfa: provesTwice(amr) }
  const found = await store.selectBarrier(ctx.db, opening)
  if (found?.barrier) throw refusals[found.barrier]()
  if (!found || !ctx.tenant.is_sso_required || connectionId !== undefined) return undefined
  const { username } = found
  recordAs(
    ctx,
    { userId, username },
    { action: 'auth.break_glass', resourceId: userId, detail: naming({ username }) },
  )
  return username
}

/** Throws 401 for a refresh if the tenant is disabled, or does not accept the session's sign-in method. */
export const requireOpen = ({
  tenant_status: status,
  barrier,
}: {
  tenant_status: number
  barrier: Barrier | null
}): void => {
  if (status !== 1) throw tenantSuspended()
  if (barrier) throw refusals[barrier]()
}

/**
 * For a refresh of an ended session, throws 401 if the tenant accepts only connections or has closed a way. The
 * deleted session no longer shows its way.
 */
export const refuseEnded = async (
  { tenant, db, tenantId }: TransactionCtx,
  userId: number,
): Promise<undefined> => {
  if (tenant.is_sso_required) throw connectionNeeded()
  const ways = [['pwd'], ['pop']].map((amr) =>
    store.selectBarrier(db, { tenantId, userId, connectionId: null, amr, hasMfa: false }),
  )
  if ((await Promise.all(ways)).some((found) => found?.barrier)) throw wayClosed()
}

/** Sessions per statement. A statement has at most 4 seconds. */
const endedMax = 10_000

/**
 * Ends the sessions of the tenant in scope that use a sign-in method it does not accept. Every replica forgets them.
 */
export const endUnreaching = async (ctx: TransactionCtx): Promise<void> => {
  await deleteUnreaching(ctx)
  ctx.changes.push({ kind: 'tenant', tenantId: ctx.tenantId })
}

const deleteUnreaching = async ({ db, tenantId }: TransactionCtx): Promise<void> => {
  for (let count = endedMax; count === endedMax;) {
    count = await store.deleteUnreachingRows(db, tenantId, endedMax)
  }
}

/** Ends the sessions of all tenants that use a closed way. Every replica forgets every caller. */
export const endUnreachingEverywhere = async (ctx: TransactionCtx): Promise<void> => {
  for (const { id } of await store.selectTenantIds(ctx.db)) await inTenantWithin(ctx, id, deleteUnreaching)
  ctx.changes.push({ kind: 'catalogue' })
}

/** True if the tenant in scope accepts the session of the caller. */
export const reachesOwn = async ({ db, tenantId, actor }: TransactionCtx): Promise<boolean> =>
  actor.credential?.kind !== 'session' ||
  (await store.selectSessionBarrier(db, tenantId, actor.credential.id))?.barrier === null
