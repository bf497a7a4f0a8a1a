import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { tenantsSearch } from './tenants.search.ts'

export const tenantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tenants',
  validateSearch: tenantsSearch,
  component: lazyRouteComponent(
    loadPage(['access', 'attributes', 'invitations', 'platform'], () => import('./tenants-page.tsx')),
    'TenantsPage',
  ),
  staticData: { title: 'places.tenants', needs: 'tenant:read' },
})

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const tenantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tenants/$tenantId',
  beforeLoad: ({ params }) => {
    if (!uuid.test(params.tenantId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['attributes', 'audit', 'platform', 'dashboard'], () => import('./tenant-page.tsx')),
    'TenantPage',
  ),
  staticData: { title: 'fields.tenant', needs: 'tenant:read' },
})
