import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { tenantsSearch } from './tenants.search.ts'

export const tenantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tenants',
  validateSearch: tenantsSearch,
  component: lazyRouteComponent(
    loadPage(() => import('./tenants-page.tsx')),
    'TenantsPage',
  ),
  staticData: { title: 'places.tenants', needs: 'tenant:read' },
})
