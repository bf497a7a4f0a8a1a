import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../../context.ts'
import { totalMax } from '../../../http/schemas.ts'
import * as store from './users.store.ts'

const rememberedMs = 5000

/**
 * Counts the users of the tenant in scope. Above 10,000 the count may be 5 seconds old (docs/contract.md, "Paged
 * lists").
 */
export type CountUsers = (ctx: Ctx, of?: CountedUsers) => Promise<number>

/** Users that match a filter: its name, and how to count them. */
interface CountedUsers {
  name: string
  count: () => Promise<number>
}

const everybodyIn = ({ db, tenantId }: Ctx): CountedUsers => ({
  name: '',
  count: async () => (await store.countUsers(db, tenantId))?.count ?? 0,
})

/** Requests share the counts of large tenants: a count of a million users takes a tenth of a second. */
export const createUserCounts = (): CountUsers => {
  const large = new LRUCache<string, { count: Promise<number>; until: number }>({ max: 1000 })
  return async (ctx, { name, count } = everybodyIn(ctx)) => {
    const key = `${ctx.tenantId} ${name}`
    const known = large.get(key)
    if (known && known.until > performance.now()) return known.count
    const counting = {
      count: count(),
      until: performance.now() + rememberedMs,
    }
    // For a tenant known to be large, all callers share one count. For a small tenant, each caller counts exactly.
    if (known) large.set(key, counting)
    // A failed count is not cached.
    const counted = await counting.count.catch((err: unknown) => {
      large.delete(key)
      throw err
    })
    if (counted > totalMax) large.set(key, counting)
    else large.delete(key)
    return counted
  }
}
