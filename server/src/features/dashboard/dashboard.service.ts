import { inTenant, type Ctx } from '../../context.ts'
import { builtInTenant } from '../../permissions.ts'
import type { Activity, ActivityQuery, Stats } from './dashboard.schemas.ts'
import {
  countDeleted,
  countRoles,
  countTenants,
  countUsers,
  selectActivity,
  type CountRow,
  type Deletion,
} from './dashboard.store.ts'

/** Contract, Dashboard: growth is against 30 days ago. */
const growthPeriodMs = 30 * 24 * 3_600_000

/** Percent by which `count` exceeds `earlier`, to one decimal; 100 when it was zero and is not now. */
export const growth = ({ count, earlier }: CountRow): number => {
  if (earlier === 0) return count === 0 ? 0 : 100
  return Math.round(((count - earlier) / earlier) * 1000) / 10
}

const none = { count: 0, earlier: 0, active_today: 0 }

/** The same count with what was there earlier and has been deleted since. */
const withDeleted = async <Row extends CountRow>(
  ctx: Ctx,
  counting: Promise<Row | undefined>,
  action: Deletion,
  earlier: Date,
): Promise<Row | undefined> => {
  const [row, deleted] = await Promise.all([counting, countDeleted(ctx.db, ctx.tenantId, action, earlier)])
  return row && { ...row, earlier: row.earlier + (deleted?.count ?? 0) }
}

/** All tenants for platform administrators, with the records of the built-in tenant; one's own for everyone else. */
const countVisibleTenants = (ctx: Ctx, earlier: Date): Promise<CountRow | undefined> => {
  if (!ctx.actor.isPlatformAdmin) return countTenants(ctx.db, ctx.tenantId, earlier)
  const all = countTenants(ctx.db, undefined, earlier)
  return withDeleted(inTenant(ctx, builtInTenant.id), all, 'tenant.delete', earlier)
}

/** The statistics of the tenant in scope; the number of tenants is for platform administrators. */
export const getStats = async (ctx: Ctx): Promise<Stats> => {
  const now = ctx.parts.now()
  const earlier = new Date(now.getTime() - growthPeriodMs)
  const [users = none, roles = none, tenants = none, onlineCount] = await Promise.all([
    withDeleted(ctx, countUsers(ctx.db, earlier, now), 'user.delete', earlier),
    withDeleted(ctx, countRoles(ctx.db, ctx.tenantId, earlier), 'role.delete', earlier),
    countVisibleTenants(ctx, earlier),
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

/** What was going on in the tenant in scope, up to today. */
export const getActivity = async (ctx: Ctx, { days }: ActivityQuery): Promise<Activity> => ({
  items: await selectActivity(ctx.db, ctx.tenantId, days, ctx.parts.now()),
})
