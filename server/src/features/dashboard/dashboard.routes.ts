import type { App } from '../../http/app-type.ts'
import { Activity, ActivityQuery, Stats } from './dashboard.schemas.ts'
import { getActivity, getStats } from './dashboard.service.ts'

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
  app.get(
    '/dashboard/activity',
    {
      config: { allow: 'dashboard:read' },
      schema: {
        operationId: 'getActivity',
        tags: ['dashboard'],
        summary: 'Read sign-ups and active users by day',
        description: 'One item for each day (UTC), the oldest first.',
        querystring: ActivityQuery,
        response: { 200: Activity },
      },
    },
    ({ ctx, query }) => getActivity(ctx, query),
  )
}
