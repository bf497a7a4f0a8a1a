/** The total numbers of audit lists. */
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../../context.ts'
import { totalMax } from '../../../http/schemas.ts'
import * as store from './audit.store.ts'
import { readYoungFirst } from './young-first.service.ts'
import { firstPosition, sealedRecords } from './chain.ts'

/** No log is longer. Only a log without a readable head is counted row by row, up to this number. */
const recordsMax = 2 ** 31 - 2

export type LargeTotals = LRUCache<string, LargeTotal>

/** Filters that found more than `totalMax` records, by tenant and filter (decision 0083). */
export const createLargeTotals = (): LargeTotals => new LRUCache({ max: 1000 })

/** The number of matching records. The signed head counts an unfiltered log; a statement counts filtered records. */
export const countMatching = async (
  ctx: Ctx,
  filter: store.AuditFilter,
  large: LargeTotals,
): Promise<{ count: number; isFiltered: boolean }> => {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (isFiltered) return { count: await countFiltered(ctx, filter, large), isFiltered }
  const size = await findSize(ctx)
  if (size !== undefined) return { count: size, isFiltered }
  return { count: (await countOneByOne(ctx, filter, recordsMax)).count, isFiltered }
}

const countOneByOne = (ctx: Ctx, filter: store.AuditFilter, max: number) =>
  readYoungFirst(ctx, filter, {
    read: async (bounded) =>
      (await store.countAuditLogs(ctx.db, ctx.tenantId, bounded, max)) ?? { count: 0, head: null },
    isEnough: ({ count }) => count > max,
  })

/**
 * The size of the log without a count of its rows: the signed head has the number of sealed records, and few records
 * wait.
 */
const findSize = async ({ db, tenantId }: Ctx): Promise<number | undefined> => {
  const size = await store.selectAuditSize(db, tenantId)
  const sealed = size?.head ? sealedRecords(size.head) : undefined
  return sealed !== undefined && size ? sealed + size.waiting : undefined
}

interface LargeTotal {
  /** The position of the tenant's first record when it was counted. */
  first: number
  until: number
}

const rememberedMs = 60_000

/**
 * Counts up to `totalMax` + 1. Only retention deletes records of a living tenant, and the same transaction moves the
 * first position. While that position is unchanged, a filter with too many records still has too many.
 */
const countFiltered = async (ctx: Ctx, filter: store.AuditFilter, large: LargeTotals): Promise<number> => {
  const key = JSON.stringify([ctx.tenantId, filter])
  const now = ctx.parts.now().getTime()
  if (await isStillLarge(ctx, large.get(key), now)) return totalMax + 1
  const { count, head } = await countOneByOne(ctx, filter, totalMax)
  const first = head === null ? undefined : firstPosition(head)
  if (count > totalMax && first !== undefined) large.set(key, { first, until: now + rememberedMs })
  return count
}

const isStillLarge = async (
  { db, tenantId }: Ctx,
  seen: LargeTotal | undefined,
  now: number,
): Promise<boolean> => {
  if (!seen || seen.until <= now) return false
  const head = await store.selectAuditHead(db, tenantId)
  return head !== undefined && firstPosition(head.statement) === seen.first
}
