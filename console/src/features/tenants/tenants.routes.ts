import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageSearch, type PageSearch } from '../../components/page-search.ts'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

export interface TenantsSearch extends PageSearch {
  search?: string | undefined
  status?: 0 | 1 | undefined
  /** As in `Sorting`; by name when it is left out. */
  sort?: string | undefined
}

export const tenantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tenants',
  validateSearch: (raw: Record<string, unknown>): TenantsSearch => ({
    ...pageSearch(raw),
    ...(typeof raw['search'] === 'string' || typeof raw['search'] === 'number'
      ? { search: String(raw['search']) }
      : {}),
    ...(raw['status'] === 0 || raw['status'] === 1 ? { status: raw['status'] } : {}),
    ...(typeof raw['sort'] === 'string' ? { sort: raw['sort'] } : {}),
  }),
  component: lazyRouteComponent(
    loadPart(() => import('./tenants-page.tsx')),
    'TenantsPage',
  ),
  staticData: { title: 'tenants.title', needs: 'tenant:read' },
})
