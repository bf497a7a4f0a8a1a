import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../routes.ts'

export const dashboardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
  staticData: { title: 'dashboard.title', needs: 'dashboard:read' },
})
