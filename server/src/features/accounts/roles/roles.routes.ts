import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing } from '../../../http/schemas.ts'
import {
  CreateRole,
  ListedRole,
  Permission,
  PermissionQuery,
  ReplacePermissions,
  Role,
  RoleQuery,
  UpdateRole,
} from './roles.schemas.ts'
import {
  createRole,
  deleteRole,
  getRole,
  listPermissions,
  listRolePermissions,
  listRoles,
  replaceRolePermissions,
  updateRole,
} from './roles.service.ts'

export const roleRoutes = (app: App): void => {
  app.get(
    '/rbac/permissions',
    {
      config: { allow: 'role:read', support: 'view' },
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
      config: { allow: 'role:read', support: 'view' },
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
      config: { allow: 'role:create', fails: ['rolesFull', 'limitReached', 'roleNameTaken'] },
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
      config: { allow: 'role:read', support: 'view', fails: ['roleUnknown'] },
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
      config: { allow: 'role:read', support: 'view', fails: ['roleUnknown'] },
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
          'grantOutlastsOwn',
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
