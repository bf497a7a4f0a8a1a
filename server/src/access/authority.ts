/**
 * The rules that compare permissions (decision 0031). Callers grant only permissions that they hold, and act on no
 * user or role above them. policies.ts decides everything that depends only on the caller's own permissions.
 *
 * Every rule takes the context of `changingAuthority`. A tenant's changes of authority run one after another, so that
 * two requests cannot each undo the condition of the other one.
 */
import { selectCodesOfTenant, selectCodesOfUser } from './authority.store.ts'
import {
  inTenant,
  inTransactionAfter,
  type Ctx,
  type EarlyCtx,
  type TransactionCtx,
  type CallerlessCtx,
} from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { builtInTenant } from './permissions.ts'
import { isOwnUser, lacking } from './policies.ts'
import { lockCatalogue, lockTenantAuthority } from './tenancy.store.ts'

/** A transaction that holds the tenant's authority lock. PostgreSQL has read `actor` and the facts behind the lock. */
export interface AuthorityCtx extends TransactionCtx {
  isLocked: true
}

/**
 * Runs `change` in a transaction that holds the tenant's authority lock. `facts` sends the statements that the rules
 * need. They leave in one flush with the lock, and PostgreSQL runs them behind it. Throws like `inTransaction`.
 */
export const changingAuthority = <Facts, T>(
  ctx: Ctx,
  facts: (ctx: EarlyCtx) => Promise<Facts>,
  change: (ctx: AuthorityCtx, facts: Facts) => Promise<T>,
): Promise<T> =>
  inTransactionAfter(
    ctx,
    facts,
    (ctx, found) => change({ ...ctx, isLocked: true }, found),
    lockTenantAuthority,
  )

/**
 * Runs a change of the catalogue in a transaction of the built-in tenant, which gets the audit records. It excludes
 * changes of authority in every tenant, so that none relies on a template that changes meanwhile.
 */
export const changingCatalogue = <Facts, T>(
  ctx: Ctx,
  facts: (ctx: EarlyCtx) => Promise<Facts>,
  change: (ctx: AuthorityCtx, facts: Facts) => Promise<T>,
): Promise<T> =>
  inTransactionAfter(
    inTenant(ctx, builtInTenant.id),
    facts,
    (ctx, found) => change({ ...ctx, isLocked: true }, found),
    lockCatalogue,
  )

/**
 * The codes that a caller needs to outrank a user: the user's own. A directory's service account counts as holding all
 * of the tenant, because its keys decide which users get mapped roles.
 */
export const codesOfUser = async ({ db, tenantId }: CallerlessCtx, userId: number): Promise<string[]> =>
  (await selectCodesOfUser(db, tenantId, userId)).map(({ code }) => code)

interface CarryingRole {
  permissions: { code: string }[]
}

const codesOfRole = ({ permissions }: CarryingRole): string[] => permissions.map(({ code }) => code)

const refuseGrant = (codes: string[]): void => {
  if (codes.length > 0) {
    throw new AppError(
      'grantExceedsOwn',
      `You cannot hand out permissions you do not hold: ${codes.join(', ')}`,
    )
  }
}

/** Throws 403 unless the caller holds all of `codes`. */
export const requireHolding = ({ actor }: AuthorityCtx, codes: string[]): void =>
  refuseGrant(lacking(actor, codes))

/** Throws 403 unless the caller holds every permission of the role. */
export const requireHoldingRole = (ctx: AuthorityCtx, role: CarryingRole): void =>
  requireHolding(ctx, codesOfRole(role))

/**
 * Throws 403 unless the caller holds all of `codes`, which a user got at creation. It needs no lock: the statement
 * that created the user read the codes, and no other transaction sees the user yet.
 */
export const requireHoldingStart = ({ actor }: TransactionCtx, codes: string[]): void =>
  refuseGrant(lacking(actor, codes))

const requireRank = ({ actor }: AuthorityCtx, codes: string[], holderText: string): void => {
  const beyond = lacking(actor, codes)
  if (beyond.length > 0) {
    throw new AppError(
      'targetOutranksCaller',
      `This ${holderText} permissions you do not: ${beyond.join(', ')}. Ask someone who holds them`,
    )
  }
}

/** Throws 403 if `codes`, which the user holds, contain a permission that the caller lacks. */
export const requireRankOverUser = (ctx: AuthorityCtx, userId: number, codes: string[]): void => {
  const isOwn = isOwnUser(ctx.actor, { tenant_id: ctx.tenantId, user_id: userId })
  if (!isOwn) requireRank(ctx, codes, 'user holds')
}

export const codesOfTenant = async ({ db, tenantId }: CallerlessCtx): Promise<string[]> =>
  (await selectCodesOfTenant(db, tenantId)).map(({ code }) => code)

/** Throws 403 unless the caller holds `codes`: all that a user of the tenant can hold. */
export const requireRankOverTenant = (ctx: AuthorityCtx, codes: string[]): void =>
  requireRank(ctx, codes, 'tenant has users who can hold')

/** Throws 403 if the role has a permission that the caller lacks. */
export const requireRankOverRole = (ctx: AuthorityCtx, role: CarryingRole): void =>
  requireRank(ctx, codesOfRole(role), 'role holds')
