import { policies, requireMay } from '../../../access/policies.ts'
import { enterTenant } from '../../../access/tenancy.store.ts'
import type { Ctx } from '../../../context.ts'
import { pageOf, sliceOf, type CountedPage } from '../../../http/schemas.ts'
import type { TenantUsage, Usage, UsageQuery } from './limits.schemas.ts'
import * as store from './limits.store.ts'

/** The numbers and limits of the tenant in scope. Throws 403 for a caller who may not read it. */
export const getUsage = async ({ actor, db, tenantId, parts }: Ctx): Promise<Usage> => {
  requireMay(actor, policies.readUsage, tenantId)
  return store.selectUsage(db, { tenantId, now: parts.now() })
}

/** The numbers and limits of every tenant, by id. */
export const listUsage = async (ctx: Ctx, query: UsageQuery): Promise<CountedPage<TenantUsage>> => {
  const [tenants, { count }] = await Promise.all([
    store.selectTenantIds(ctx.db, sliceOf(query)),
    store.countTenants(ctx.db),
  ])
  const now = ctx.parts.now()
  const items = await ctx.parts.store.reading({}, (db) =>
    Promise.all(
      tenants.map(async ({ id }) => {
        enterTenant(db, id)
        return { tenant_id: id, usage: await store.selectUsage(db, { tenantId: id, now }) }
      }),
    ),
  )
  return pageOf(items, count, query.page, false)
}
