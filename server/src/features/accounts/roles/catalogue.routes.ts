import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing } from '../../../http/schemas.ts'
import {
  CreatePermission,
  CreateRoleTemplate,
  RoleTemplate,
  UpdatePermission,
  UpdateRoleTemplate,
} from './catalogue.schemas.ts'
import { createPermission, deletePermission, updatePermission } from './catalogue.service.ts'
import { Permission } from './roles.schemas.ts'
import { createTemplate, deleteTemplate, listTemplates, updateTemplate } from './templates.service.ts'

export const catalogueRoutes = (app: App): void => {
  app.post(
    '/rbac/permissions',
    {
      config: {
        allow: 'catalogue:manage',
        fails: ['catalogueFull', 'moduleReserved', 'permissionCodeTaken'],
      },
      schema: {
        operationId: 'createPermission',
        tags: ['roles'],
        summary: 'Create a permission of the product',
        description: 'It exists in every tenant. The system roles hold it by their rules.',
        body: CreatePermission,
        response: { 200: Permission },
      },
    },
    ({ ctx, body }) => createPermission(ctx, body),
  )
  app.put(
    '/rbac/permissions/:id',
    {
      config: { allow: 'catalogue:manage', fails: ['builtInPermission', 'permissionUnknown'] },
      schema: {
        operationId: 'updatePermission',
        tags: ['roles'],
        summary: 'Change a permission of the product',
        description: 'The code never changes. A built-in permission cannot be changed.',
        params: IdParams,
        body: UpdatePermission,
        response: { 200: Permission },
      },
    },
    ({ ctx, params, body }) => updatePermission(ctx, params.id, body),
  )
  app.delete(
    '/rbac/permissions/:id',
    {
      config: { allow: 'catalogue:manage', fails: ['builtInPermission', 'permissionUnknown'] },
      schema: {
        operationId: 'deletePermission',
        tags: ['roles'],
        summary: 'Delete a permission of the product',
        description: 'Removes it from every role of every tenant. A built-in permission cannot be deleted.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deletePermission(ctx, params.id),
  )
  templateRoutes(app)
}

const templateRoutes = (app: App): void => {
  app.get(
    '/rbac/role-templates',
    {
      config: { allow: 'role:read', support: 'view' },
      schema: {
        operationId: 'listRoleTemplates',
        tags: ['roles'],
        summary: 'List role templates',
        description:
          'A template is a role of every tenant; platform-admin is a role only of the built-in tenant.',
        response: { 200: List(RoleTemplate) },
      },
    },
    ({ ctx }) => listTemplates(ctx),
  )
  app.post(
    '/rbac/role-templates',
    {
      config: {
        allow: 'catalogue:manage',
        fails: [
          'platformOnlyPermission',
          'unknownPermission',
          'catalogueFull',
          'grantExceedsOwn',
          'grantOutlastsOwn',
          'templateNameTaken',
        ],
      },
      schema: {
        operationId: 'createRoleTemplate',
        tags: ['roles'],
        summary: 'Create a role of every tenant',
        description: 'A role of a tenant that has its name is renamed.',
        body: CreateRoleTemplate,
        response: { 200: RoleTemplate },
      },
    },
    ({ ctx, body }) => createTemplate(ctx, body),
  )
  app.put(
    '/rbac/role-templates/:id',
    {
      config: {
        allow: 'catalogue:manage',
        fails: [
          'platformOnlyPermission',
          'unknownPermission',
          'systemRole',
          'grantExceedsOwn',
          'grantOutlastsOwn',
          'targetOutranksCaller',
          'templateUnknown',
          'templateNameTaken',
        ],
      },
      schema: {
        operationId: 'updateRoleTemplate',
        tags: ['roles'],
        summary: 'Change a role of every tenant',
        description:
          'Needs every permission that it carries before and after. A system role cannot be changed.',
        params: IdParams,
        body: UpdateRoleTemplate,
        response: { 200: RoleTemplate },
      },
    },
    ({ ctx, params, body }) => updateTemplate(ctx, params.id, body),
  )
  app.delete(
    '/rbac/role-templates/:id',
    {
      config: { allow: 'catalogue:manage', fails: ['systemRole', 'targetOutranksCaller', 'templateUnknown'] },
      schema: {
        operationId: 'deleteRoleTemplate',
        tags: ['roles'],
        summary: 'Delete a role of every tenant',
        description: 'Removes it from its holders. A system role cannot be deleted.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteTemplate(ctx, params.id),
  )
}
