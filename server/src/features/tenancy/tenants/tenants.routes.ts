import type { App } from '../../../http/app-type.ts'
import { List, Nothing, UuidParams } from '../../../http/schemas.ts'
import { withTotal } from '../../../http/envelope.ts'
import {
  CreatedTenant,
  CreateTenant,
  CreateTenantQuery,
  ListedTenant,
  Tenant,
  TenantQuery,
  UpdateTenant,
} from './tenants.schemas.ts'
import { createTenant, deleteTenant, getTenant, listTenants, updateTenant } from './tenants.service.ts'

export const tenantRoutes = (app: App): void => {
  app.get(
    '/org/tenants',
    {
      config: { allow: 'tenant:read' },
      schema: {
        operationId: 'listTenants',
        tags: ['tenants'],
        summary: 'List tenants',
        description:
          'All of them, or a page where `page` or `page_size` is given. The header ' +
          '`X-Total-Count` tells how many match.',
        querystring: TenantQuery,
        response: { 200: List(ListedTenant) },
      },
    },
    async ({ ctx, query }, reply) => withTotal(reply, await listTenants(ctx, query)),
  )
  app.post(
    '/org/tenants',
    {
      config: { allow: 'tenant:create', fails: ['limitReached', 'slugTaken'] },
      schema: {
        operationId: 'createTenant',
        tags: ['tenants'],
        summary: 'Create a tenant',
        description:
          'The tenant has its system roles from the start, and status 1. With `admin_email` it has an invitation to its role ' +
          '`admin` as well, which lives while the caller may create tenants.',
        querystring: CreateTenantQuery,
        body: CreateTenant,
        response: { 200: CreatedTenant },
      },
    },
    ({ ctx, query, body }) => createTenant(ctx, body, query),
  )
  app.get(
    '/org/tenants/:id',
    {
      config: { allow: 'caller', support: 'view' },
      schema: {
        operationId: 'getTenant',
        tags: ['tenants'],
        summary: 'Read a tenant',
        description: 'The own tenant needs no permission; another tenant needs tenant:read.',
        params: UuidParams,
        response: { 200: Tenant },
      },
    },
    ({ ctx, params }) => getTenant(ctx, params.id),
  )
  app.put(
    '/org/tenants/:id',
    {
      config: { allow: 'tenant:update', fails: ['builtInTenant', 'slugTaken'] },
      schema: {
        operationId: 'updateTenant',
        tags: ['tenants'],
        summary: 'Change a tenant',
        description: 'Disabling a tenant suspends its users at once.',
        params: UuidParams,
        body: UpdateTenant,
        response: { 200: Tenant },
      },
    },
    ({ ctx, params, body }) => updateTenant(ctx, params.id, body),
  )
  app.delete(
    '/org/tenants/:id',
    {
      config: { allow: 'tenant:delete', fails: ['builtInTenant'] },
      schema: {
        operationId: 'deleteTenant',
        tags: ['tenants'],
        summary: 'Delete a tenant and all its data',
        params: UuidParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteTenant(ctx, params.id),
  )
}
