import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { profileSearch } from './profile.search.ts'

export const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  validateSearch: profileSearch,
  component: lazyRouteComponent(
    loadPage(['account'], () => import('./profile-page.tsx')),
    'ProfilePage',
  ),
  staticData: { title: 'places.profile' },
})
