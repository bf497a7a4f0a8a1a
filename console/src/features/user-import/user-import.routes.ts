import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'

export const userImportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/import',
  component: lazyRouteComponent(
    loadPage(['access', 'invitations', 'userImport'], () => import('./user-import-page.tsx')),
    'UserImportPage',
  ),
  staticData: { title: 'places.userImport', needs: 'user:create' },
})
