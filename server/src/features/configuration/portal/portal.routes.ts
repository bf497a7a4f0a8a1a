import type { App } from '../../../http/app-type.ts'
import { Portal, PortalQuery } from './portal.schemas.ts'
import { getPortal } from './portal.service.ts'

export const portalRoutes = (app: App): void => {
  app.get(
    '/portal',
    {
      config: { allow: 'user' },
      schema: {
        operationId: 'getPortal',
        tags: ['settings'],
        summary: 'Read the portal',
        description:
          'The product that people without `tenant:enter` see in place of Tenantry. `return_to` is null unless it is at the origin of the product.',
        querystring: PortalQuery,
        response: { 200: Portal },
      },
    },
    ({ ctx, query }) => getPortal(ctx, query),
  )
}
