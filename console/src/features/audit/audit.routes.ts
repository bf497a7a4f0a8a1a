import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { auditSearch } from './audit.search.ts'

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(
    loadPage(['audit'], () => import('./audit-page.tsx')),
    'AuditPage',
  ),
  staticData: { title: 'places.audit', needs: 'audit:read' },
})
