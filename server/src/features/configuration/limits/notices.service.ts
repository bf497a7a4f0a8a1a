/** Notices of numbers that near or reach their limit, each once until the number falls below 80 %. */
import type { LimitNotice, TransactionCtx } from '../../../context.ts'
import type { LimitName } from '../../../values/limit-names.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import * as store from './limits.store.ts'

/** A limit is near from this part of it on. */
export const nearPart = 0.9

const levelOf = (used: number, limit: number): 0 | 1 | 2 => {
  if (limit === 0) return 0
  if (used >= limit) return 2
  return used >= limit * nearPart ? 1 : 0
}

const actions = { 1: 'tenant.limit_near', 2: 'tenant.limit_reached' } as const

/** Records a new level, and notifies the administrators of the tenant. */
const announce = async (ctx: TransactionCtx, level: 1 | 2, facts: Omit<LimitNotice, 'isReached'>) => {
  const { name, used, limit } = facts
  const numbers = { used: String(used), limit: String(limit) }
  if ((await store.upsertNotice(ctx.db, ctx.tenantId, name, level)).length === 0) return
  record(ctx, {
    action: actions[level],
    resourceId: ctx.tenantId,
    detail: naming({ name, ...numbers }),
  })
  await ctx.parts.notifyOfLimit(ctx, { ...facts, isReached: level === 2 })
}

/** Compares a limited number with its limit, before and after a change. */
export const noteLevel = async (
  ctx: TransactionCtx,
  name: LimitName,
  { limit, level, before, used }: { limit: number; level: number | null; before: number; used: number },
): Promise<void> => {
  const isPast = level !== null && before < limit * 0.8
  if (isPast) store.deleteNotice(ctx.db, ctx.tenantId, name)
  const reached = levelOf(used, limit)
  if (reached !== 0 && (isPast || reached > (level ?? 0))) await announce(ctx, reached, { name, used, limit })
}
