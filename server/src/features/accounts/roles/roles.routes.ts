import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing, PageAfterQuery } from '../../../http/schemas.ts'
import { assignRole, changeHolders, listUserRoles, unassignRole } from './assignments.service.ts'
import {
  AssignmentParams,
  AssignRole,
  ChangedUsers,
  ChangeHolders,
  CreateRole,
  HolderPage,
  ListedRole,
  Permission,
  PermissionQuery,
  ReplacePermissions,
  Role,
  RoleQuery,
  UpdateRole,
  UserParams,
} from './roles.schemas.ts'
import {
  createRole,
  deleteRole,
  getRole,
  listPermissions,
  listRolePermissions,
  listRoles,
  listRoleUsers,
  replaceRolePermissions,
  updateRole,
} from './roles.service.ts'

export const roleRoutes = (app: App): void => {
  app.get(
    '/rbac/permissions',
    {
      config: { allow: 'role:read' },
      schema: {
        operationId: 'listPermissions',
        tags: ['roles'],
        summary: 'List the permission catalogue',
        description: 'Platform-only permissions are listed only in the built-in tenant.',
        querystring: PermissionQuery,
        response: { 200: List(Permission) },
      },
    },
    ({ ctx, query }) => listPermissions(ctx, query.module),
  )
  app.get(
    '/rbac/roles',
    {
      config: { allow: 'role:read' },
      schema: {
        operationId: 'listRoles',
        tags: ['roles'],
        summary: 'List roles',
        querystring: RoleQuery,
        response: { 200: List(ListedRole) },
      },
    },
    ({ ctx, query }) => listRoles(ctx, query),
  )
  app.post(
    '/rbac/roles',
    {
      config: { allow: 'role:create', fails: ['rolesFull', 'roleNameTaken'] },
      schema: {
        operationId: 'createRole',
        tags: ['roles'],
        summary: 'Create a role',
        body: CreateRole,
        response: { 200: Role },
      },
    },
    ({ ctx, body }) => createRole(ctx, body),
  )
  app.get(
    '/rbac/roles/:id',
    {
      config: { allow: 'role:read', fails: ['roleUnknown'] },
      schema: {
        operationId: 'getRole',
        tags: ['roles'],
        summary: 'Read a role with its permissions',
        params: IdParams,
        response: { 200: Role },
      },
    },
    ({ ctx, params }) => getRole(ctx, params.id),
  )
  app.put(
    '/rbac/roles/:id',
    {
      config: {
        allow: 'role:update',
        fails: ['systemRole', 'targetOutranksCaller', 'roleUnknown', 'roleNameTaken'],
      },
      schema: {
        operationId: 'updateRole',
        tags: ['roles'],
        summary: 'Change a role',
        params: IdParams,
        body: UpdateRole,
        response: { 200: Role },
      },
    },
    ({ ctx, params, body }) => updateRole(ctx, params.id, body),
  )
  app.delete(
    '/rbac/roles/:id',
    {
      config: { allow: 'role:delete', fails: ['systemRole', 'targetOutranksCaller', 'roleUnknown'] },
      schema: {
        operationId: 'deleteRole',
        tags: ['roles'],
        summary: 'Delete a role',
        description: 'Removes it from its holders. A system role cannot be deleted.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteRole(ctx, params.id),
  )
  app.get(
    '/rbac/roles/:id/permissions',
    {
      config: { allow: 'role:read', fails: ['roleUnknown'] },
      schema: {
        operationId: 'listRolePermissions',
        tags: ['roles'],
        summary: "List a role's permissions",
        params: IdParams,
        response: { 200: List(Permission) },
      },
    },
    ({ ctx, params }) => listRolePermissions(ctx, params.id),
  )
  app.put(
    '/rbac/roles/:id/permissions',
    {
      config: {
        allow: 'role:update',
        fails: [
          'platformOnlyPermission',
          'unknownPermission',
          'systemRole',
          'grantExceedsOwn',
          'targetOutranksCaller',
          'roleUnknown',
        ],
      },
      schema: {
        operationId: 'replaceRolePermissions',
        tags: ['roles'],
        summary: "Replace a role's whole permission set",
        description: 'Nobody gives a permission they do not hold.',
        params: IdParams,
        body: ReplacePermissions,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => replaceRolePermissions(ctx, params.id, body.permission_ids),
  )
}

export const assignmentRoutes = (app: App): void => {
  app.get(
    '/rbac/roles/:id/users',
    {
      config: { allow: 'role:read', allowAlso: 'user:read', fails: ['roleUnknown'] },
      schema: {
        operationId: 'listRoleUsers',
        tags: ['roles'],
        summary: 'List the users who hold a role',
        description: 'Ordered by id.',
        params: IdParams,
        querystring: PageAfterQuery,
        response: { 200: HolderPage },
      },
    },
    ({ ctx, params, query }) => listRoleUsers(ctx, params.id, query),
  )
  app.post(
    '/rbac/roles/:id/users',
    {
      config: {
        allow: 'role:assign',
        fails: ['roleUnknown', 'grantExceedsOwn', 'lastPlatformAdmin', 'lastWayIn'],
      },
      schema: {
        operationId: 'changeRoleUsers',
        tags: ['roles'],
        summary: 'Give a role to many users, or take it',
        description:
          'By the rules for one user, in one transaction. A refusal concerns one user: the others are changed.',
        params: IdParams,
        body: ChangeHolders,
        response: { 200: ChangedUsers },
      },
    },
    ({ ctx, params, body }) => changeHolders(ctx, params.id, body),
  )
  app.get(
    '/rbac/users/:userId/roles',
    {
      config: { allow: 'caller', fails: ['userUnknown'] },
      schema: {
        operationId: 'listUserRoles',
        tags: ['roles'],
        summary: 'List the roles a user holds',
        description: 'Own roles need no permission; those of others need role:read.',
        params: UserParams,
        response: { 200: List(Role) },
      },
    },
    ({ ctx, params }) => listUserRoles(ctx, params.userId),
  )
  app.post(
    '/rbac/users/:userId/roles',
    {
      config: {
        allow: 'role:assign',
        fails: ['grantExceedsOwn', 'targetOutranksCaller', 'userUnknown', 'roleUnknown', 'roleAlreadyHeld'],
      },
      schema: {
        operationId: 'assignRole',
        tags: ['roles'],
        summary: 'Assign a role to a user',
        description: 'Nobody assigns a role that carries a permission they do not hold.',
        params: UserParams,
        body: AssignRole,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => assignRole(ctx, params.userId, body.role_id),
  )
  app.delete(
    '/rbac/users/:userId/roles/:roleId',
    {
      config: {
        allow: 'role:assign',
        fails: [
          'lastPlatformAdmin',
          'targetOutranksCaller',
          'roleMapped',
          'userUnknown',
          'roleUnknown',
          'assignmentUnknown',
        ],
      },
      schema: {
        operationId: 'unassignRole',
        tags: ['roles'],
        summary: 'Remove a role from a user',
        params: AssignmentParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => unassignRole(ctx, params.userId, params.roleId),
  )
}
