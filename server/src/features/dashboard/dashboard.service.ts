import { inTenant, type Ctx } from '../../context.ts'
import { builtInTenant } from '../../permissions.ts'
import type { Stats } from './dashboard.schemas.ts'
import { countDeleted, countRoles, countTenants, countUsers, type CountRow } from './dashboard.store.ts'

/** Contract, Dashboard: growth is against 30 days ago. */
const growthPeriodMs = 30 * 24 * 3_600_000

/** Percent by which `count` exceeds `earlier`, to one decimal; 100 when it was zero and is not now. */
export const growth = ({ count, earlier }: CountRow): number => {
  if (earlier === 0) return count === 0 ? 0 : 100
  return Math.round(((count - earlier) / earlier) * 1000) / 10
}

const none = { count: 0, earlier: 0, active_today: 0 }

/** The same count with what was there earlier and has been deleted since. */
const withDeleted = async (ctx: Ctx, row: CountRow, action: string, earlier: Date): Promise<CountRow> => {
  const deleted = await countDeleted(ctx.db, ctx.tenantId, action, earlier)
  return { count: row.count, earlier: row.earlier + (deleted?.count ?? 0) }
}

/** All tenants for platform administrators, with the records of the built-in tenant; one's own for everyone else. */
const countVisibleTenants = async (ctx: Ctx, earlier: Date): Promise<CountRow> => {
  if (!ctx.actor.isPlatformAdmin) return (await countTenants(ctx.db, ctx.tenantId, earlier)) ?? none
  const all = (await countTenants(ctx.db, undefined, earlier)) ?? none
  return withDeleted(inTenant(ctx, builtInTenant.id), all, 'tenant.delete', earlier)
}

/** The statistics of the tenant in scope; the number of tenants is for platform administrators. */
export const getStats = async (ctx: Ctx): Promise<Stats> => {
  const now = ctx.parts.now()
  const earlier = new Date(now.getTime() - growthPeriodMs)
  const [livingUsers = none, livingRoles = none, tenants, onlineCount] = await Promise.all([
    countUsers(ctx.db, ctx.tenantId, earlier, now),
    countRoles(ctx.db, ctx.tenantId, earlier),
    countVisibleTenants(ctx, earlier),
    ctx.parts.cache.countOnline(ctx.tenantId),
  ])
  const users = await withDeleted(ctx, livingUsers, 'user.delete', earlier)
  const roles = await withDeleted(ctx, livingRoles, 'role.delete', earlier)
  return {
    userCount: users.count,
    roleCount: roles.count,
    tenantCount: tenants.count,
    onlineCount,
    todayActiveUsers: livingUsers.active_today,
    userGrowth: growth(users),
    roleGrowth: growth(roles),
    tenantGrowth: growth(tenants),
  }
}
