import { randomUUID } from 'node:crypto'
import { lockFlags } from '../../../access/tenancy.store.ts'
import { inTenant, inTenantWithin, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import type { Slice } from '../../../db/columns.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError } from '../../../errors/app-error.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { may, policies, requireMay } from '../../../access/policies.ts'
import { findTenants, readFilters, readOfTenants } from '../../configuration/attributes/filters.service.ts'
import { record, changesBetween, naming } from '../../audit/audit/audit.service.ts'
import { purgeTenant } from './purge.service.ts'
import { pageSizeUsual, sliceOf, type CountedList } from '../../../http/schemas.ts'
import { inviteFirstAdmin } from '../invitations/invitations.service.ts'
import { figureOrders } from './tenants.schemas.ts'
import type {
  CreatedTenant,
  CreateTenant,
  CreateTenantQuery,
  Figures,
  ListedTenant,
  Tenant,
  TenantQuery,
  UpdateTenant,
} from './tenants.schemas.ts'
import * as store from './tenants.store.ts'

export const tenantUnknown = () => new AppError('tenantUnknown', 'The tenant does not exist')

const slugTaken = (err: unknown): never => {
  throw violatesUnique(err, 'tenants_slug_key')
    ? new AppError('slugTaken', 'Another tenant has this slug. Choose another one')
    : err
}

/** Changes of tenants are recorded in the built-in tenant (docs/contract.md, "Audit log"). */
const inBuiltInTenant = (ctx: Ctx) => inTenant(ctx, builtInTenant.id)

const editable = ({ name, slug, status }: Tenant) => ({ name, slug, status })

const withFigures = ({
  users,
  administrators,
  last_seen_on,
  limit_share,
  ...tenant
}: Tenant & Figures): ListedTenant => ({
  ...tenant,
  figures: { users, administrators, last_seen_on, limit_share },
})

const isFigure = (sort: TenantQuery['sort'] = 'name'): boolean =>
  figureOrders.some((figure) => figure === sort.replace('-', ''))

/** Throws 403 for figures without `tenant:enter`: they tell of rows in the tenants. */
const select = async (
  { db, actor, parts }: Ctx,
  { include, sort }: TenantQuery,
  [filter, slice]: [store.TenantFilter, Slice?],
): Promise<ListedTenant[]> => {
  const order = { ...(sort && { sort }), ...(slice && { slice }) }
  const isShown = include?.includes('figures') === true
  if (!isShown && !isFigure(sort)) return store.selectTenants(db, filter, order)
  requireMay(actor, policies.readFigures, undefined)
  const read = (db: Db) => store.selectTenantsWithFigures(db, filter, order)
  const found = await parts.store.transaction({}, read, 'tenantry_search')
  return isShown ? found.map(withFigures) : found
}

const findMatching = async (ctx: Ctx, query: TenantQuery, filter: store.TenantFilter) => {
  const { page, page_size: size } = query
  if (page === undefined && size === undefined) {
    const items = await select(ctx, query, [filter])
    return { items, total: items.length }
  }
  const slice = sliceOf({ page: page ?? 1, page_size: size ?? pageSizeUsual })
  const [items, counted] = await Promise.all([
    select(ctx, query, [filter, slice]),
    store.countTenants(ctx.db, filter),
  ])
  return { items, total: counted?.count ?? 0 }
}

/** Tenants in the requested order: all matches or one page. Returns the number of matches too. */
export const listTenants = async (ctx: Ctx, query: TenantQuery): Promise<CountedList<ListedTenant>> => {
  const { search, status } = query
  const filters = await readFilters(ctx, 'tenant', query)
  const ids = filters.length > 0 ? await findTenants(ctx, filters) : undefined
  const { items, total } = await findMatching(ctx, query, { search, status, ids })
  if (query.include?.includes('attributes') !== true) return { items, total }
  const attributesOf = await readOfTenants(
    ctx,
    items.map(({ id }) => id),
  )
  return { items: items.map((one) => ({ ...one, ...attributesOf(one.id) })), total }
}

/** Returns a tenant. Throws 404 for an unknown id. Callers may read their own tenant, and others with `tenant:read`. */
export const getTenant = async (ctx: Ctx, id: string): Promise<Tenant> => {
  const tenant = may(ctx.actor, policies.readTenant, id) ? await store.selectTenant(ctx.db, id) : undefined
  if (!tenant) throw tenantUnknown()
  return tenant
}

/** Creates a tenant, and invites its first administrator. Throws 409 when the slug is taken. */
export const createTenant = (
  ctx: Ctx,
  { admin_email: email, admin_language: language, ...input }: CreateTenant,
  { include }: CreateTenantQuery,
): Promise<CreatedTenant> =>
  inTransaction(inBuiltInTenant(ctx), async (ctx) => {
    const tenant = await addTenant(ctx, input)
    const invitation =
      email === undefined
        ? null
        : await inTenantWithin(ctx, tenant.id, (ctx) => inviteFirstAdmin(ctx, { email, language }))
    return { ...tenant, ...(include && { invitation }) }
  })

/** Marks a tenant that a person creates by sign-up, without an administrator of the installation. */
interface SignUpOrigin {
  accountId: number
  source: 'sign_up'
}

/** Creates a tenant in a transaction of the built-in tenant. Throws 409 for a taken slug. */
export const addTenant = async (
  ctx: TransactionCtx,
  { name, slug }: Pick<Tenant, 'name' | 'slug'>,
  founding?: SignUpOrigin,
): Promise<Tenant> => {
  const row = { id: randomUUID(), name, slug, founderId: founding?.accountId }
  const tenant = await store.insertTenant(ctx.db, row, ctx.parts.now()).catch(slugTaken)
  record(ctx, {
    action: 'tenant.create',
    resourceId: tenant.id,
    detail: changesBetween({}, { ...editable(tenant), ...(founding && { source: founding.source }) }),
  })
  return tenant
}

/** Changes a tenant. Disabling suspends the tenant's users at once; enabling lets them continue. */
export const updateTenant = (ctx: Ctx, id: string, input: UpdateTenant): Promise<Tenant> =>
  inTransaction(inBuiltInTenant(ctx), async (ctx) => {
    const before = await store.selectTenantForChange(ctx.db, id)
    if (!before) throw tenantUnknown()
    // Uses only the editable fields: the body may also name another tenant's id.
    const { name = before.name, slug = before.slug, status = before.status } = input
    const after = { ...before, name, slug, status }
    refuseBuiltIn(before, after)
    const detail = changesBetween(editable(before), editable(after))
    if (Object.keys(detail).length === 0) return before
    const tenant = await store.updateTenant(ctx.db, after, ctx.parts.now()).catch(slugTaken)
    if (!tenant) throw tenantUnknown()
    record(ctx, {
      action: 'tenant.update',
      resourceId: tenant.id,
      detail: { ...naming({ name: before.name }), ...detail },
    })
    ctx.changes.push({ kind: 'tenant', tenantId: tenant.id })
    return tenant
  })

const refuseBuiltIn = (before: Tenant, after: Tenant): void => {
  if (before.id !== builtInTenant.id) return
  if (after.slug !== before.slug) {
    throw new AppError('builtInTenant', 'The slug of the built-in tenant is fixed')
  }
  if (after.status !== 1) throw new AppError('builtInTenant', 'The built-in tenant cannot be disabled')
}

/**
 * Removes a tenant. After the answer the tenant is unreachable, and its slug and e-mails are free. Small batches then
 * delete its rows. They do not delay other tenants, and continue after a crash.
 */
export const deleteTenant = async (ctx: Ctx, id: string): Promise<null> => {
  // Checked before any lock. The transaction holds the built-in tenant's lock shared. Two transactions that both
  // upgrade it would deadlock.
  if (id.toLowerCase() === builtInTenant.id) {
    throw new AppError('builtInTenant', 'The built-in tenant cannot be deleted')
  }
  const removed = await inTransaction(inBuiltInTenant(ctx), (ctx) => markRemoved(ctx, id))
  const { log } = ctx.parts
  const tenantId = removed.id
  // The removal is committed; a later failure does not undo it.
  await store
    .awaitWriters(ctx.parts.store, tenantId)
    .catch((err: unknown) => log.error({ err, tenantId }, 'a removed tenant has a writer that does not end'))
  await ctx.parts.cache.forgetPresence(tenantId)
  purgeTenant(ctx.parts, tenantId).catch((err: unknown) =>
    log.error({ err, tenantId }, 'purging a removed tenant failed; it is tried again'),
  )
  return null
}

const markRemoved = async (ctx: TransactionCtx, id: string): Promise<Tenant> => {
  // Under this lock, a tenant's variant of a flag is set before the removal, or refused after it.
  lockFlags(ctx.db)
  const tenant = await store.selectTenantForChange(ctx.db, id)
  if (!tenant) throw tenantUnknown()
  await store.updateTenantRemoved(ctx.db, tenant.id, ctx.parts.now())
  store.deleteFlagOverrides(ctx.db, tenant.id)
  await inTenantWithin(ctx, tenant.id, async ({ db, tenantId }) => store.deleteDomainOwners(db, tenantId))
  record(ctx, {
    action: 'tenant.delete',
    resourceId: tenant.id,
    detail: changesBetween({ ...editable(tenant), created_at: tenant.created_at }, {}),
  })
  ctx.changes.push({ kind: 'tenant', tenantId: tenant.id }, { kind: 'flags' })
  return tenant
}
