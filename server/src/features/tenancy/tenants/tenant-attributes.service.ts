/** The attributes of tenants: a tenant's administrators reach those of their own, and the platform's those of all. */
import { builtInTenant } from '../../../access/permissions.ts'
import { isOwnTenant, may, policies, requireMay, type Policy } from '../../../access/policies.ts'
import { inTenant, inTenantWithin, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { capacityOf } from '../../configuration/attributes/attribute-access.service.ts'
import type { AttributeValues } from '../../configuration/attributes/attributes.schemas.ts'
import { changeValues, readValues } from '../../configuration/attributes/values.service.ts'
import { tenantUnknown } from './tenants.service.ts'
import { selectTenant, selectTenantForChange } from './tenants.store.ts'

interface Doors {
  own: Policy<undefined>
  others: Policy<undefined>
}

const reading: Doors = { own: policies.readAttributesOfOwnTenant, others: policies.readAttributesOfTenants }
const writing: Doors = { own: policies.writeAttributesOfOwnTenant, others: policies.writeAttributesOfTenants }

/** Throws 404 for a tenant that the caller may not read, and 403 without the permission. */
const requireDoor = ({ actor }: Ctx, id: string, { own, others }: Doors): void => {
  if (!may(actor, policies.readTenant, id)) throw tenantUnknown()
  requireMay(actor, isOwnTenant(actor, id) ? own : others, undefined)
}

/** The attributes of a tenant. Throws 404 for an unknown id. */
export const getTenantAttributes = async (ctx: Ctx, id: string): Promise<AttributeValues> => {
  requireDoor(ctx, id, reading)
  const tenant = await selectTenant(ctx.db, id)
  if (!tenant) throw tenantUnknown()
  return readValues(inTenant(ctx, tenant.id), { tenantId: tenant.id, userId: 0 }, capacityOf(ctx.actor))
}

const change = async (ctx: TransactionCtx, id: string, input: AttributeValues): Promise<AttributeValues> => {
  const tenant = await selectTenantForChange(ctx.db, id)
  if (!tenant) throw tenantUnknown()
  const { detail, values } = await inTenantWithin(ctx, tenant.id, (ctx) =>
    changeValues(ctx, { tenantId: tenant.id, userId: 0 }, capacityOf(ctx.actor), input),
  )
  if (Object.keys(detail).length > 0) {
    record(ctx, {
      action: 'tenant.update',
      resourceId: tenant.id,
      detail: { ...naming({ name: tenant.name }), ...detail },
    })
  }
  return values
}

/**
 * Changes attributes of a tenant. The record is in the tenant if it is the caller's own, and else in the built-in one,
 * as of every change of a tenant. Throws 404 for an unknown id.
 */
export const patchTenantAttributes = (
  ctx: Ctx,
  id: string,
  input: AttributeValues,
): Promise<AttributeValues> => {
  requireDoor(ctx, id, writing)
  const scope = isOwnTenant(ctx.actor, id) ? ctx.actor.tenantId : builtInTenant.id
  return inTransaction(inTenant(ctx, scope), async (ctx) => {
    requireDoor(ctx, id, writing)
    return change(ctx, id, input)
  })
}
