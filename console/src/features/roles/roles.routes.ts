import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { roleSearch, rolesSearch } from './roles.search.ts'

export const rolesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/roles',
  validateSearch: rolesSearch,
  component: lazyRouteComponent(
    loadPage(['access'], () => import('./roles-page.tsx')),
    'RolesPage',
  ),
  staticData: { title: 'places.roles', needs: 'role:read' },
})

export const roleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/roles/$roleId',
  validateSearch: roleSearch,
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.roleId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['access', 'catalogue'], () => import('./role-page.tsx')),
    'RolePage',
  ),
  staticData: { title: 'places.role', needs: 'role:read' },
})
