import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageSearch } from '../../components/page-search.ts'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'

export const grantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/grants',
  validateSearch: pageSearch,
  component: lazyRouteComponent(
    loadPage(['account', 'access', 'platform'], () => import('./grants-page.tsx')),
    'GrantsPage',
  ),
  staticData: { title: 'places.grants', needs: 'grant:read' },
})
