import type { App } from '../../../http/app-type.ts'
import { Activity, ActivityQuery, Stats } from './dashboard.schemas.ts'
import { getActivity, getStats, type CountUsers } from './dashboard.service.ts'

export const dashboardRoutes = (app: App, countUsers: CountUsers): void => {
  app.get(
    '/dashboard/stats',
    {
      config: { allow: 'dashboard:read', support: 'view' },
      schema: {
        operationId: 'getStats',
        tags: ['dashboard'],
        summary: 'Read the statistics of the tenant',
        description:
          'Growth is in percent against 30 days ago, to one decimal. Online users were seen in the last 5 minutes, active users since 00:00 UTC.',
        response: { 200: Stats },
      },
    },
    ({ ctx }) => getStats(ctx, countUsers),
  )
  app.get(
    '/dashboard/activity',
    {
      config: { allow: 'dashboard:read', support: 'view' },
      schema: {
        operationId: 'getActivity',
        tags: ['dashboard'],
        summary: 'Read sign-ups and active users by day',
        description:
          'One item for each day (UTC), the oldest first. Users that were deleted since count only among the active users.',
        querystring: ActivityQuery,
        response: { 200: Activity },
      },
    },
    ({ ctx, query }) => getActivity(ctx, query),
  )
}
