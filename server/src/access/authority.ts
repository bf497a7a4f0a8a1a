/**
 * The rules that compare permissions (decision 0031). Callers grant only permissions that they hold, and act on no
 * user or role above them. policies.ts decides everything that depends only on the caller's own permissions.
 *
 * Every rule takes the context of `changingAuthority`. A tenant's changes of authority run one after another, so that
 * two requests cannot each undo the condition of the other one.
 */
import { selectCodesHeld, selectCodesOfTenant, selectCodesOfUser } from './authority.store.ts'
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
import { actingIn, type Actor, type Giver } from './actor.ts'
import { isOwnUser, lacking, outlasting } from './policies.ts'
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
 * The codes that a caller needs to outrank a user: those that the user holds or is eligible for. A directory's service
 * account counts as holding all of the tenant, because its keys decide which users get mapped roles.
 */
export const codesOfUser = async ({ db, tenantId }: CallerlessCtx, userId: number): Promise<string[]> =>
  (await selectCodesOfUser(db, tenantId, userId)).map(({ code }) => code)

/** The caller as the giver of a role, in the tenant in scope. */
export const giverOf = ({ actor, tenantId }: Pick<TransactionCtx, 'actor' | 'tenantId'>): Giver => {
  const { userId: id, tenantId: home, accountId = null } = actingIn(actor)
  return { id, elsewhere: home === tenantId || id === 0 ? null : home, accountId }
}

/** The codes of the permissions that a user holds now, without those that an elevation could add. */
export const codesHeldBy = async ({ db, tenantId }: CallerlessCtx, userId: number): Promise<string[]> =>
  (await selectCodesHeld(db, tenantId, userId)).map(({ code }) => code)

interface CarryingRole {
  permissions: { code: string }[]
}

const codesOfRole = ({ permissions }: CarryingRole): string[] => permissions.map(({ code }) => code)

const beyondOwn = (codes: string[]): AppError | undefined =>
  codes.length === 0
    ? undefined
    : new AppError('grantExceedsOwn', `You cannot hand out permissions you do not hold: ${codes.join(', ')}`)

/** Nobody hands out longer than they hold. */
const longerThanOwn = (codes: string[]): AppError | undefined =>
  codes.length === 0
    ? undefined
    : new AppError(
        'grantOutlastsOwn',
        `You hold this for a shorter time than you would give it: ${codes.join(', ')}. Choose an earlier end, or ask someone who holds it without one`,
      )

/** The refusal of a gift. Undefined if the caller holds all of `codes` until it ends. Undefined `until`: it has no end. */
export const refusalOfGift = (
  actor: Pick<Actor, 'permissions' | 'ends'>,
  codes: string[],
  until?: Date,
): AppError | undefined => beyondOwn(lacking(actor, codes)) ?? longerThanOwn(outlasting(actor, codes, until))

const refuse = (refusal: AppError | undefined): void => {
  if (refusal) throw refusal
}

/** Remembers the permissions that a change asks of its caller, and so of those who approve it. */
const note = ({ gathering }: Pick<Ctx, 'gathering'>, codes: string[]): void => {
  for (const code of gathering ? codes : []) gathering?.needed.add(code)
}

/** Throws 403 unless the caller holds all of `codes` until the gift ends. Undefined: it has no end. */
const requireGift = (ctx: TransactionCtx, codes: string[], until: Date | undefined): void => {
  note(ctx, codes)
  refuse(refusalOfGift(ctx.actor, codes, until))
}

/** Throws 403 unless the caller holds all of `codes` until the gift ends. Undefined: it has no end. */
export const requireHolding = (ctx: AuthorityCtx, codes: string[], until?: Date): void =>
  requireGift(ctx, codes, until)

/** Throws 403 unless the caller holds every permission of the role until the gift ends. Undefined: it has no end. */
export const requireHoldingRole = (ctx: AuthorityCtx, role: CarryingRole, until?: Date): void =>
  requireHolding(ctx, codesOfRole(role), until)

/**
 * Throws 403 unless the caller holds all of `codes`, which a user got at creation. It needs no lock: the statement
 * that created the user read the codes, and no other transaction sees the user yet.
 */
export const requireHoldingStart = (ctx: TransactionCtx, codes: string[]): void =>
  requireGift(ctx, codes, undefined)

const requireRank = (ctx: AuthorityCtx, codes: string[], holderText: string): void => {
  const { actor } = ctx
  note(ctx, codes)
  const beyond = lacking(actor, codes)
  if (beyond.length > 0) {
    throw new AppError(
      'targetOutranksCaller',
      `This ${holderText} permissions you do not: ${beyond.join(', ')}. Ask someone who holds them`,
    )
  }
}

/** The codes of a user that the caller lacks: with any of them, `requireRankOverUser` refuses a change of the user. */
export const codesAbove = async (ctx: Ctx, userId: number): Promise<string[]> => {
  if (isOwnUser(ctx.actor, { tenant_id: ctx.tenantId, user_id: userId })) return []
  return lacking(ctx.actor, await codesOfUser(ctx, userId)).toSorted()
}

/** Throws 403 if `codes`, which the user holds, contain a permission that the caller lacks. */
export const requireRankOverUser = (ctx: AuthorityCtx, userId: number, codes: string[]): void => {
  const isOwn = isOwnUser(ctx.actor, { tenant_id: ctx.tenantId, user_id: userId })
  if (!isOwn) requireRank(ctx, codes, 'user holds')
}

/**
 * Like `requireRankOverUser`, for a change that lets somebody act as the user: another e-mail, or a key. It gives all
 * that the user holds, until `until`. Undefined: it has no end.
 */
export const requireGivingUser = (
  ctx: AuthorityCtx,
  { userId, codes }: { userId: number; codes: string[] },
  until?: Date,
): void => {
  requireRankOverUser(ctx, userId, codes)
  refuse(longerThanOwn(outlasting(ctx.actor, codes, until)))
}

export const codesOfTenant = async ({ db, tenantId }: CallerlessCtx): Promise<string[]> =>
  (await selectCodesOfTenant(db, tenantId)).map(({ code }) => code)

/** Throws 403 unless the caller holds `codes`: all that a user of the tenant can hold. */
export const requireRankOverTenant = (ctx: AuthorityCtx, codes: string[]): void =>
  requireRank(ctx, codes, 'tenant has users who can hold')

/** Like `requireRankOverTenant`, for a change that gives somebody access as any user of the tenant, without an end. */
export const requireGivingTenant = (ctx: AuthorityCtx, codes: string[]): void => {
  requireRankOverTenant(ctx, codes)
  refuse(longerThanOwn(outlasting(ctx.actor, codes, undefined)))
}

/** Throws 403 if the role has a permission that the caller lacks. */
export const requireRankOverRole = (ctx: AuthorityCtx, role: CarryingRole): void =>
  requireRank(ctx, codesOfRole(role), 'role holds')
