import { path, type Api } from '../api.ts'
import type {
  CreatePermission,
  CreateRole,
  CreateRoleTemplate,
  ListPermissionsQuery,
  ListRoleUsersQuery,
  Permission,
  Role,
  RoleTemplate,
  UpdatePermission,
  UpdateRole,
  UpdateRoleTemplate,
  User,
} from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Roles of the tenant in scope, with their permissions and holders. */
export const roleEndpoints = ({ ask, askPage, askAll }: Api) => ({
  /**
   * Lists the roles with their permissions. Needs `role:read`.
   *
   * @throws ApiError 403 `permissionMissing`
   * @example
   * const own = (await client.roles.list()).filter((role) => !role.is_system)
   * console.log(own.map(({ name }) => name))
   */
  list: (options?: CallOptions) => ask<Role[]>('GET', '/rbac/roles', {}, options),

  /**
   * Reads a role with its permissions. Needs `role:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
   * @example
   * const { name, permissions } = await client.roles.get(8)
   * console.log(name, permissions.map(({ code }) => code))
   */
  get: (id: number, options?: CallOptions) => ask<Role>('GET', path`/rbac/roles/${id}`, {}, options),

  /**
   * Creates a role without permissions. Needs `role:create`.
   *
   * @throws ApiError 400 `invalidInput`, `rolesFull`; 403 `permissionMissing`; 409 `roleNameTaken`
   * @example
   * const role = await client.roles.create({ name: 'Editors', description: 'May edit settings' })
   * await client.roles.replacePermissions(role.id, [15, 16])
   */
  create: (body: CreateRole, options?: CallOptions) => ask<Role>('POST', '/rbac/roles', { body }, options),

  /**
   * Changes the name or the description of a role. Omitted fields stay. Needs `role:update`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `systemRole`, `targetOutranksCaller`; 404 `roleUnknown`;
   * 409 `roleNameTaken`
   * @example
   * await client.roles.update(8, { name: 'Authors' })
   */
  update: (id: number, body: UpdateRole, options?: CallOptions) =>
    ask<Role>('PUT', path`/rbac/roles/${id}`, { body }, options),

  /**
   * Deletes a role. Its holders lose it. Needs `role:delete`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `systemRole`, `targetOutranksCaller`; 404 `roleUnknown`
   * @example
   * await client.roles.delete(8)
   */
  delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/rbac/roles/${id}`, {}, options),

  /**
   * Lists the permissions of a role. Needs `role:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
   * @example
   * console.log((await client.roles.permissions(8)).map(({ code }) => code))
   */
  permissions: (id: number, options?: CallOptions) =>
    ask<Permission[]>('GET', path`/rbac/roles/${id}/permissions`, {}, options),

  /**
   * Replaces all permissions of a role. Needs `role:update`.
   *
   * @param permissionIds Ids from `client.permissions.list()`.
   * @throws ApiError 400 `invalidInput`, `unknownPermission`, `platformOnlyPermission`; 403 `permissionMissing`,
   * `systemRole`, `grantExceedsOwn`, `targetOutranksCaller`; 404 `roleUnknown`
   * @example
   * const readable = (await client.permissions.list()).filter(({ code }) => code.endsWith(':read'))
   * await client.roles.replacePermissions(8, readable.map(({ id }) => id))
   */
  replacePermissions: (id: number, permissionIds: number[], options?: CallOptions) =>
    ask<null>(
      'PUT',
      path`/rbac/roles/${id}/permissions`,
      { body: { permission_ids: permissionIds } },
      options,
    ),

  /**
   * Lists the holders of a role in the order of their ids, a page at a time. Needs `role:read` and `user:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
   * @example
   * const { items, total } = await client.roles.holders(8, { page_size: 50 })
   * console.log(total, items.map(({ username }) => username))
   */
  holders: (id: number, query: ListRoleUsersQuery = {}, options?: CallOptions) =>
    askPage<User>(path`/rbac/roles/${id}/users`, query, options),

  /**
   * Loops over all holders of a role, as `client.users.all` does over users. The loop may unassign the role. Needs
   * `role:read` and `user:read`.
   *
   * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
   * @example
   * for await (const user of client.roles.allHolders(8)) console.log(user.email)
   */
  allHolders: (id: number, query: Omit<ListRoleUsersQuery, 'page'> = {}, options?: CallOptions) =>
    askAll<User>(path`/rbac/roles/${id}/users`, 'after_id', query, options),

  /**
   * Lists the roles of a user with their permissions. Another user's roles need `role:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * const session = await client.auth.session()
   * const roles = await client.roles.ofUser(session?.userId ?? 0)
   * const codes = new Set(roles.flatMap((role) => role.permissions.map(({ code }) => code)))
   * console.log(codes.has('user:create'))
   */
  ofUser: (userId: number, options?: CallOptions) =>
    ask<Role[]>('GET', path`/rbac/users/${userId}/roles`, {}, options),

  /**
   * Assigns a role to a user. Needs `role:assign`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `grantExceedsOwn`; 404 `userUnknown`, `roleUnknown`; 409
   * `roleAlreadyHeld`
   * @example
   * await client.roles.assign({ userId: 7, roleId: 8 })
   */
  assign: ({ userId, roleId }: Assignment, options?: CallOptions) =>
    ask<null>('POST', path`/rbac/users/${userId}/roles`, { body: { role_id: roleId } }, options),

  /**
   * Takes a role away from a user. Needs `role:assign`.
   *
   * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`; 403 `permissionMissing`, `targetOutranksCaller`; 404
   * `userUnknown`, `roleUnknown`, `assignmentUnknown`
   * @example
   * await client.roles.unassign({ userId: 7, roleId: 8 })
   */
  unassign: ({ userId, roleId }: Assignment, options?: CallOptions) =>
    ask<null>('DELETE', path`/rbac/users/${userId}/roles/${roleId}`, {}, options),
})

/** A user and a role. */
export interface Assignment {
  userId: number
  roleId: number
}

/** The catalogue of permissions. */
export const permissionEndpoints = ({ ask }: Api) => ({
  /**
   * Lists all permissions. Only the built-in tenant sees those of the platform. Needs `role:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * console.log(await client.permissions.list({ module: 'user' }))
   */
  list: (query: ListPermissionsQuery = {}, options?: CallOptions) =>
    ask<Permission[]>('GET', '/rbac/permissions', { query }, options),

  /**
   * Defines a permission of the product in every tenant. The system roles hold it by their rules. Needs
   * `catalogue:manage`.
   *
   * @throws ApiError 400 `invalidInput`, `moduleReserved`, `catalogueFull`; 403 `permissionMissing`; 409
   * `permissionCodeTaken`
   * @example
   * const permission = await client.permissions.create({ code: 'invoice:read', name: 'Read invoices' })
   * console.log(permission.id)
   */
  create: (body: CreatePermission, options?: CallOptions) =>
    ask<Permission>('POST', '/rbac/permissions', { body }, options),

  /**
   * Changes the name or the description of a permission of the product. Omitted fields stay. Needs `catalogue:manage`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `builtInPermission`; 404 `permissionUnknown`
   * @example
   * await client.permissions.update(1000, { name: 'See invoices' })
   */
  update: (id: number, body: UpdatePermission, options?: CallOptions) =>
    ask<Permission>('PUT', path`/rbac/permissions/${id}`, { body }, options),

  /**
   * Deletes a permission of the product. All roles of all tenants lose it. Needs `catalogue:manage`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `builtInPermission`; 404 `permissionUnknown`
   * @example
   * await client.permissions.delete(1000)
   */
  delete: (id: number, options?: CallOptions) =>
    ask<null>('DELETE', path`/rbac/permissions/${id}`, {}, options),
})

/** Role templates: roles of every tenant, which the tenants can assign and cannot change. */
export const roleTemplateEndpoints = ({ ask }: Api) => ({
  /**
   * Lists the role templates with their permissions. Needs `role:read`.
   *
   * @throws ApiError 403 `permissionMissing`
   * @example
   * const given = (await client.roleTemplates.list()).filter((template) => template.given_to_new_users)
   * console.log(given.map(({ name }) => name))
   */
  list: (options?: CallOptions) => ask<RoleTemplate[]>('GET', '/rbac/role-templates', {}, options),

  /**
   * Creates a role of every tenant. A tenant's own role with its name is renamed. Needs `catalogue:manage`.
   *
   * @throws ApiError 400 `invalidInput`, `unknownPermission`, `platformOnlyPermission`, `catalogueFull`; 403
   * `permissionMissing`, `grantExceedsOwn`; 409 `templateNameTaken`
   * @example
   * const template = await client.roleTemplates.create({ name: 'Clerk', permission_ids: [1] })
   * console.log(template.id)
   */
  create: (body: CreateRoleTemplate, options?: CallOptions) =>
    ask<RoleTemplate>('POST', '/rbac/role-templates', { body }, options),

  /**
   * Changes a template in every tenant. Omitted fields stay. Needs `catalogue:manage`.
   *
   * @throws ApiError 400 `invalidInput`, `unknownPermission`, `platformOnlyPermission`; 403 `permissionMissing`,
   * `systemRole`, `grantExceedsOwn`, `targetOutranksCaller`; 404 `templateUnknown`; 409 `templateNameTaken`
   * @example
   * await client.roleTemplates.update(100, { given_to_new_users: true })
   */
  update: (id: number, body: UpdateRoleTemplate, options?: CallOptions) =>
    ask<RoleTemplate>('PUT', path`/rbac/role-templates/${id}`, { body }, options),

  /**
   * Deletes a template. Its holders lose it in every tenant. Needs `catalogue:manage`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `systemRole`, `targetOutranksCaller`; 404
   * `templateUnknown`
   * @example
   * await client.roleTemplates.delete(100)
   */
  delete: (id: number, options?: CallOptions) =>
    ask<null>('DELETE', path`/rbac/role-templates/${id}`, {}, options),
})
