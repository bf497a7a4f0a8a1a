/** Which sign-in methods a tenant accepts for its sessions. */
import { provesTwice, type Actor } from '../../../access/actor.ts'
import type { TransactionCtx } from '../../../context.ts'
import type { TokenSubject } from '../../../crypto/tokens.ts'
import { connectionNeeded, tenantSuspended } from '../../../errors/app-error.ts'
import { naming, recordAs } from '../../audit/audit/audit.service.ts'
import * as store from './reach.store.ts'

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
  if (!ctx.tenant.is_sso_required) return undefined
  const way = { tenantId, userId, connectionId: connectionId ?? null, hasMfa: provesTwice(amr) }
  const found = await store.selectReach(ctx.db, way)
  if (!found?.reaches) throw connectionNeeded()
  if (connectionId !== undefined) return undefined
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
  reaches,
}: {
  tenant_status: number
  reaches: boolean
}): void => {
  if (status !== 1) throw tenantSuspended()
  if (!reaches) throw connectionNeeded()
}

/** For a refresh of an ended session, throws 401 if the tenant accepts only connections. */
export const refuseEnded = ({ tenant }: TransactionCtx): undefined => {
  if (tenant.is_sso_required) throw connectionNeeded()
}

/** Sessions per statement. A statement has at most 4 seconds. */
const endedMax = 10_000

/**
 * Ends the sessions of the tenant in scope that use a sign-in method it does not accept. Every replica forgets them.
 */
export const endUnreaching = async (ctx: TransactionCtx): Promise<void> => {
  for (let count = endedMax; count === endedMax;) {
    count = await store.deleteUnreachingRows(ctx.db, ctx.tenantId, endedMax)
  }
  ctx.changes.push({ kind: 'tenant', tenantId: ctx.tenantId })
}
