import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { dashboardSearch } from './dashboard.search.ts'

export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: dashboardSearch,
  component: lazyRouteComponent(
    loadPage(['audit', 'dashboard'], () => import('./dashboard-page.tsx')),
    'DashboardPage',
  ),
  staticData: { title: 'places.dashboard', needs: 'dashboard:read' },
})

/** The address by the page's name, as every other page has one. */
export const namedDashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard',
  beforeLoad: () => redirect({ to: '/', replace: true, throw: true }),
})
