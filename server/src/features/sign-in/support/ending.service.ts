/** Ends of support sessions. Only records are made here: a session that has ended counts nowhere by itself. */
import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { passOverRemoved } from '../../../errors/app-error.ts'
import { endSupport } from '../../accounts/sessions/support-ends.service.ts'
import * as store from './support.store.ts'
import { isContinuing } from './tokens.service.ts'

/** The most sessions of a round. */
const roundMax = 1000

/**
 * Ends support sessions that do not count any more, for every reason, with a record each. Several processes can run it at
 * once. Resolves with the milliseconds until the next end by time; undefined if there is none.
 */
export const endSupportSessions = async (ctx: Ctx): Promise<number | undefined> => {
  const active = await ctx.parts.store.transaction(
    {},
    (db) => store.selectAllActive(db, roundMax),
    'tenantry_search',
  )
  for (const { tenant_id: tenantId, id } of active) {
    await inTransaction(inTenant(ctx, tenantId), async (ctx) => {
      const facts = await store.selectFactsForUpdate(ctx.db, tenantId, id)
      if (facts) await isContinuing(ctx, id, facts.user.id)
    }).catch(passOverRemoved)
  }
  const next = active.map(({ ms }) => ms).filter((ms) => ms > 0)
  return next.length === 0 ? undefined : Math.min(...next)
}

/** Ends the support sessions of the tenant in scope that its settings have just shut. */
export const endShutSessions = async (ctx: TransactionCtx): Promise<void> => {
  for (const { id } of await store.selectShut(ctx.db, ctx.tenantId)) await endSupport(ctx, id, 'tenant')
}

/** Deletes the support sessions of a tenant's expired period, in the transaction that deletes its records. */
export const expireSupport = (db: TransactionDb, tenantId: string): void =>
  store.deleteExpiredSupports(db, tenantId)
