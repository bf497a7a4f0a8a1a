import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { entrance } from './entrance.ts'
import { supportSearch } from './support.search.ts'

/** The users about whom somebody asks need no permission, so the page names none. */
export const supportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/support',
  validateSearch: supportSearch,
  loader: () => ({ entrance }),
  component: lazyRouteComponent(
    loadPage(['support'], () => import('./support-page.tsx')),
    'SupportPage',
  ),
  staticData: { title: 'places.support' },
})

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export const supportSessionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/support/$supportId',
  beforeLoad: ({ params }) => {
    if (!uuid.test(params.supportId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['support'], () => import('./support-session-page.tsx')),
    'SupportSessionPage',
  ),
  staticData: { title: 'places.supportSession' },
})
