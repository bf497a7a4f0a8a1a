import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

export const userImportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/import',
  component: lazyRouteComponent(
    loadPart(() => import('./user-import-page.tsx')),
    'UserImportPage',
  ),
  staticData: { title: 'userImport.title', needs: 'user:create' },
})
