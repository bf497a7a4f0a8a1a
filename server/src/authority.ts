/**
 * Who may do what to whom: the rules about what one holds, in one place, for every door. The permission of an
 * endpoint is checked before, by the `allow` of its route; what stands here depends on the other side.
 *
 * Every function runs inside the transaction of the change, after `lockAuthority`: changes of who may do what go one
 * at a time within a tenant, so that two requests cannot each undo what the other one relied on.
 */
import {
  countHolders,
  selectCodesOfEnabledUser,
  selectCodesOfRole,
  selectCodesOfUser,
} from './authority.store.ts'
import { inTenantWithin, type TransactionCtx } from './context.ts'
import { AppError } from './errors.ts'
import { builtInTenant, platformAdminRole } from './permissions.ts'
import { lockTenantAuthority } from './tenancy.store.ts'

/** Takes the tenant's turn for changes of authority, until the transaction ends. */
export const lockAuthority = async (ctx: TransactionCtx): Promise<void> => {
  await lockTenantAuthority(ctx.db, ctx.tenantId)
}

const codesOfUser = async (ctx: TransactionCtx, userId: number): Promise<string[]> =>
  (await selectCodesOfUser(ctx.db, ctx.tenantId, userId)).map(({ code }) => code)

const codesOfRole = async (ctx: TransactionCtx, roleId: number): Promise<string[]> =>
  (await selectCodesOfRole(ctx.db, ctx.tenantId, roleId)).map(({ code }) => code)

/**
 * What the caller holds at this moment, not what the request's start knew: nothing when they were disabled meanwhile,
 * or two administrators could disable each other.
 */
const callerCodes = async (ctx: TransactionCtx): Promise<Set<string>> => {
  const held = await inTenantWithin(ctx, ctx.actor.tenantId, ({ db, actor }) =>
    selectCodesOfEnabledUser(db, actor.tenantId, actor.userId),
  )
  return new Set(held.map(({ code }) => code))
}

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
  requireHolding(ctx, await codesOfRole(ctx, roleId))

const requireRank = async (ctx: TransactionCtx, codes: string[], what: string): Promise<void> => {
  // Rank is a matter of permissions alone (contract); that the last platform administrator stays is another rule.
  const permissions = codes.filter((code) => code !== platformAdminRole)
  const lacking = await missing(ctx, permissions)
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
  await requireRank(ctx, await codesOfUser(ctx, userId), 'user')
}

/** Nobody changes a role that stands above them: 403. */
export const requireRankOverRole = async (ctx: TransactionCtx, roleId: number): Promise<void> =>
  requireRank(ctx, await codesOfRole(ctx, roleId), 'role')

const countPlatformAdmins = async (ctx: TransactionCtx): Promise<number> =>
  (await countHolders(ctx.db, ctx.tenantId, platformAdminRole))?.count ?? 0

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
