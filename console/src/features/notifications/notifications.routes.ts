import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'
import { notificationsSearch } from './notifications.search.ts'

export const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  validateSearch: notificationsSearch,
  component: lazyRouteComponent(
    loadPart(() => import('./notifications-page.tsx')),
    'NotificationsPage',
  ),
  staticData: { title: 'notifications.title' },
})
