import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

/** What can be looked back on, in days. */
export const periods = [7, 30, 90] as const
export const defaultPeriod = 30

type Period = (typeof periods)[number]

export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: ({ days }: Record<string, unknown>): { days?: Period | undefined } =>
    periods.includes(days as Period) && days !== defaultPeriod ? { days: days as Period } : {},
  component: lazyRouteComponent(
    loadPart(() => import('./dashboard-page.tsx')),
    'DashboardPage',
  ),
  staticData: { title: 'dashboard.title', needs: 'dashboard:read' },
})
