/**
 * The context of a request, and its transactions. Each form has its place:
 *
 * - `ctx.db` (`Store.scoped`): one statement, which is a transaction of its own: reads, and writes that check no caller.
 * - `inTransaction`: a change by a caller. It reads tenant and caller again, and publishes the changes after the commit.
 * - `inTransactionAfter`: the same, and saves a round trip where the first statements depend only on the request.
 * - `inTenantWithin`: part of such a transaction in another tenant.
 * - `inOneTransaction` (rehearsal.ts): several changes by a caller, all or none. `rehearse` rolls them back.
 * - `Store.transaction`: work of the service without a caller to check, or in another database role.
 * - `Store.reading`: a long read of one snapshot.
 */
import type { Logger } from 'pino'
import { requireNoApproval } from './access/approval-wall.ts'
import { actorOf, callerOf, isWithinBounds, type Actor, type Support } from './access/actor.ts'
import { readCaller } from './access/caller.ts'
import type { Caller } from './access/credential.ts'
import { readGuest } from './access/guests.ts'
import { lockAndReadSupport, resolveSupport } from './access/support.ts'
import type { Effect, Gathering } from './access/operations.ts'
import type { Cache, Invalidation } from './cache/cache.ts'
import type { Config } from './config/config.ts'
import type { Archives } from './db/archive-reach.ts'
import type { Db, Store, TransactionDb } from './db/client.ts'
import { AppError } from './errors/app-error.ts'
import type { Hasher } from './crypto/passwords.ts'
import type { Keys } from './crypto/keys.ts'
import type { Secrets } from './crypto/secrets.ts'
import type { Tokens } from './crypto/tokens.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Metrics } from './metrics.ts'
import type { FindBreached } from './outbound/breached.ts'
import type { ProviderFetch } from './outbound/fetch.ts'
import type { Get } from './outbound/get.ts'
import type { Post } from './outbound/post.ts'
import type { LimitName } from './values/limit-names.ts'
import type { ReadTexts } from './outbound/texts.ts'
import type { Allow } from './access/permissions.ts'
import {
  may,
  policies,
  requireAllowed,
  requireEnabledTenant,
  requireOpenApi,
  requireUnrestricted,
} from './access/policies.ts'
import {
  enterTenant,
  lockTenantAgainstRemoval,
  selectTenantInScope,
  type TenantRow,
} from './access/tenancy.store.ts'

/** A setting that Tenantry itself reads. Its feature declares it, and `start/built-in-settings.ts` lists all of them. */
export interface BuiltInSetting {
  key: string
  scopes: ('global' | 'tenant')[]
  /** JSON Schema, in the subset of declared settings. */
  schema: object
  default?: unknown
  label: string
  description: string
  group: string
  /** Throws 400 for a value that fits the schema, but has a fault that a schema cannot express. */
  check?: (value: unknown) => void
  /** The effective value, of the values that count. Without it, the tenant's value counts whole. */
  merge?: (values: { global?: unknown; tenant?: unknown }) => unknown
  /** The lock of the tenant behind which a write runs, if it must exclude more than the tenant's removal. */
  lock?: LockTenant
  /** Applies a written or deleted value, within its transaction. Throws if the caller may not change it. */
  apply?: (ctx: TransactionCtx, scope: 'global' | 'tenant') => Promise<void>
}

/** A number that nears or has reached its limit. */
export interface LimitNotice {
  name: LimitName
  used: number
  limit: number
  isReached: boolean
}

/** Services that every request shares; built once at start. */
export interface Parts {
  config: Config
  /** The settings by their keys. */
  builtInSettings: ReadonlyMap<string, BuiltInSetting>
  log: Logger
  store: Store
  /** The part of the audit log on archive servers. */
  archives: Archives
  cache: Cache
  secrets: Secrets
  keys: Keys
  tokens: Tokens
  hasher: Hasher
  metrics: Metrics
  /** Notifies the administrators of the tenant in scope, in the transaction of the change. */
  notifyOfLimit: (ctx: TransactionCtx, notice: LimitNotice) => Promise<void>
  /** Undefined if e-mails are off. */
  mailer: Mailer | undefined
  /** Sends to addresses that tenants choose. */
  post: Post
  /** Fetches from addresses that strangers choose. */
  get: Get
  /** Sends requests to sign-in providers that tenants choose. */
  provider: ProviderFetch
  /** Looks up passwords in the list of breached ones. */
  breached: FindBreached
  /** Resolves DNS TXT records. */
  readTexts: ReadTexts
  /** The folder of the built console. */
  consoleFolder: string
  /** Aborted when the service must stop. It may continue to serve for a while. */
  stopping: AbortController
  /** The clock. Tests set it. */
  now: () => Date
}

/** The source of a request, for its audit records and log lines. */
export interface Origin {
  traceId: string
  ip: string
  userAgent: string
  /** The header `Accept-Language`. Only `languageOf` (mail/language.ts) reads it, because few requests need it. */
  acceptLanguage: string | undefined
}

/** The first argument of every service function. Each request has one. */
export interface Ctx {
  parts: Parts
  /** Its statements run in the tenant in scope. */
  db: Db
  /** The tenant in scope; "" if nobody has signed in. */
  tenantId: string
  actor: Actor
  /** The permission of the endpoint. Undefined for an endpoint without sign-in. */
  allow: Allow | undefined
  origin: Origin
  /** Set in a request that runs as one transaction, because of an approval. */
  gathering?: Gathering | undefined
}

/**
 * A `Ctx` inside a transaction that has checked neither tenant nor caller. After the commit every replica receives
 * `changes`, and the same object only once.
 */
export interface UncheckedCtx extends Ctx {
  db: TransactionDb
  changes: Invalidation[]
  /** The effects that the records of the transaction name. Approvals are asked by them. */
  effects: Effect[]
}

/** The context of functions that treat every caller alike. */
export type CallerlessCtx = Omit<Ctx, 'actor'>

/** The beginning of a transaction, before PostgreSQL has read tenant and caller. */
export type EarlyCtx = Omit<UncheckedCtx, 'actor'>

/** A transaction whose caller was checked again and is allowed. */
export interface TransactionCtx extends UncheckedCtx {
  /** The tenant in which the transaction began. */
  tenant: TenantRow
}

/** Puts another tenant in scope of the same request. */
export const inTenant = (ctx: Ctx, tenantId: string): Ctx =>
  tenantId === ctx.tenantId ? ctx : { ...ctx, tenantId, db: ctx.parts.store.scoped({ tenantId }) }

/** Puts the caller's own tenant in scope, for endpoints that act only on the caller. */
export const inOwnTenant = (ctx: Ctx): Ctx => inTenant(ctx, ctx.actor.tenantId)

/** Locks the tenant in scope against removal. Undefined if it is removed already. */
type LockTenant = typeof lockTenantAgainstRemoval

/**
 * Runs `work` in one transaction in the tenant in scope. After the commit every replica receives the changes. Name the
 * inner context `ctx` as well: it shadows the outer one, so that no statement runs outside the transaction. Throws 404
 * for a removed tenant, and locks the tenant against removal until the transaction ends. Throws 401 or 403 if the
 * caller was disabled, signed out or lost the permission since the request began.
 */
export const inTransaction = <T>(ctx: Ctx, work: (ctx: TransactionCtx) => Promise<T>): Promise<T> =>
  inTransactionAfter(ctx, async () => undefined, work)

/**
 * Like `inTransaction`, for work whose first statements depend only on the request. `early` sends them in the first
 * flush, behind the tenant's lock and the read of the caller. PostgreSQL runs them in this order, each on a fresh
 * snapshot. They may write: the transaction continues only if the caller is still allowed. Errors about tenant and
 * caller have priority.
 */
export const inTransactionAfter = async <Early, T>(
  ctx: Ctx,
  early: (ctx: EarlyCtx) => Promise<Early>,
  work: (ctx: TransactionCtx, early: Early) => Promise<T>,
  lockTenant: LockTenant = lockTenantAgainstRemoval,
): Promise<T> => {
  const caller = callerOf(ctx.actor)
  let changes: Invalidation[] = []
  const result = await ctx.parts.store.transaction({ tenantId: ctx.tenantId }, async (db) => {
    changes = []
    const inner: UncheckedCtx = { ...ctx, db, changes, effects: ctx.gathering?.effects ?? [] }
    const [tenant, actor, started] = await Promise.allSettled([
      lockTenant(db, ctx.tenantId),
      caller && readActorWithin(inner, caller),
      (async () => early(inner))(),
    ])
    const inScope = requireTenant(outcomeOf(tenant))
    const current = caller ? requireStillValid(inner, outcomeOf(actor), inScope) : ctx.actor
    const within = { ...inner, actor: current, tenant: inScope }
    const made = await withGathering(within, () => work(within, outcomeOf(started)))
    // Awaits nothing without a policy, so that the commit leaves with the last statements.
    const refusal = requireNoApproval(within)
    if (refusal) await refusal
    return made
  })
  for (const change of new Set(changes)) await ctx.parts.cache.publish(change)
  return result
}

/** Forgets the effects of a failed part of a request. */
const withGathering = async <T>({ gathering, effects }: UncheckedCtx, work: () => Promise<T>): Promise<T> => {
  if (!gathering) return work()
  const { length } = effects
  return work().catch((err: unknown) => {
    effects.length = length
    throw err
  })
}

const requireTenant = (tenant: TenantRow | undefined): TenantRow => {
  if (!tenant) throw new AppError('tenantUnknown', 'The tenant does not exist')
  return tenant
}

const outcomeOf = <T>(settled: PromiseSettledResult<T>): T => {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

export const tokenInvalid = () =>
  new AppError(
    'tokenInvalid',
    'The access token or key is not valid any more. Refresh it, sign in again or use another key',
  )

/**
 * Throws unless the caller, as read now, is still allowed. A request can wait long for a hash or a lock, and its
 * caller may lose the permission meanwhile.
 */
const requireStillValid = ({ allow, tenantId }: Ctx, actor: Actor | undefined, inScope: TenantRow): Actor => {
  if (!actor) throw tokenInvalid()
  requireOpenApi(actor, allow)
  requireEnabledTenant(actor, allow)
  if (!may(actor, policies.enterTenant, tenantId)) {
    throw new AppError('permissionMissing', 'You have just lost the permission for this')
  }
  requireUnrestricted(actor, allow, inScope)
  // Throws the same error that the next request would get.
  if (allow !== undefined) requireAllowed(actor, allow)
  return actor
}

/**
 * Reads the caller in the caller's own tenant. All statements leave at once; the last one restores the tenant in
 * scope.
 */
const readActorWithin = async (ctx: UncheckedCtx, caller: Caller): Promise<Actor | undefined> => {
  const { guest, support } = ctx.actor
  if (guest) return readGuest(ctx.db, caller, guest.maker, ctx.parts.now())
  if (support) return readSupporting(ctx, caller, support)
  const isElsewhere = caller.tenantId !== ctx.tenantId
  if (isElsewhere) enterTenant(ctx.db, caller.tenantId)
  const actor = readActorAnew(ctx, caller)
  if (isElsewhere) enterTenant(ctx.db, ctx.tenantId)
  return actor
}

/** A support session writes in its own tenant alone. */
const readSupporting = (
  { db, parts, tenantId }: UncheckedCtx,
  caller: Caller,
  support: Support,
): Promise<Actor | undefined> | undefined =>
  tenantId === caller.tenantId ? lockAndReadSupport(parts, db, caller, support) : undefined

const readActorAnew = async ({ db, parts, origin }: Ctx, caller: Caller): Promise<Actor | undefined> => {
  if (caller.credential.kind === 'support') return resolveSupport(parts, caller)
  const row = await readCaller(db, caller, parts.now())
  const actor = row && actorOf(parts.config, caller, row)
  return actor && isWithinBounds(actor, origin.ip, parts.now()) ? actor : undefined
}

/**
 * Reads the caller again during long work without a transaction. Throws as a transaction does if the caller has lost
 * the permission.
 */
export const requireStillAllowed = async (ctx: Ctx): Promise<Actor> => {
  const caller = callerOf(ctx.actor)
  const [actor, tenant] = await Promise.all([
    caller && readActorAnew(inOwnTenant(ctx), caller),
    selectTenantInScope(ctx.db, ctx.tenantId),
  ])
  return requireStillValid(ctx, actor, requireTenant(tenant))
}

/**
 * Runs part of a transaction in another tenant's scope, and restores the first scope. For example, a new tenant is
 * filled in its own scope, but recorded in that of the built-in tenant. An error of `work` ends the transaction.
 */
export const inTenantWithin = async <Within extends UncheckedCtx, T>(
  ctx: Within,
  tenantId: string,
  work: (ctx: Within) => Promise<T>,
): Promise<T> => {
  if (tenantId === ctx.tenantId) return work(ctx)
  enterTenant(ctx.db, tenantId)
  const result = await work({ ...ctx, tenantId })
  enterTenant(ctx.db, ctx.tenantId)
  return result
}
