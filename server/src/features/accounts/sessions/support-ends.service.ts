/** Ends of support sessions, with a record and a change for every replica. */
import { lockTenantAgainstRemoval } from '../../../access/tenancy.store.ts'
import { inTenantWithin, tokenInvalid, type TransactionCtx } from '../../../context.ts'
import { changesBetween, naming, record, recordAs } from '../../audit/audit/audit.service.ts'
import { isOfConnection } from './connection-ends.service.ts'
import * as store from './support-ends.store.ts'

export type { EndedBy } from './support-ends.store.ts'

const entryOf = (ended: store.EndedSupport) =>
  ({
    action: 'support.end',
    resourceId: ended.id,
    aboutUserId: ended.user_id,
    detail: {
      ...naming({ username: ended.user_name, actor_name: ended.actor_name }),
      ...changesBetween({}, { kind: ended.kind, ended_by: ended.ended_by }),
    },
  }) as const

const announce = (ctx: TransactionCtx, ended: store.EndedSupport): void => {
  store.insertLogouts(ctx.db, ctx.tenantId, ended.id)
  const change = { kind: 'user', tenantId: ctx.tenantId, userId: ended.user_id, sessionId: ended.id } as const
  ctx.changes.push(change)
}

/** Ends a support session of the tenant in scope, by the caller. False if it is over already. */
export const endSupport = async (
  ctx: TransactionCtx,
  id: string,
  endedBy: store.EndedBy,
): Promise<boolean> => {
  const ended = await store.updateSupportEnded(ctx.db, ctx.tenantId, id, endedBy)
  if (!ended) return false
  record(ctx, entryOf(ended))
  announce(ctx, ended)
  return true
}

/** Ends a support session of the tenant in scope that does not count any more, as the system. */
export const endLapsedSupport = async (ctx: TransactionCtx, id: string): Promise<void> => {
  const ended = await store.updateSupportEnded(ctx.db, ctx.tenantId, id, 'authority')
  if (!ended) return
  recordAs(ctx, { userId: 0, username: '' }, entryOf(ended))
  announce(ctx, ended)
}

/** Ends an active support session as its user. False if there is none. */
export const endSupportAsUser = async (ctx: TransactionCtx, userId: number, id: string): Promise<boolean> => {
  const ended = await store.updateSupportEndedByUser(ctx.db, ctx.tenantId, userId, id)
  if (!ended) return false
  record(ctx, entryOf(ended))
  announce(ctx, ended)
  return true
}

/**
 * Ends a support session as the user whom the caller's person has in another tenant, if its status is one of `statuses`.
 * Undefined if there is none. A connection vouches for no user elsewhere. The record names the user of that tenant, which
 * has no right to know where the person was.
 */
export const endSupportElsewhere = async (
  ctx: TransactionCtx,
  id: string,
  statuses: readonly string[],
): Promise<{ status: string; isEnded: boolean } | undefined> => {
  const { accountId } = ctx.actor
  if (accountId === undefined || isOfConnection(ctx)) return undefined
  const found = await store.selectSupportElsewhere(ctx.db, ctx.tenantId, accountId, id)
  if (!found) return undefined
  const { tenant_id: tenantId, status } = found
  const isEnded =
    statuses.includes(status) && (await inTenantWithin(ctx, tenantId, (ctx) => endAsUser(ctx, id)))
  return { status, isEnded }
}

const endAsUser = async (ctx: TransactionCtx, id: string): Promise<boolean> => {
  if (!(await lockTenantAgainstRemoval(ctx.db, ctx.tenantId))) return false
  const ended = await store.updateSupportEnded(ctx.db, ctx.tenantId, id, 'user')
  if (!ended) return false
  const elsewhere = { ...ctx, origin: { ...ctx.origin, ip: '', userAgent: '' } }
  recordAs(elsewhere, { userId: ended.user_id, username: ended.user_name }, entryOf(ended))
  announce(ctx, ended)
  return true
}

/** Ends the support session of the caller. It ends no other session. */
export const leaveSupport = async (ctx: TransactionCtx): Promise<null> => {
  const { support } = ctx.actor
  if (!support) throw tokenInvalid()
  await endSupport(ctx, support.id, 'actor')
  return null
}
