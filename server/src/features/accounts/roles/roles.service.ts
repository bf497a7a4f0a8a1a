import {
  changingAuthority,
  requireHolding,
  requireRankOverRole,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import { inTransaction, type Ctx, type CallerlessCtx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import type { CountedPage, PageAfterQuery } from '../../../http/schemas.ts'
import { builtInTenant, isBuiltIn } from '../../../access/permissions.ts'
import { lacking, policies, requireMay } from '../../../access/policies.ts'
import { record, changesBetween, effectBetween, naming } from '../../audit/audit/audit.service.ts'
import { withinLimit } from '../../configuration/limits/limits.service.ts'
import type { User } from '../users/users.schemas.ts'
import { countHolders, listUsersOfRole } from '../users/users.service.ts'
import type { CreateRole, ListedRole, Permission, Role, RoleQuery, UpdateRole } from './roles.schemas.ts'
import { deleteEligibilitiesOfRole } from './eligibility.store.ts'
import * as store from './roles.store.ts'

const roleUnknown = () => new AppError('roleUnknown', 'The role does not exist in this tenant')

const nameTaken = () => new AppError('roleNameTaken', 'A role of this name exists in the tenant')

const orNameTaken = (err: unknown): never => {
  throw violatesUnique(err, 'roles_tenant_id_name_key') ? nameTaken() : err
}

/** Permissions that roles of the tenant in scope can have. */
export const listPermissions = (ctx: Ctx, module: string | undefined): Promise<Permission[]> =>
  store.selectPermissions(ctx.db, { module, withPlatformOnly: ctx.tenantId === builtInTenant.id })

/**
 * The codes that the catalogue lacks. The version has codes of its own, and the catalogue has the caller's permissions,
 * so only other codes need a statement.
 */
export const listUnknownCodes = async ({ db, actor }: Ctx, codes: string[]): Promise<string[]> => {
  const unsure = lacking(actor, codes).filter((code) => !isBuiltIn(code))
  if (unsure.length === 0) return unsure
  const known = new Set((await store.selectKnownCodes(db, unsure)).map(({ code }) => code))
  return [...new Set(unsure)].filter((code) => !known.has(code))
}

export const listProductCodes = async ({ db }: Ctx): Promise<string[]> =>
  (await store.selectProductCodes(db)).map(({ code }) => code)

/** The roles of the tenant in scope. Throws 403 for `include` without `user:read`. */
export const listRoles = async (ctx: Ctx, { include }: RoleQuery): Promise<ListedRole[]> => {
  if (include === undefined) return store.selectRoles(ctx.db, ctx.tenantId)
  requireMay(ctx.actor, policies.countHolders, undefined)
  const roles = await store.selectRoles(ctx.db, ctx.tenantId)
  const held = await countHolders(
    ctx,
    roles.map(({ id }) => id),
  )
  return roles.map((role) => ({ ...role, holders: held.get(role.id) ?? 0 }))
}

export const getRole = async (ctx: CallerlessCtx, id: number): Promise<Role> => {
  const role = await store.selectRole(ctx.db, ctx.tenantId, id)
  if (!role) throw roleUnknown()
  return role
}

export const listRolePermissions = async (ctx: Ctx, id: number): Promise<Permission[]> =>
  (await getRole(ctx, id)).permissions

/** Bounds the list of roles, which has no pages. */
const rolesMax = 1000

export const countRoles = async ({ db, tenantId }: CallerlessCtx): Promise<number> =>
  (await store.countRoles(db, tenantId))?.count ?? 0

/** Creates a role without permissions. Throws 409 when the name is taken, and 403 beyond the limit of roles. */
export const createRole = (ctx: Ctx, input: CreateRole): Promise<Role> =>
  changingAuthority(ctx, countRoles, async (ctx, roles) => {
    if (roles >= rolesMax) {
      throw new AppError('rolesFull', `A tenant has at most ${rolesMax} roles. Delete what is not needed`)
    }
    const { name, description = '' } = input
    const row = { tenantId: ctx.tenantId, name, description, now: ctx.parts.now() }
    const role = await withinLimit(ctx, 'roles', () => store.insertRole(ctx.db, row)).catch(orNameTaken)
    if (!role) throw nameTaken()
    record(ctx, {
      action: 'role.create',
      resourceId: role.id,
      detail: changesBetween({}, { name, description }),
    })
    return role
  })

/** Throws 403 for a system role, and for a role that ranks above the caller. */
const requireChangeable = (ctx: AuthorityCtx, role: Role, verb: string): void => {
  if (role.is_system) throw new AppError('systemRole', `The system role ${role.name} cannot be ${verb}`)
  requireRankOverRole(ctx, role)
}

const editable = ({ name, description }: Role) => ({ name, description })

export const updateRole = (ctx: Ctx, id: number, input: UpdateRole): Promise<Role> => {
  const isEmpty = input.name === undefined && input.description === undefined
  if (isEmpty) return inTransaction(ctx, (ctx) => getRole(ctx, id))
  return changingAuthority(
    ctx,
    (ctx) => getRole(ctx, id),
    async (ctx, before) => {
      requireChangeable(ctx, before, 'changed')
      // Uses only the editable fields: the body may also name an id or a tenant.
      const { name = before.name, description = before.description } = input
      const after = { ...before, name, description }
      const detail = changesBetween(editable(before), editable(after))
      if (Object.keys(detail).length === 0) return before
      const updated = await store.updateRole(ctx.db, after).catch(orNameTaken)
      if (updated === 0) throw nameTaken()
      record(ctx, {
        action: 'role.update',
        resourceId: id,
        detail: { ...naming({ name: before.name }), ...detail },
      })
      return after
    },
  )
}

/** Deletes a role and its assignments. */
export const deleteRole = (ctx: Ctx, id: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => getRole(ctx, id),
    async (ctx, role) => {
      requireChangeable(ctx, role, 'deleted')
      return removeRole(ctx, role)
    },
  )

/** Deletes a role and its assignments, and compares no ranks. */
export const removeRole = async (ctx: AuthorityCtx, role: Role): Promise<null> => {
  store.deleteHolderRows(ctx.db, ctx.tenantId, role.id)
  deleteEligibilitiesOfRole(ctx.db, ctx.tenantId, role.id)
  const deleted = await store.deleteRoleRow(ctx.db, ctx.tenantId, role.id)
  record(ctx, {
    action: 'role.delete',
    resourceId: role.id,
    detail: changesBetween(
      { ...editable(role), permissions: codesOf(role.permissions), created_at: deleted?.created_at },
      {},
    ),
    effect: { takes: codesOf(role.permissions) },
  })
  ctx.changes.push({ kind: 'tenant', tenantId: ctx.tenantId })
  return null
}

export const codesOf = (permissions: Permission[]) => permissions.map(({ code }) => code)

/** Replaces the whole permission set of a role. Throws 403 for a permission that the caller lacks. */
export const replaceRolePermissions = (ctx: Ctx, id: number, permissionIds: number[]): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => Promise.all([getRole(ctx, id), findPermissions(ctx, permissionIds)]),
    async (ctx, [role, found]) => {
      requireChangeable(ctx, role, 'given other permissions')
      const wanted = requireKnown(permissionIds, found, ctx.tenantId === builtInTenant.id)
      requireHolding(ctx, codesOf(wanted))
      const from = { permissions: codesOf(role.permissions) }
      const detail = changesBetween(from, { permissions: codesOf(wanted) })
      if (Object.keys(detail).length === 0) return null
      store.deleteRolePermissionRows(ctx.db, ctx.tenantId, id)
      store.insertRolePermissions(ctx.db, ctx.tenantId, id, permissionIds)
      record(ctx, {
        action: 'role.replace_permissions',
        resourceId: id,
        detail: { ...naming({ name: role.name }), ...detail },
        effect: effectBetween(from.permissions, codesOf(wanted)),
      })
      ctx.changes.push({ kind: 'tenant', tenantId: ctx.tenantId })
      return null
    },
  )

export const findPermissions = (ctx: CallerlessCtx, ids: number[]): Promise<store.FoundPermission[]> =>
  store.selectPermissionsByIds(ctx.db, ids)

/** Throws 400 for an unknown permission id, and for a platform-only permission that the role cannot have. */
export const requireKnown = (
  ids: number[],
  found: store.FoundPermission[],
  mayBePlatformOnly: boolean,
): Permission[] => {
  const unknown = ids.find((id) => !found.some((permission) => permission.id === id))
  if (unknown !== undefined) {
    throw invalid('permission_ids', `no permission has the id ${unknown}`, 'unknownPermission')
  }
  const foreign = mayBePlatformOnly ? undefined : found.find((one) => one.platform_only)
  if (foreign) {
    const reason = `${foreign.code} can be held by roles of the built-in tenant only`
    throw invalid('permission_ids', reason, 'platformOnlyPermission')
  }
  return found
}

/** The holders of a role. Throws 404 for an unknown role. */
export const listRoleUsers = async (
  ctx: Ctx,
  id: number,
  query: PageAfterQuery,
): Promise<CountedPage<User>> => {
  const [users] = await Promise.all([listUsersOfRole(ctx, id, query), getRole(ctx, id)])
  return users
}

/** The roles of a user of the tenant in scope. Empty for an unknown user. */
export const listRolesOfUser = ({ db, tenantId }: Ctx, userId: number): Promise<Role[]> =>
  store.selectRolesOfUser(db, tenantId, userId)
