import { inTenant, type Ctx } from '../../../context.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { may, policies } from '../../../access/policies.ts'
import { countRoles } from '../../accounts/roles/roles.service.ts'
import type { CountUsers } from '../../accounts/users/counts.service.ts'
import type { Activity, ActivityQuery, Stats } from './dashboard.schemas.ts'
import * as store from './dashboard.store.ts'

export type { CountUsers }

/** Growth compares with the end of the day 30 days ago (docs/contract.md, "Dashboard"). */
const growthDays = 30

/**
 * The growth from `earlier` to `count` in percent, to one decimal. 100 if `earlier` is zero or unknown and `count` is
 * not zero.
 */
export const growth = (count: number, earlier = 0): number => {
  if (earlier === 0) return count === 0 ? 0 : 100
  return Math.round(((count - earlier) / earlier) * 1000) / 10
}

/**
 * The number of visible tenants, now and at `then`. Callers with `tenant:read` see all tenants; others see only their
 * own.
 */
const countVisibleTenants = async (ctx: Ctx, then: store.DayCounts | undefined) => {
  if (!may(ctx.actor, policies.countTenants, undefined)) return { count: 1, earlier: then && 1 }
  const { db, parts } = inTenant(ctx, builtInTenant.id)
  const [counted, day] = await Promise.all([
    store.countTenants(db),
    store.selectDay(db, builtInTenant.id, growthDays, parts.now()),
  ])
  return { count: counted?.count ?? 0, earlier: day?.tenants }
}

/** The statistics of the tenant in scope. The number of all tenants needs `tenant:read`. */
export const getStats = async (ctx: Ctx, countUsers: CountUsers): Promise<Stats> => {
  const { db, parts, tenantId } = ctx
  const now = parts.now()
  const selectingDay = store.selectDay(db, tenantId, growthDays, now)
  const [then, userCount, roleCount, active, tenants, onlineCount] = await Promise.all([
    selectingDay,
    countUsers(ctx),
    countRoles(ctx),
    store.countActiveToday(db, tenantId, now),
    selectingDay.then((day) => countVisibleTenants(ctx, day)),
    parts.cache.countOnline(tenantId),
  ])
  return {
    userCount,
    roleCount,
    tenantCount: tenants.count,
    onlineCount,
    todayActiveUsers: active?.count ?? 0,
    userGrowth: growth(userCount, then?.users),
    roleGrowth: growth(roleCount, then?.roles),
    tenantGrowth: growth(tenants.count, tenants.earlier),
  }
}

const dayMs = 24 * 3_600_000

export const getActivity = async (
  { db, parts, tenantId }: Ctx,
  { days }: ActivityQuery,
): Promise<Activity> => {
  const now = parts.now()
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
  const written = await store.selectActivity(db, tenantId, days, now)
  const known = new Map(written.map((day) => [day.date, day]))
  const counted = dates.slice(-2).filter((date) => !known.has(date))
  for (const day of await Promise.all(counted.map((date) => store.countActivity(db, tenantId, date)))) {
    if (day) known.set(day.date, day)
  }
  return { items: dates.map((date) => known.get(date) ?? { date, sign_ups: 0, active_users: 0 }) }
}
