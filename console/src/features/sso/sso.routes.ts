import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { rootRoute, shellRoute } from '../../routes.ts'
import { connectionSearch } from './sso.search.ts'

export const connectionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connections',
  component: lazyRouteComponent(
    loadPage(['sso'], () => import('./connections-page.tsx')),
    'ConnectionsPage',
  ),
  staticData: { title: 'places.connections', needs: 'sso:read' },
})

/** The page of guests, who have a setup link and no account. */
export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  component: lazyRouteComponent(
    loadPage(['frame', 'sso'], () => import('./setup-page.tsx').then((page) => page.dressed)),
    'SetupPage',
  ),
})

export const newConnectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connections/new',
  component: lazyRouteComponent(
    loadPage(['sso'], () => import('./new-connection-page.tsx')),
    'NewConnectionPage',
  ),
  staticData: { title: 'places.newConnection', needs: 'sso:manage' },
})

export const connectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/connections/$connectionId',
  validateSearch: connectionSearch,
  beforeLoad: ({ params }) => {
    if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(params.connectionId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['sso'], () => import('./connection-page.tsx')),
    'ConnectionPage',
  ),
  staticData: { title: 'places.connection', needs: 'sso:read' },
})
