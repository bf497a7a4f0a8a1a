/** Flags belong to the installation. Their audit records are in the built-in tenant. */
import { randomBytes } from 'node:crypto'
import { builtInTenant } from '../../../access/permissions.ts'
import { lockFlags, lockTenantAgainstRemoval } from '../../../access/tenancy.store.ts'
import {
  inTenant,
  inTransactionAfter,
  type Ctx,
  type EarlyCtx,
  type TransactionCtx,
} from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { requireVersion } from '../../../values/entity-tags.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, type CountedPage, type PageQuery } from '../../../http/schemas.ts'
import { changesBetween, loggable, naming, record, type Detail } from '../../audit/audit/audit.service.ts'
import type { CreateFlag, Flag, FlagQuery, Override, UpdateFlag } from './flags.schemas.ts'
import * as store from './flags.store.ts'
import { completeRules, requireSoundFlag, requireVariant } from './rules.ts'

/** docs/contract.md, "Feature flags". */
const flagsMax = 1000
const bytesMax = 8_388_608
const overridesMax = 100_000
/** Longer rules are recorded by size and hash. */
const rulesLengthMax = 16_384

/** The version that a change expects; undefined accepts any version. */
export type IfMatch = string | undefined

export const flagUnknown = () => new AppError('flagUnknown', 'There is no flag with this key')

const full = (message: string) => new AppError('flagsFull', message)

export const listFlags = async ({ db }: Ctx, { search, ...query }: FlagQuery): Promise<CountedPage<Flag>> => {
  const [items, { count }] = await Promise.all([
    store.selectFlags(db, search, sliceOf(query)),
    store.countFlags(db, search),
  ])
  return pageOf(items, count, query.page, false)
}

const getRow = async ({ db }: Pick<Ctx, 'db'>, key: string): Promise<store.FlagRow> => {
  const flag = await store.selectFlag(db, key)
  if (!flag) throw flagUnknown()
  return flag
}

export const getFlag = (ctx: Ctx, key: string): Promise<Flag> => getRow(ctx, key)

/** Runs a transaction that changes flags. A lock serialises them, and `facts` reads behind it. */
const changing = <Facts, T>(
  ctx: Ctx,
  facts: (ctx: EarlyCtx) => Promise<Facts>,
  change: (ctx: TransactionCtx, facts: Facts, revision: number) => Promise<T>,
): Promise<T> =>
  inTransactionAfter(
    inTenant(ctx, builtInTenant.id),
    (ctx) => {
      lockFlags(ctx.db)
      return Promise.all([facts(ctx), store.selectNextRevision(ctx.db)])
    },
    (ctx, [found, { revision }]) => change(ctx, found, revision),
  )

/** Throws 400 when the changed flags exceed the limits. */
const requireRoom = async ({ db }: TransactionCtx): Promise<void> => {
  const { flags, bytes } = await store.measureFlags(db)
  if (flags > flagsMax || bytes > bytesMax) {
    throw full(`There is room for ${flagsMax} flags and 8 MiB of them. Delete what is not needed`)
  }
}

/** The fields whose changes a record shows. Rules are recorded separately. */
const shown = ({
  description,
  type,
  variants,
  enabled,
  off_variant,
  default_variant,
  client_side,
}: Flag) => ({
  description,
  type,
  variants,
  enabled,
  off_variant,
  default_variant,
  client_side,
})

const detailOf = (key: string, from: store.FlagRow | undefined, to: store.FlagRow | undefined): Detail => {
  const detail = changesBetween(
    from ? { ...shown(from), salt: from.salt } : {},
    to ? { ...shown(to), salt: to.salt } : {},
  )
  const [before, after] = [from?.rules ?? null, to?.rules ?? null]
  if (JSON.stringify(before) === JSON.stringify(after)) return { ...naming({ key }), ...detail }
  const rules = {
    from: loggable('rules', before, rulesLengthMax),
    to: loggable('rules', after, rulesLengthMax),
  }
  return { ...naming({ key }), ...detail, rules }
}

const newSalt = (): string => randomBytes(8).toString('hex')

const orKeyTaken = (err: unknown): never => {
  throw violatesUnique(err, 'flags_pkey')
    ? new AppError('flagKeyTaken', 'There is a flag with this key')
    : err
}

/** Creates a flag. Throws 409 when its key is taken. */
export const createFlag = async (ctx: Ctx, input: CreateFlag): Promise<Flag> => {
  const { description = '', client_side = false, rules = [] } = input
  const salt = newSalt()
  const made = { version: 1, tenants: 0, created_at: '', updated_at: '', salt }
  const flag = { ...input, description, client_side, rules: completeRules(rules), ...made }
  requireSoundFlag(flag)
  return changing(
    ctx,
    async () => undefined,
    async (ctx, _nothing, revision) => {
      const added = await store.insertFlag(ctx.db, flag, revision, ctx.parts.now()).catch(orKeyTaken)
      await requireRoom(ctx)
      record(ctx, {
        action: 'flag.create',
        resourceId: added.key,
        detail: detailOf(added.key, undefined, added),
      })
      ctx.changes.push({ kind: 'flags' })
      return added
    },
  )
}

/** The flag after the change of the given fields. */
const changed = (before: store.FlagRow, input: UpdateFlag): store.FlagRow => {
  const { type = before.type, new_salt, rules, ...given } = input
  if (type !== before.type) throw invalid('type', `never changes: it is ${before.type}`)
  return {
    ...before,
    ...given,
    rules: rules ? completeRules(rules) : before.rules,
    salt: new_salt === true ? newSalt() : before.salt,
  }
}

/** Throws 400 when a change removes a variant that a tenant's override uses. */
const requireNoOverride = async (ctx: TransactionCtx, before: Flag, after: Flag): Promise<void> => {
  const gone = Object.keys(before.variants).filter((name) => !Object.hasOwn(after.variants, name))
  const used = gone.length > 0 ? await store.selectOverriding(ctx.db, before.key, gone) : undefined
  if (used) throw invalid('variants', `must keep ${used.variant}: a tenant has it as its own`)
}

/** Replaces the given fields. Throws 412 when the flag's version differs from `ifMatch`. */
export const updateFlag = (ctx: Ctx, key: string, input: UpdateFlag, ifMatch: IfMatch): Promise<Flag> =>
  changing(
    ctx,
    (ctx) => getRow(ctx, key),
    async (ctx, before, revision) => {
      requireVersion(ifMatch, before.version)
      const after = changed(before, input)
      requireSoundFlag(after)
      const detail = detailOf(key, before, after)
      if (Object.keys(detail).length === 1) return before
      await requireNoOverride(ctx, before, after)
      const { tenants } = before
      const updated = await store.updateFlag(ctx.db, after, revision, ctx.parts.now())
      await requireRoom(ctx)
      record(ctx, { action: 'flag.update', resourceId: key, detail })
      ctx.changes.push({ kind: 'flags' })
      return { ...updated, tenants }
    },
  )

/** Deletes a flag with its overrides. Throws 412 when its version differs from `ifMatch`. */
export const deleteFlag = (ctx: Ctx, key: string, ifMatch: IfMatch): Promise<null> =>
  changing(
    ctx,
    (ctx) => getRow(ctx, key),
    async (ctx, flag) => {
      requireVersion(ifMatch, flag.version)
      store.deleteFlagRow(ctx.db, key)
      record(ctx, { action: 'flag.delete', resourceId: key, detail: detailOf(key, flag, undefined) })
      ctx.changes.push({ kind: 'flags' })
      return null
    },
  )

/** The tenants with an override, by id. */
export const listOverrides = async (
  { db }: Ctx,
  key: string,
  query: PageQuery,
): Promise<CountedPage<Override>> => {
  const [{ tenants }, items] = await Promise.all([
    getRow({ db }, key),
    store.selectOverrides(db, key, sliceOf(query)),
  ])
  return pageOf(items, tenants, query.page, false)
}

const recordOverride = (
  ctx: TransactionCtx,
  key: string,
  tenant: { id: string; name: string },
  change: { from: string | null; to: string | null },
): void =>
  record(ctx, {
    action: change.to === null ? 'flag.override_remove' : 'flag.override',
    resourceId: key,
    detail: { ...naming({ key, tenant_id: tenant.id, tenant: tenant.name }), variant: change },
  })

/** The name of a tenant, which it locks against removal. Throws 404 if there is no such tenant. */
const getTenantName = async ({ db }: TransactionCtx, tenantId: string): Promise<string> => {
  await lockTenantAgainstRemoval(db, tenantId)
  const tenant = await store.selectTenantName(db, tenantId)
  if (!tenant) throw new AppError('tenantUnknown', 'The tenant does not exist')
  return tenant.name
}

/** Sets a tenant's override, which applies before all rules. */
export const putOverride = async (ctx: Ctx, key: string, { tenant_id, variant }: Override): Promise<null> => {
  const tenantId = tenant_id.toLowerCase()
  return changing(
    ctx,
    (ctx) => Promise.all([getRow(ctx, key), store.selectOverride(ctx.db, key, tenantId)]),
    async (ctx, [{ variants }, before], revision) => {
      const name = await getTenantName(ctx, tenantId)
      requireVariant(variants, 'variant', variant)
      if (before?.variant === variant) return null
      store.upsertOverride(ctx.db, key, { tenant_id: tenantId, variant })
      store.updateRevision(ctx.db, key, revision)
      const { count } = await store.countOverrides(ctx.db)
      if (count > overridesMax) throw full('There is room for 100,000 variants of tenants over all flags')
      recordOverride(ctx, key, { id: tenantId, name }, { from: before?.variant ?? null, to: variant })
      ctx.changes.push({ kind: 'flags' })
      return null
    },
  )
}

/** Deletes a tenant's override. Throws 404 if there is none. */
export const deleteOverride = (ctx: Ctx, key: string, id: string): Promise<null> => {
  const tenantId = id.toLowerCase()
  return changing(
    ctx,
    (ctx) => Promise.all([getRow(ctx, key), store.selectOverride(ctx.db, key, tenantId)]),
    async (ctx, [, before], revision) => {
      const name = await getTenantName(ctx, tenantId)
      if (!before) throw new AppError('flagOverrideUnknown', 'The tenant has no variant of its own')
      store.deleteOverrideRow(ctx.db, key, tenantId)
      store.updateRevision(ctx.db, key, revision)
      recordOverride(ctx, key, { id: tenantId, name }, { from: before.variant, to: null })
      ctx.changes.push({ kind: 'flags' })
      return null
    },
  )
}
