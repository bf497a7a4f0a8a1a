import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'

export const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  component: lazyRouteComponent(
    loadPage(() => import('./profile-page.tsx')),
    'ProfilePage',
  ),
  staticData: { title: 'places.profile' },
})
