import type { AuthorityCtx } from '../../../access/authority.ts'
import { lockTenantAgainstRemoval } from '../../../access/tenancy.store.ts'
import { inTenantWithin, type TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { fold } from '../../../values/text.ts'
import { changesBetween, record } from '../../audit/audit/audit.service.ts'
import * as store from './catalogue.store.ts'

/** The most tenants whose role one request renames. Each tenant costs some statements. */
const tenantsMax = 500
const nameMax = 64

/**
 * Renames the tenants' own roles that have the name of a new template, with an audit record in each tenant. Throws 409
 * for too many tenants.
 */
export const renameRolesNamed = async (ctx: AuthorityCtx, name: string): Promise<void> => {
  const tenants = await store.selectTenantsWithRole(ctx.db, name, tenantsMax + 1)
  if (tenants.length > tenantsMax) {
    throw new AppError(
      'templateNameTaken',
      `More than ${tenantsMax} tenants have a role of this name. Choose another one`,
    )
  }
  for (const { id } of tenants) await inTenantWithin(ctx, id, (ctx) => renameRole(ctx, name))
}

const renameRole = async (ctx: TransactionCtx, taken: string): Promise<void> => {
  const { db, tenantId } = ctx
  const [isPresent, role] = await Promise.all([
    lockTenantAgainstRemoval(db, tenantId),
    store.selectRoleByName(db, tenantId, taken),
  ])
  if (!isPresent || !role) return
  const name = await freeName(ctx, role.name)
  await store.updateRoleName(db, tenantId, role.id, name)
  record(ctx, {
    action: 'role.update',
    resourceId: role.id,
    detail: changesBetween({ name: role.name }, { name }),
  })
}

/** The first free name. A tenant has at most 1,000 roles, so one of the 1,001 names is free. */
const freeName = async ({ db, tenantId }: TransactionCtx, name: string): Promise<string> => {
  const names = Array.from({ length: 1001 }, (_, index) =>
    suffixed(name, index === 0 ? ' (tenant)' : ` (tenant ${index + 1})`),
  )
  const taken = new Set((await store.selectTakenNames(db, tenantId, names.map(fold))).map((row) => row.name))
  return names.find((one) => !taken.has(fold(one))) ?? name
}

const suffixed = (name: string, suffix: string): string =>
  [...name]
    .slice(0, nameMax - suffix.length)
    .join('')
    .trimEnd() + suffix
