import { path, type Api } from '../api.ts'
import type {
  CreateRole,
  ListPermissionsQuery,
  ListRoleUsersQuery,
  Permission,
  Role,
  UpdateRole,
  User,
} from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Roles of the tenant in scope, what they permit, and who holds them. */
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
   * Creates a role that permits nothing yet. Needs `role:create`.
   *
   * @throws ApiError 400 `invalidInput`, `rolesFull`; 403 `permissionMissing`; 409 `roleNameTaken`
   * @example
   * const role = await client.roles.create({ name: 'Editors', description: 'May edit settings' })
   * await client.roles.replacePermissions(role.id, [15, 16])
   */
  create: (body: CreateRole, options?: CallOptions) => ask<Role>('POST', '/rbac/roles', { body }, options),

  /**
   * Renames or describes a role; what is left out stays. Needs `role:update`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `systemRole`, `targetOutranksCaller`; 404 `roleUnknown`;
   * 409 `roleNameTaken`
   * @example
   * await client.roles.update(8, { name: 'Authors' })
   */
  update: (id: number, body: UpdateRole, options?: CallOptions) =>
    ask<Role>('PUT', path`/rbac/roles/${id}`, { body }, options),

  /**
   * Deletes a role, and takes it from its holders. Needs `role:delete`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `systemRole`, `targetOutranksCaller`; 404 `roleUnknown`
   * @example
   * await client.roles.delete(8)
   */
  delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/rbac/roles/${id}`, {}, options),

  /**
   * Lists what a role permits. Needs `role:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
   * @example
   * console.log((await client.roles.permissions(8)).map(({ code }) => code))
   */
  permissions: (id: number, options?: CallOptions) =>
    ask<Permission[]>('GET', path`/rbac/roles/${id}/permissions`, {}, options),

  /**
   * Replaces all that a role permits. Needs `role:update`.
   *
   * @param permissionIds Ids of `client.permissions.list()`.
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
   * Lists the users who hold a role by id, a page at a time. Needs `role:read` and `user:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
   * @example
   * const { items, total } = await client.roles.holders(8, { page_size: 50 })
   * console.log(total, items.map(({ username }) => username))
   */
  holders: (id: number, query: ListRoleUsersQuery = {}, options?: CallOptions) =>
    askPage<User>(path`/rbac/roles/${id}/users`, query, options),

  /**
   * All users who hold a role, as `client.users.all` gives users; the loop may take it from them. Needs `role:read` and
   * `user:read`.
   *
   * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
   * @example
   * for await (const user of client.roles.allHolders(8)) console.log(user.email)
   */
  allHolders: (id: number, query: Omit<ListRoleUsersQuery, 'page'> = {}, options?: CallOptions) =>
    askAll<User>(path`/rbac/roles/${id}/users`, query, options, 'id'),

  /**
   * Lists the roles that a user holds, with their permissions. One's own need no permission, those of others `role:read`.
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
   * Gives a user a role. Needs `role:assign`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `grantExceedsOwn`; 404 `userUnknown`, `roleUnknown`; 409
   * `roleAlreadyHeld`
   * @example
   * await client.roles.assign({ userId: 7, roleId: 8 })
   */
  assign: ({ userId, roleId }: Assignment, options?: CallOptions) =>
    ask<null>('POST', path`/rbac/users/${userId}/roles`, { body: { role_id: roleId } }, options),

  /**
   * Takes a role from a user. Needs `role:assign`.
   *
   * @throws ApiError 400 `invalidInput`, `lastPlatformAdmin`; 403 `permissionMissing`, `targetOutranksCaller`; 404
   * `userUnknown`, `roleUnknown`, `assignmentUnknown`
   * @example
   * await client.roles.unassign({ userId: 7, roleId: 8 })
   */
  unassign: ({ userId, roleId }: Assignment, options?: CallOptions) =>
    ask<null>('DELETE', path`/rbac/users/${userId}/roles/${roleId}`, {}, options),
})

/** Who holds which role. */
export interface Assignment {
  userId: number
  roleId: number
}

/** The catalogue of permissions. */
export const permissionEndpoints = ({ ask }: Api) => ({
  /**
   * Lists the permissions there are; those for the platform in the built-in tenant alone. Needs `role:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * console.log(await client.permissions.list({ module: 'user' }))
   */
  list: (query: ListPermissionsQuery = {}, options?: CallOptions) =>
    ask<Permission[]>('GET', '/rbac/permissions', { query }, options),
})
