/**
 * Who may do what to whom: the rules about what one holds, in one place, for every door. The permission of an
 * endpoint is checked before, by the `allow` of its route; what stands here depends on the other side.
 *
 * Every function runs inside the transaction of the change, after `lockAuthority`: changes of who may do what go one
 * at a time within a tenant, so that two requests cannot each undo what the other one relied on.
 */
import sql from 'sql-template-tag'
import type { TransactionCtx } from './context.ts'
import { AppError } from './errors.ts'
import { builtInTenant, permissions, platformAdminRole } from './permissions.ts'

/** Takes the tenant's turn for changes of authority, until the transaction ends. */
export const lockAuthority = async (ctx: TransactionCtx): Promise<void> => {
  await ctx.db.run(sql`select 1 from tenants where id = ${ctx.tenantId} for no key update`)
}

const selectUserCodes = (ctx: TransactionCtx, userId: number) =>
  ctx.db.many<{ code: string }>(sql`
    select distinct p.code
    from user_roles ur
    join role_permissions rp on rp.tenant_id = ur.tenant_id and rp.role_id = ur.role_id
    join permissions p on p.id = rp.permission_id
    where ur.tenant_id = ${ctx.tenantId} and ur.user_id = ${userId}`)

const selectRoleCodes = (ctx: TransactionCtx, roleId: number) =>
  ctx.db.many<{ code: string }>(sql`
    select p.code
    from role_permissions rp
    join permissions p on p.id = rp.permission_id
    where rp.tenant_id = ${ctx.tenantId} and rp.role_id = ${roleId}`)

/** What the caller holds at this moment, not what the request's start knew. From outside only platform administrators come. */
const callerCodes = async (ctx: TransactionCtx): Promise<Set<string>> =>
  ctx.actor.tenantId === ctx.tenantId
    ? new Set((await selectUserCodes(ctx, ctx.actor.userId)).map((row) => row.code))
    : new Set(permissions.map((permission) => permission.code))

const missing = async (ctx: TransactionCtx, codes: string[]): Promise<string[]> => {
  const held = await callerCodes(ctx)
  return codes.filter((code) => !held.has(code))
}

/** Nobody hands out what they do not hold: 403. */
export const requireHolding = async (ctx: TransactionCtx, codes: string[]): Promise<void> => {
  const lacking = await missing(ctx, codes)
  if (lacking.length > 0) {
    throw new AppError(
      'grantExceedsOwn',
      `You cannot hand out permissions you do not hold: ${lacking.join(', ')}`,
    )
  }
}

/** Handing out a role hands out all it carries. */
export const requireHoldingRole = async (ctx: TransactionCtx, roleId: number): Promise<void> =>
  requireHolding(ctx, (await selectRoleCodes(ctx, roleId)).map((row) => row.code))

const requireRank = async (ctx: TransactionCtx, rows: { code: string }[], what: string): Promise<void> => {
  const lacking = await missing(ctx, rows.map((row) => row.code))
  if (lacking.length > 0) {
    throw new AppError(
      'targetOutranksCaller',
      `This ${what} holds permissions you do not: ${lacking.join(', ')}. Ask someone who holds them`,
    )
  }
}

/** Nobody acts on a user who stands above them: 403. */
export const requireRankOverUser = async (ctx: TransactionCtx, userId: number): Promise<void> => {
  if (userId === ctx.actor.userId) return
  await requireRank(ctx, await selectUserCodes(ctx, userId), 'user')
}

/** Nobody changes a role that stands above them: 403. */
export const requireRankOverRole = async (ctx: TransactionCtx, roleId: number): Promise<void> =>
  requireRank(ctx, await selectRoleCodes(ctx, roleId), 'role')

const countPlatformAdmins = async (ctx: TransactionCtx): Promise<number> => {
  const row = await ctx.db.one<{ count: number }>(sql`
    select count(*) as count
    from users u
    join user_roles ur on ur.tenant_id = u.tenant_id and ur.user_id = u.id
    join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
    where u.tenant_id = ${ctx.tenantId} and u.status = 1 and r.is_system and r.name = ${platformAdminRole}`)
  return row?.count ?? 0
}

/** Makes `change` unless it would leave the installation without a platform administrator: 400. */
export const keepingPlatformAdmin = async <T>(ctx: TransactionCtx, change: () => Promise<T>): Promise<T> => {
  if (ctx.tenantId !== builtInTenant.id) return change()
  const before = await countPlatformAdmins(ctx)
  const result = await change()
  if (before > 0 && (await countPlatformAdmins(ctx)) === 0) {
    throw new AppError(
      'lastPlatformAdmin',
      'This is the last platform administrator: give the role platform-admin to another user first',
    )
  }
  return result
}
