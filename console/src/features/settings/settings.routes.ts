import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { settingsSearch } from './settings.search.ts'

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(
    loadPage(['account', 'platform'], () => import('./settings-page.tsx')),
    'SettingsPage',
  ),
  staticData: { title: 'places.settings', needs: 'setting:read' },
})
