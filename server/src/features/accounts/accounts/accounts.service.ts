import { lockTenantAgainstRemoval } from '../../../access/tenancy.store.ts'
import { inTenantWithin, type TransactionCtx } from '../../../context.ts'
import { naming, record, recordAs, type Detail } from '../../audit/audit/audit.service.ts'
import type { Action } from '../../audit/audit/actions.schemas.ts'
import * as store from './accounts.store.ts'

export const listUsersOfAccount = ({ db }: TransactionCtx, accountId: number) =>
  store.selectUsersOfAccount(db, accountId)

/** An act that concerns a person in all tenants of the person. */
interface AccountEntry {
  action: Action
  detail?: Detail
  /** The acting user of the tenant in scope, if it is not the person. */
  actorId?: number
}

/**
 * Writes one record in each tenant, as an act of the person's user there. Another actor appears only in the tenant in
 * scope, because other tenants do not know that actor. Address and browser appear only there too: other tenants have no
 * right to know where the person was.
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
