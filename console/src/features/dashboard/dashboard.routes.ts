import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { dashboardSearch } from './dashboard.search.ts'

export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: dashboardSearch,
  component: lazyRouteComponent(
    loadPage(['dashboard'], () => import('./dashboard-page.tsx')),
    'DashboardPage',
  ),
  staticData: { title: 'places.dashboard', needs: 'dashboard:read' },
})
