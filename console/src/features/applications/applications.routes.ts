import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { pageSearch } from '../../components/page-search.ts'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { applicationsSearch } from './applications.search.ts'

export const applicationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/applications',
  validateSearch: applicationsSearch,
  component: lazyRouteComponent(
    loadPage(['developers'], () => import('./applications-page.tsx')),
    'ApplicationsPage',
  ),
  staticData: { title: 'places.applications', needs: 'application:read' },
})

export const applicationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/applications/$applicationId',
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.applicationId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['developers'], () => import('./application-page.tsx')),
    'ApplicationPage',
  ),
  staticData: { title: 'places.application', needs: 'application:read' },
})

export const resourcesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/resources',
  validateSearch: pageSearch,
  component: lazyRouteComponent(
    loadPage(['developers', 'access'], () => import('./resources-page.tsx')),
    'ResourcesPage',
  ),
  staticData: { title: 'places.resources', needs: 'application:read' },
})
