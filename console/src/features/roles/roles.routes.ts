import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { pageSearch, type PageSearch } from '../../components/page-search.ts'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

interface RolesSearch {
  /** Which permissions are rows. */
  search?: string | undefined
  /** Which roles are columns, by their ids; the first ones when it is left out. */
  shown?: number[] | undefined
  /** The one looked at where there is no room for columns; the first one when it is left out. */
  role?: number | undefined
}

export const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/roles',
  validateSearch: ({ search, shown, role }: Record<string, unknown>): RolesSearch => ({
    ...(typeof search === 'string' ? { search } : {}),
    ...(Array.isArray(shown) && shown.every(Number.isSafeInteger) ? { shown: shown as number[] } : {}),
    ...(Number.isSafeInteger(role) ? { role: role as number } : {}),
  }),
  component: lazyRouteComponent(
    loadPart(() => import('./roles-page.tsx')),
    'RolesPage',
  ),
  staticData: { title: 'roles.title', needs: 'role:read' },
})

export const roleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/roles/$roleId',
  // The page is that of its holders.
  validateSearch: (raw: Record<string, unknown>): PageSearch => pageSearch(raw),
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.roleId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPart(() => import('./role-page.tsx')),
    'RolePage',
  ),
  staticData: { title: 'roles.one', needs: 'role:read' },
})
