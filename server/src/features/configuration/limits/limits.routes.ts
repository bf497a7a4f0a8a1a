import type { App } from '../../../http/app-type.ts'
import { TenantUsages, Usage, UsageQuery } from './limits.schemas.ts'
import { getUsage, listUsage } from './usage.service.ts'

export const limitRoutes = (app: App): void => {
  app.get(
    '/org/usage',
    {
      config: { allow: 'caller', support: 'view' },
      schema: {
        operationId: 'getUsage',
        tags: ['tenants'],
        summary: 'Read what the tenant uses of its limits',
        description: 'The own tenant needs user:read; another tenant needs tenant:read.',
        response: { 200: Usage },
      },
    },
    ({ ctx }) => getUsage(ctx),
  )
  app.get(
    '/org/usage/tenants',
    {
      config: { allow: 'tenant:read', allowAlso: 'tenant:enter' },
      schema: {
        operationId: 'listUsage',
        tags: ['tenants'],
        summary: 'List what every tenant uses of its limits',
        description: 'Ordered by the id of the tenant.',
        querystring: UsageQuery,
        response: { 200: TenantUsages },
      },
    },
    ({ ctx, query }) => listUsage(ctx, query),
  )
}
