import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyRouteComponent(
    loadPart(() => import('./dashboard-page.tsx')),
    'DashboardPage',
  ),
  staticData: { title: 'dashboard.title', needs: 'dashboard:read' },
})
