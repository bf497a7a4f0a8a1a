import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageSearch, type PageSearch } from '../../components/page-search.ts'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

export interface UsersSearch extends PageSearch {
  search?: string | undefined
  status?: 0 | 1 | undefined
}

export const usersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  // What the address holds is anybody's writing: what makes no sense is left out.
  validateSearch: (raw: Record<string, unknown>): UsersSearch => ({
    ...pageSearch(raw),
    ...(typeof raw['search'] === 'string' || typeof raw['search'] === 'number'
      ? { search: String(raw['search']) }
      : {}),
    ...(raw['status'] === 0 || raw['status'] === 1 ? { status: raw['status'] } : {}),
  }),
  component: lazyRouteComponent(
    loadPart(() => import('./users-page.tsx')),
    'UsersPage',
  ),
  staticData: { title: 'users.title', needs: 'user:read' },
})
