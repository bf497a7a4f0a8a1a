import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { pageSearch, type PageSearch } from '../../components/page-search.ts'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'

interface RolesSearch {
  /** Filters the permissions, which are rows. */
  search?: string | undefined
  /** The ids of the roles that are columns; the first ones if absent. */
  shown?: number[] | undefined
  /** The role on a narrow screen; the first one if absent. */
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
    loadPage(() => import('./roles-page.tsx')),
    'RolesPage',
  ),
  staticData: { title: 'places.roles', needs: 'role:read' },
})

export const roleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/roles/$roleId',
  // The page of the list of holders.
  validateSearch: (raw: Record<string, unknown>): PageSearch => pageSearch(raw),
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.roleId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(() => import('./role-page.tsx')),
    'RolePage',
  ),
  staticData: { title: 'places.role', needs: 'role:read' },
})
