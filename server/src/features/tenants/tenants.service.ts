import { randomUUID } from 'node:crypto'
import { inTenant, inTenantWithin, inTransaction, type Ctx, type TransactionCtx } from '../../context.ts'
import { violatesUnique } from '../../db/errors.ts'
import { AppError } from '../../errors.ts'
import { builtInTenant } from '../../permissions.ts'
import { record, recordChange } from '../audit/audit.service.ts'
import { purgeTenant } from './purge.service.ts'
import type { CreateTenant, Tenant, UpdateTenant } from './tenants.schemas.ts'
import * as store from './tenants.store.ts'

const tenantUnknown = () => new AppError('tenantUnknown', 'The tenant does not exist')

const slugTaken = (err: unknown): never => {
  throw violatesUnique(err, 'tenants_slug_key')
    ? new AppError('slugTaken', 'Another tenant has this slug')
    : err
}

/** Changes of tenants are recorded in the built-in tenant (contract: audit). */
const inBuiltInTenant = (ctx: Ctx) => inTenant(ctx, builtInTenant.id)

const editable = ({ name, slug, status }: Tenant) => ({ name, slug, status })

export const listTenants = (ctx: Ctx): Promise<Tenant[]> => store.selectTenants(ctx.db)

/** One's own tenant without a permission; another one needs tenant:read, and is 404 without. */
export const getTenant = async (ctx: Ctx, id: string): Promise<Tenant> => {
  const mayRead = id.toLowerCase() === ctx.actor.tenantId || ctx.actor.permissions.has('tenant:read')
  const tenant = mayRead ? await store.selectTenant(ctx.db, id) : undefined
  if (!tenant) throw tenantUnknown()
  return tenant
}

/** Creates what is missing of the system roles of the tenant in scope. */
export const createSystemRoles = (ctx: TransactionCtx): Promise<number> =>
  store.insertRoles(ctx.db, ctx.tenantId, ctx.parts.now())

/** Creates a tenant with its system roles. Throws 409 when the slug is taken. */
export const createTenant = (ctx: Ctx, input: CreateTenant): Promise<Tenant> =>
  inTransaction(inBuiltInTenant(ctx), async (ctx) => {
    const row = { id: randomUUID(), name: input.name, slug: input.slug }
    const tenant = await store.insertTenant(ctx.db, row, ctx.parts.now()).catch(slugTaken)
    if (!tenant) throw new Error('an inserted tenant was not returned')
    await inTenantWithin(ctx, tenant.id, createSystemRoles)
    await record(ctx, {
      action: 'tenant.create',
      resourceId: tenant.id,
      detail: recordChange({}, editable(tenant)),
    })
    return tenant
  })

/** Changes a tenant. Disabling it suspends its users at once; enabling lets them go on. */
export const updateTenant = (ctx: Ctx, id: string, input: UpdateTenant): Promise<Tenant> =>
  inTransaction(inBuiltInTenant(ctx), async (ctx) => {
    const before = await store.selectTenantForChange(ctx.db, id)
    if (!before) throw tenantUnknown()
    // Only what may be set is taken from the body: it can name another tenant's id as well.
    const { name = before.name, slug = before.slug, status = before.status } = input
    const after = { ...before, name, slug, status }
    refuseBuiltIn(before, after)
    const detail = recordChange(editable(before), editable(after))
    if (Object.keys(detail).length === 0) return before
    const tenant = await store.updateTenant(ctx.db, after, ctx.parts.now()).catch(slugTaken)
    if (!tenant) throw tenantUnknown()
    await record(ctx, { action: 'tenant.update', resourceId: tenant.id, detail })
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
 * Removes a tenant: from the answer on nothing of it can be reached, and its slug and e-mails are free. Its rows are
 * deleted afterwards in small batches, which holds nobody up however much it holds, and goes on after a crash.
 */
export const deleteTenant = async (ctx: Ctx, id: string): Promise<null> => {
  // Before any lock: this transaction shares the built-in tenant's, and two that ask for more of it wait for each other.
  if (id.toLowerCase() === builtInTenant.id) {
    throw new AppError('builtInTenant', 'The built-in tenant cannot be deleted')
  }
  const removed = await inTransaction(inBuiltInTenant(ctx), (ctx) => markRemoved(ctx, id))
  const { log } = ctx.parts
  const tenantId = removed.id
  // The removal is committed: whatever fails from here on does not take it back.
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
  const tenant = await store.selectTenantForChange(ctx.db, id)
  if (!tenant) throw tenantUnknown()
  await store.updateTenantRemoved(ctx.db, tenant.id, ctx.parts.now())
  await record(ctx, {
    action: 'tenant.delete',
    resourceId: tenant.id,
    detail: recordChange({ ...editable(tenant), created_at: tenant.created_at }, {}),
  })
  ctx.changes.push({ kind: 'tenant', tenantId: tenant.id })
  return tenant
}
