import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

export const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  component: lazyRouteComponent(
    loadPart(() => import('./profile-page.tsx')),
    'ProfilePage',
  ),
  staticData: { title: 'profile.title' },
})
