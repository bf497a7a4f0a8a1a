import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { isId, pageSearch, type PageSearch } from '../../components/page-search.ts'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

export interface UsersSearch extends PageSearch {
  /** The newest first, by id; the oldest unless it says so. */
  sort?: '-id' | undefined
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
    ...(raw['sort'] === '-id' ? { sort: raw['sort'] } : {}),
    ...(raw['status'] === 0 || raw['status'] === 1 ? { status: raw['status'] } : {}),
  }),
  component: lazyRouteComponent(
    loadPart(() => import('./users-page.tsx')),
    'UsersPage',
  ),
  staticData: { title: 'users.title', needs: 'user:read' },
})

const userTabs = ['access', 'activity'] as const
type UserTab = (typeof userTabs)[number]

/** The part of a user's page that is shown, overview when none is named; the page is that of their activity. */
export interface UserSearch extends PageSearch {
  tab?: UserTab | undefined
  /** The audit record that is open. */
  id?: number | undefined
}

export const userRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/$userId',
  validateSearch: (raw: Record<string, unknown>): UserSearch => ({
    ...pageSearch(raw),
    ...(userTabs.includes(raw['tab'] as UserTab) ? { tab: raw['tab'] as UserTab } : {}),
    ...(isId(raw['id']) ? { id: raw['id'] } : {}),
  }),
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.userId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPart(() => import('./user-page.tsx')),
    'UserPage',
  ),
  staticData: { title: 'users.one', needs: 'user:read' },
})
