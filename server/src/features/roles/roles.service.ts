import {
  keepingPlatformAdmin,
  lockAuthority,
  requireHolding,
  requireHoldingRole,
  requireRankOverRole,
  requireRankOverUser,
} from '../../authority.ts'
import { inOwnTenant, inTransaction, type Ctx, type TransactionCtx } from '../../context.ts'
import { violatesUnique } from '../../db/errors.ts'
import { AppError, invalid } from '../../errors.ts'
import type { CountedPage, PageQuery } from '../../http/schemas.ts'
import { builtInTenant, type PermissionCode } from '../../permissions.ts'
import { record, recordChange } from '../audit/audit.service.ts'
import type { User } from '../users/users.schemas.ts'
import { getUser, listUsersOfRole } from '../users/users.service.ts'
import type { CreateRole, Permission, Role, UpdateRole } from './roles.schemas.ts'
import * as store from './roles.store.ts'

const roleUnknown = () => new AppError('roleUnknown', 'The role does not exist in this tenant')

const nameTaken = (err: unknown): never => {
  throw violatesUnique(err, 'roles_tenant_id_name_key')
    ? new AppError('roleNameTaken', 'A role of this name exists in the tenant')
    : err
}

/** Permissions that roles of the tenant in scope can hold. */
export const listPermissions = (ctx: Ctx, module: string | undefined): Promise<Permission[]> =>
  store.selectPermissions(ctx.db, { module, withPlatformOnly: ctx.tenantId === builtInTenant.id })

export const listRoles = (ctx: Ctx): Promise<Role[]> => store.selectRoles(ctx.db, ctx.tenantId)

/** A role of the tenant in scope, or 404. */
export const getRole = async (ctx: Ctx, id: number): Promise<Role> => {
  const role = await store.selectRole(ctx.db, ctx.tenantId, id)
  if (!role) throw roleUnknown()
  return role
}

export const listRolePermissions = async (ctx: Ctx, id: number): Promise<Permission[]> =>
  (await getRole(ctx, id)).permissions

/** The list of roles is answered whole, so it is bounded. */
const rolesMax = 1000

const requireRoom = async (ctx: TransactionCtx): Promise<void> => {
  const roles = await store.countRoles(ctx.db, ctx.tenantId)
  if (roles && roles.count >= rolesMax) {
    throw new AppError('rolesFull', `A tenant has at most ${rolesMax} roles. Delete what is not needed`)
  }
}

/** Creates a role without permissions. Throws 409 when the name is taken. */
export const createRole = (ctx: Ctx, input: CreateRole): Promise<Role> =>
  inTransaction(ctx, async (ctx) => {
    const { name, description = '' } = input
    await lockAuthority(ctx)
    await requireRoom(ctx)
    const row = { tenantId: ctx.tenantId, name, description, now: ctx.parts.now() }
    const role = await store.insertRole(ctx.db, row).catch(nameTaken)
    if (!role) throw new Error('an inserted role was not returned')
    await record(ctx, {
      action: 'role.create',
      resourceId: role.id,
      detail: recordChange({}, { name, description }),
    })
    return role
  })

/** The role, when the caller may change it: it is no system role (403) and does not stand above them (403). */
const getRoleToChange = async (ctx: TransactionCtx, id: number, verb: string): Promise<Role> => {
  await lockAuthority(ctx)
  const role = await getRole(ctx, id)
  if (role.is_system) throw new AppError('systemRole', `The system role ${role.name} cannot be ${verb}`)
  await requireRankOverRole(ctx, id)
  return role
}

const editable = ({ name, description }: Role) => ({ name, description })

export const updateRole = (ctx: Ctx, id: number, input: UpdateRole): Promise<Role> =>
  inTransaction(ctx, async (ctx) => {
    const isEmpty = input.name === undefined && input.description === undefined
    if (isEmpty) return getRole(ctx, id)
    const before = await getRoleToChange(ctx, id, 'changed')
    // Only what may be set is taken from the body: it can name an id or a tenant as well.
    const { name = before.name, description = before.description } = input
    const after = { ...before, name, description }
    const detail = recordChange(editable(before), editable(after))
    if (Object.keys(detail).length === 0) return before
    const role = await store.updateRole(ctx.db, after).catch(nameTaken)
    if (!role) throw roleUnknown()
    await record(ctx, { action: 'role.update', resourceId: id, detail })
    return role
  })

/** Deletes a role and takes it from its holders. */
export const deleteRole = (ctx: Ctx, id: number): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const role = await getRoleToChange(ctx, id, 'deleted')
    const deleted = await store.deleteRoleRow(ctx.db, ctx.tenantId, id)
    await record(ctx, {
      action: 'role.delete',
      resourceId: id,
      detail: recordChange(
        { ...editable(role), permissions: codesOf(role.permissions), created_at: deleted?.created_at },
        {},
      ),
    })
    ctx.changes.push({ kind: 'tenant', tenantId: ctx.tenantId })
    return null
  })

const codesOf = (permissions: Permission[]) => permissions.map(({ code }) => code)

/** Replaces a role's whole permission set. Nobody puts in what they do not hold (403). */
export const replaceRolePermissions = (ctx: Ctx, id: number, permissionIds: number[]): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const role = await getRoleToChange(ctx, id, 'given other permissions')
    const wanted = await getPermissions(ctx, permissionIds)
    await requireHolding(ctx, codesOf(wanted))
    const from = { permissions: codesOf(role.permissions) }
    const detail = recordChange(from, { permissions: codesOf(wanted) })
    if (Object.keys(detail).length === 0) return null
    await store.deleteRolePermissionRows(ctx.db, ctx.tenantId, id)
    await store.insertRolePermissions(ctx.db, ctx.tenantId, id, permissionIds)
    await record(ctx, { action: 'role.replace_permissions', resourceId: id, detail })
    ctx.changes.push({ kind: 'tenant', tenantId: ctx.tenantId })
    return null
  })

/** The permissions of these ids; 400 for one that does not exist, or that this tenant's roles cannot hold. */
const getPermissions = async (ctx: Ctx, ids: number[]): Promise<Permission[]> => {
  const found = await store.selectPermissionsByIds(ctx.db, ids)
  const unknown = ids.find((id) => !found.some((permission) => permission.id === id))
  if (unknown !== undefined) {
    throw invalid('permission_ids', `no permission has the id ${unknown}`, 'unknownPermission')
  }
  const foreign = ctx.tenantId === builtInTenant.id ? undefined : found.find((one) => one.platform_only)
  if (foreign) {
    const reason = `${foreign.code} can be held by roles of the built-in tenant only`
    throw invalid('permission_ids', reason, 'platformOnlyPermission')
  }
  return found
}

const requirePermission = ({ actor }: Ctx, code: PermissionCode): void => {
  if (!actor.permissions.has(code)) {
    throw new AppError('permissionMissing', `This needs the permission ${code}`)
  }
}

/** Users who hold a role, or 404. They are shown as in the list of users, so that permission is needed as well. */
export const listRoleUsers = async (ctx: Ctx, id: number, query: PageQuery): Promise<CountedPage<User>> => {
  requirePermission(ctx, 'user:read')
  const [users] = await Promise.all([listUsersOfRole(ctx, id, query), getRole(ctx, id)])
  return users
}

/** Roles a user holds. One's own need no permission, others' need role:read. */
export const listUserRoles = async (outer: Ctx, userId: number): Promise<Role[]> => {
  const isOwn = userId === outer.actor.userId
  const ctx = isOwn ? inOwnTenant(outer) : outer
  await getUser(ctx, userId)
  if (!isOwn) requirePermission(ctx, 'role:read')
  return store.selectRolesOfUser(ctx.db, ctx.tenantId, userId)
}

/** Gives a user a role. Nobody gives a role that carries what they do not hold (403). */
export const assignRole = (ctx: Ctx, userId: number, roleId: number): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    await lockAuthority(ctx)
    const user = await getUser(ctx, userId)
    const role = await getRole(ctx, roleId)
    await requireHoldingRole(ctx, roleId)
    await store.insertUserRole(ctx.db, ctx.tenantId, userId, roleId).catch((err: unknown) => {
      throw violatesUnique(err, 'user_roles_pkey')
        ? new AppError('roleAlreadyHeld', 'The user holds this role already')
        : err
    })
    await record(ctx, {
      action: 'role.assign',
      resourceId: roleId,
      detail: recordChange({}, { user_id: userId, username: user.username, role: role.name }),
    })
    ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId })
    return null
  })

/** Takes a role from a user who does not stand above the caller (403). */
export const unassignRole = (ctx: Ctx, userId: number, roleId: number): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    await lockAuthority(ctx)
    const user = await getUser(ctx, userId)
    const role = await getRole(ctx, roleId)
    await requireRankOverUser(ctx, userId)
    const removed = await keepingPlatformAdmin(ctx, () =>
      store.deleteUserRoleRow(ctx.db, ctx.tenantId, userId, roleId),
    )
    if (removed === 0) throw new AppError('assignmentUnknown', 'The user does not hold this role')
    await record(ctx, {
      action: 'role.unassign',
      resourceId: roleId,
      detail: recordChange({ user_id: userId, username: user.username, role: role.name }, {}),
    })
    ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId })
    return null
  })
