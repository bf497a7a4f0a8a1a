import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../../context.ts'
import { totalMax } from '../../../http/schemas.ts'
import * as store from './users.store.ts'

const rememberedMs = 5000

/**
 * Counts the users of the tenant in scope. Above 10,000 the count may be 5 seconds old (docs/contract.md, "Paged
 * lists").
 */
export type CountUsers = (ctx: Ctx) => Promise<number>

/** Requests share the counts of large tenants: a count of a million users takes a tenth of a second. */
export const createUserCounts = (): CountUsers => {
  const large = new LRUCache<string, { count: Promise<number>; until: number }>({ max: 1000 })
  return async ({ db, tenantId }) => {
    const known = large.get(tenantId)
    if (known && known.until > performance.now()) return known.count
    const counting = {
      count: store.countUsers(db, tenantId).then((row) => row?.count ?? 0),
      until: performance.now() + rememberedMs,
    }
    // For a tenant known to be large, all callers share one count. For a small tenant, each caller counts exactly.
    if (known) large.set(tenantId, counting)
    // A failed count is not cached.
    const count = await counting.count.catch((err: unknown) => {
      large.delete(tenantId)
      throw err
    })
    if (count > totalMax) large.set(tenantId, counting)
    else large.delete(tenantId)
    return count
  }
}
