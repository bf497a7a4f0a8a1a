import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { providerSearch } from './providers.search.ts'

export const providersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers',
  component: lazyRouteComponent(
    loadPage(['providers', 'sso'], () => import('./providers-page.tsx')),
    'ProvidersPage',
  ),
  staticData: { title: 'places.providers', needs: 'provider:read' },
})

export const newProviderRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers/new',
  component: lazyRouteComponent(
    loadPage(['providers', 'sso'], () => import('./new-provider-page.tsx')),
    'NewProviderPage',
  ),
  staticData: { title: 'places.newProvider', needs: 'provider:manage' },
})

export const providerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers/$providerId',
  validateSearch: providerSearch,
  beforeLoad: ({ params }) => {
    if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(params.providerId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['providers', 'sso'], () => import('./provider-page.tsx')),
    'ProviderPage',
  ),
  staticData: { title: 'places.provider', needs: 'provider:read' },
})
