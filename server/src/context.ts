import type { Logger } from 'pino'
import { selectCaller, type CallerRow } from './caller.store.ts'
import type { Cache, Change } from './cache/cache.ts'
import type { Config } from './config.ts'
import type { Db, Store } from './db/client.ts'
import { AppError } from './errors.ts'
import type { Hasher } from './crypto/passwords.ts'
import type { Keys } from './crypto/keys.ts'
import type { Tokens } from './crypto/tokens.ts'
import type { Metrics } from './metrics.ts'
import type { Allow } from './permissions.ts'
import { enterTenant, lockTenantAgainstRemoval } from './tenancy.store.ts'

/** What is built once at start and shared by every request. */
export interface Parts {
  config: Config
  log: Logger
  store: Store
  cache: Cache
  keys: Keys
  tokens: Tokens
  hasher: Hasher
  metrics: Metrics
  /** Where the built console is, if it is built. */
  consoleFolder: string
  /** The clock: tests set it. */
  now: () => Date
}

/** Who is calling, resolved anew for every request: a token says who, never what they may do. */
export interface Actor {
  userId: number
  tenantId: string
  sessionId: string
  isPlatformAdmin: boolean
  /** The caller's tenant is disabled: only platform administrators go on. */
  isSuspended: boolean
  permissions: ReadonlySet<string>
}

/** Where a request came from, for its audit records and log lines. */
export interface Origin {
  traceId: string
  ip: string
  userAgent: string
}

/** What a service function works with: one per request. */
export interface Ctx {
  parts: Parts
  /** Statements run in the tenant in scope. */
  db: Db
  /** The tenant in scope. */
  tenantId: string
  actor: Actor
  /** What the endpoint needs of the actor; undefined where nobody has to be signed in. */
  allow: Allow | undefined
  origin: Origin
}

/** A `Ctx` inside a transaction; `changes` are told to every replica once it is committed. */
export interface TransactionCtx extends Ctx {
  changes: Change[]
}

/** The caller of an endpoint without authentication. */
export const nobody: Actor = {
  userId: 0,
  tenantId: '',
  sessionId: '',
  isPlatformAdmin: false,
  isSuspended: false,
  permissions: new Set(),
}

/** The same request with another tenant in scope. */
export const inTenant = (ctx: Ctx, tenantId: string): Ctx => ({
  ...ctx,
  tenantId,
  db: ctx.parts.store.scoped({ tenantId }),
})

/** The same request in the caller's own tenant: for what acts only on the caller. */
export const inOwnTenant = (ctx: Ctx): Ctx =>
  ctx.tenantId === ctx.actor.tenantId ? ctx : inTenant(ctx, ctx.actor.tenantId)

/**
 * Runs `work` in one transaction in the tenant in scope, and afterwards tells every replica what changed. Name the
 * inner context `ctx` as well: shadowing the outer one keeps a statement from slipping out of the transaction.
 * A tenant being removed takes no more writes: its row is locked against removal until the transaction ends (404). Nor
 * does a caller who was disabled, signed out or stripped of the permission since the request began (401, 403).
 */
export const inTransaction = async <T>(ctx: Ctx, work: (ctx: TransactionCtx) => Promise<T>): Promise<T> => {
  let changes: Change[] = []
  const result = await ctx.parts.store.transaction({ tenantId: ctx.tenantId }, async (db) => {
    changes = []
    const inner = { ...ctx, db, changes }
    const [tenant, caller] = await Promise.all([
      lockTenantAgainstRemoval(db, ctx.tenantId),
      ctx.actor.userId === nobody.userId ? undefined : selectCallerAnew(inner),
    ])
    if (!tenant) throw new AppError('tenantUnknown', 'The tenant does not exist')
    return work({ ...inner, actor: currentActor(inner, caller) })
  })
  for (const change of changes) await ctx.parts.cache.publish(change)
  return result
}

/** Platform administrators live in the built-in tenant, and go on in any other that is disabled. */
export const isSuspended = ({ tenant_status, is_platform_admin }: CallerRow) =>
  tenant_status !== 1 && !is_platform_admin

export const tenantDisabled = () => new AppError('tenantDisabled', 'Your organization is disabled')

export const tokenInvalid = () =>
  new AppError('tokenInvalid', 'The access token is not valid any more. Refresh it or sign in again')

/** Throws unless the caller, as just read, may still do in the tenant in scope what the request is about. */
const requireStanding = ({ actor, allow, tenantId }: Ctx, standing: CallerRow | undefined): CallerRow => {
  if (!standing) throw tokenInvalid()
  if (isSuspended(standing)) throw tenantDisabled()
  const isOutside = actor.tenantId !== tenantId && !standing.is_platform_admin
  if (isOutside || isStripped(standing, allow)) {
    throw new AppError('permissionMissing', 'You have just lost the permission for this')
  }
  return standing
}

const isStripped = ({ permissions }: CallerRow, allow: Allow | undefined): boolean =>
  allow !== undefined && allow !== 'caller' && !permissions.includes(allow)

const selectCallerAnew = (ctx: TransactionCtx) =>
  inTenantWithin(ctx, ctx.actor.tenantId, ({ db }) => selectCaller(db, ctx.actor, ctx.parts.now()))

/** A request can wait long for a hash or a lock: what its start knew about the caller may be over. */
const currentActor = (ctx: Ctx, row: CallerRow | undefined): Actor => {
  const { actor } = ctx
  if (actor.userId === nobody.userId) return actor
  const standing = requireStanding(ctx, row)
  return {
    ...actor,
    isPlatformAdmin: standing.is_platform_admin,
    permissions: new Set(standing.permissions),
  }
}

/** For what takes long without a transaction: throws as a write would when the caller has lost the right to it. */
export const requireStillAllowed = async (ctx: Ctx): Promise<void> => {
  requireStanding(ctx, await selectCaller(inOwnTenant(ctx).db, ctx.actor, ctx.parts.now()))
}

/**
 * Runs part of a transaction in another tenant's scope, and comes back: for what creates a tenant, and records that in
 * the built-in one. If `work` throws, the transaction is over anyway.
 */
export const inTenantWithin = async <T>(
  ctx: TransactionCtx,
  tenantId: string,
  work: (ctx: TransactionCtx) => Promise<T>,
): Promise<T> => {
  if (tenantId === ctx.tenantId) return work(ctx)
  await enterTenant(ctx.db, tenantId)
  const result = await work({ ...ctx, tenantId })
  await enterTenant(ctx.db, ctx.tenantId)
  return result
}
