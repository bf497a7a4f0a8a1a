import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'
import { tenantsSearch } from './tenants.search.ts'

export const tenantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tenants',
  validateSearch: tenantsSearch,
  component: lazyRouteComponent(
    loadPart(() => import('./tenants-page.tsx')),
    'TenantsPage',
  ),
  staticData: { title: 'tenants.title', needs: 'tenant:read' },
})
