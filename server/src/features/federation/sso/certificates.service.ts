import { inTransaction, type Ctx } from '../../../context.ts'
import { forEachDue } from './due.service.ts'
import { notifyOfConnection } from './managers.service.ts'
import * as store from './saml.store.ts'

/** The most connections per round. */
const roundMax = 1000

/** Notifies managers once of each certificate that expires within 30 days. Several processes can run it at once. */
export const warnOfCertificates = async (ctx: Ctx): Promise<void> => {
  const now = ctx.parts.now()
  const due = await ctx.parts.store.transaction(
    {},
    (db) => store.selectWarnings(db, now, roundMax),
    'tenantry_search',
  )
  await forEachDue(ctx, due, (there, id) =>
    inTransaction(there, async (ctx) => {
      const warned = await store.updateWarned(ctx.db, ctx.tenantId, { id, now })
      if (!warned) return
      const { name, ends_at: end } = warned
      await notifyOfConnection(ctx, 'certificateEnds', { id, name }, { day: end.slice(0, 10) })
    }),
  )
}
