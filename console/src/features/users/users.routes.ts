import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'
import { userSearch, usersSearch } from './users.search.ts'

export const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  validateSearch: usersSearch,
  component: lazyRouteComponent(
    loadPart(() => import('./users-page.tsx')),
    'UsersPage',
  ),
  staticData: { title: 'users.title', needs: 'user:read' },
})

export const userRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/$userId',
  validateSearch: userSearch,
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.userId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPart(() => import('./user-page.tsx')),
    'UserPage',
  ),
  staticData: { title: 'users.one', needs: 'user:read' },
})
