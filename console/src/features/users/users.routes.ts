import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { userSearch, usersSearch } from './users.search.ts'

export const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  validateSearch: usersSearch,
  component: lazyRouteComponent(
    loadPage(['access', 'account', 'attributes'], () => import('./users-page.tsx')),
    'UsersPage',
  ),
  staticData: { title: 'places.users', needs: 'user:read' },
})

export const userRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/$userId',
  validateSearch: userSearch,
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.userId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['access', 'account', 'attributes'], () => import('./user-page.tsx')),
    'UserPage',
  ),
  staticData: { title: 'places.user', needs: 'user:read' },
})
