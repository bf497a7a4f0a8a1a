import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'
import { settingsSearch } from './settings.search.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(
    loadPart(() => import('./settings-page.tsx')),
    'SettingsPage',
  ),
  staticData: { title: 'settings.title', needs: 'setting:read' },
})
