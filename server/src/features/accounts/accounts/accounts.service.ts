import { lockTenantAgainstRemoval } from '../../../access/tenancy.store.ts'
import { inTenantWithin, type TransactionCtx } from '../../../context.ts'
import { naming, record, recordAs, type Detail } from '../../audit/audit/audit.service.ts'
import type { Action } from '../../audit/audit/audit.schemas.ts'
import * as store from './accounts.store.ts'

/** The users of an account in all existing tenants. */
export const listUsersOfAccount = ({ db }: TransactionCtx, accountId: number) =>
  store.selectUsersOfAccount(db, accountId)

/** An act that concerns a person in all tenants. */
interface AccountEntry {
  action: Action
  detail?: Detail
  /** The acting user of the tenant in scope, where it is not the person. */
  actorId?: number
}

/**
 * Records such an act: one record in each tenant, by the person's user there. Another actor is unknown in the other tenants.
 * Address and browser stand only in the record of the tenant in scope: others have no part in where the person was.
 */
export const recordForAccount = async (
  ctx: TransactionCtx,
  accountId: number,
  { action, detail = {}, actorId }: AccountEntry,
): Promise<void> => {
  const { tenantId: here } = ctx
  for (const { tenant_id: tenantId, user_id: userId, username } of await listUsersOfAccount(ctx, accountId)) {
    const entry = { action, resourceId: userId, detail: { ...naming({ username }), ...detail } }
    const person = { userId, username }
    if (tenantId === here) {
      if (actorId === undefined) recordAs(ctx, person, entry)
      else record(ctx, entry)
      continue
    }
    await inTenantWithin(ctx, tenantId, async (ctx) => {
      if (!(await lockTenantAgainstRemoval(ctx.db, tenantId))) return
      const elsewhere = { ...ctx, origin: { ...ctx.origin, ip: '', userAgent: '' } }
      recordAs(elsewhere, actorId === undefined ? person : nobody, entry)
    })
  }
}

const nobody = { userId: 0, username: '' }
