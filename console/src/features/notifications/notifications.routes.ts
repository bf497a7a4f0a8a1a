import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { notificationsSearch } from './notifications.search.ts'

export const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  validateSearch: notificationsSearch,
  component: lazyRouteComponent(
    loadPage(['access', 'platform'], () => import('./notifications-page.tsx')),
    'NotificationsPage',
  ),
  staticData: { title: 'places.notifications' },
})
