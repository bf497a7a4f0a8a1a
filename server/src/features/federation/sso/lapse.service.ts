import { inTransaction, type Ctx } from '../../../context.ts'
import { hasRecord, readRecordTexts, storeCheck } from './domains.service.ts'
import { forEachDue } from './due.service.ts'
import * as store from './domains.store.ts'

const periodMs = 24 * 3_600_000
/** The most domains per round. */
const roundMax = 1000

/** Checks the verified domains of all tenants again, each once a day. Several processes can run it at once. */
export const recheckDomains = async (ctx: Ctx): Promise<void> => {
  const { store: database, now } = ctx.parts
  const before = new Date(now().getTime() - periodMs)
  const due = await database.transaction({}, (db) => store.selectDue(db, before, roundMax), 'tenantry_search')
  await forEachDue(ctx, due, lookAt)
}

const lookAt = async (ctx: Ctx, id: number): Promise<void> => {
  const found = await store.selectDomain(ctx.db, ctx.tenantId, id)
  if (!found) return
  const isThere = hasRecord(await readRecordTexts(ctx, found.domain), found.token)
  await inTransaction(ctx, async (ctx) => {
    const row = await store.selectDomainForUpdate(ctx.db, ctx.tenantId, id)
    if (row?.status === 'verified') await storeCheck(ctx, row, isThere)
  })
}
