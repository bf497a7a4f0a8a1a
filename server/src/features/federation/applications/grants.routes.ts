import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing, Page } from '../../../http/schemas.ts'
import { Grant, GrantQuery } from './grants.schemas.ts'
import { listGrants, listOwnGrants, revokeGrant, revokeOwnGrant } from './grants.service.ts'

export const grantRoutes = (app: App): void => {
  app.get(
    '/auth/grants',
    {
      config: { allow: 'account', servesConnections: true },
      schema: {
        operationId: 'listOwnGrants',
        tags: ['auth'],
        summary: 'List the own consents',
        description: 'Those of the caller in their tenant, the newest first, at most 200.',
        response: { 200: List(Grant) },
      },
    },
    ({ ctx }) => listOwnGrants(ctx),
  )
  app.delete(
    '/auth/grants/:id',
    {
      config: { allow: 'account', servesConnections: true, fails: ['grantUnknown'] },
      schema: {
        operationId: 'revokeOwnGrant',
        tags: ['auth'],
        summary: 'Revoke one of the own consents, and end its sessions',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => revokeOwnGrant(ctx, params.id),
  )
  app.get(
    '/grants',
    {
      config: { allow: 'grant:read', support: 'view' },
      schema: {
        operationId: 'listGrants',
        tags: ['applications'],
        summary: 'List the consents of users to applications',
        description: 'Those of the tenant in scope, the newest first.',
        querystring: GrantQuery,
        response: { 200: Page(Grant) },
      },
    },
    ({ ctx, query }) => listGrants(ctx, query),
  )
  app.delete(
    '/grants/:id',
    {
      config: { allow: 'grant:revoke', fails: ['grantUnknown'] },
      schema: {
        operationId: 'revokeGrant',
        tags: ['applications'],
        summary: 'Revoke a consent, and end its sessions',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => revokeGrant(ctx, params.id),
  )
}
