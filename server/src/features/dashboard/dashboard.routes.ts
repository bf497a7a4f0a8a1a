import type { App } from '../../http/app-type.ts'
import { Stats } from './dashboard.schemas.ts'
import { getStats } from './dashboard.service.ts'

export const dashboardRoutes = (app: App): void => {
  app.get(
    '/dashboard/stats',
    {
      config: { allow: 'dashboard:read' },
      schema: {
        operationId: 'getStats',
        tags: ['dashboard'],
        summary: 'Read the statistics of the tenant',
        response: { 200: Stats },
      },
    },
    ({ ctx }) => getStats(ctx),
  )
}
