import type { Ctx } from '../../context.ts'
import type { Stats } from './dashboard.schemas.ts'
import { countRoles, countTenants, countUsers, type CountRow } from './dashboard.store.ts'

/** Contract, Dashboard: growth is against 30 days ago. */
const growthPeriodMs = 30 * 24 * 3_600_000

/** Percent by which `count` exceeds `earlier`, to one decimal; 100 when it was zero and is not now. */
export const growth = ({ count, earlier }: CountRow): number => {
  if (earlier === 0) return count === 0 ? 0 : 100
  return Math.round(((count - earlier) / earlier) * 1000) / 10
}

const none = { count: 0, earlier: 0, active_today: 0 }

/** The statistics of the tenant in scope; the number of tenants is for platform administrators. */
export const getStats = async (ctx: Ctx): Promise<Stats> => {
  const now = ctx.parts.now()
  const earlier = new Date(now.getTime() - growthPeriodMs)
  const visibleTenant = ctx.actor.isPlatformAdmin ? undefined : ctx.tenantId
  const [users = none, roles = none, tenants = none, onlineCount] = await Promise.all([
    countUsers(ctx.db, ctx.tenantId, earlier, now),
    countRoles(ctx.db, ctx.tenantId, earlier),
    countTenants(ctx.db, visibleTenant, earlier),
    ctx.parts.cache.countOnline(ctx.tenantId),
  ])
  return {
    userCount: users.count,
    roleCount: roles.count,
    tenantCount: tenants.count,
    onlineCount,
    todayActiveUsers: users.active_today,
    userGrowth: growth(users),
    roleGrowth: growth(roles),
    tenantGrowth: growth(tenants),
  }
}
