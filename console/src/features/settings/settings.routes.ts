import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageSearch, type PageSearch } from '../../components/page-search.ts'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

export interface SettingsSearch extends PageSearch {
  /** Those of all tenants; without it those of the tenant in scope. */
  scope?: 'global' | undefined
  search?: string | undefined
  /** The setting that is open. */
  key?: string | undefined
}

const isText = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  validateSearch: (raw: Record<string, unknown>): SettingsSearch => ({
    ...pageSearch(raw),
    ...(raw['scope'] === 'global' ? { scope: raw['scope'] } : {}),
    ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
    ...(isText(raw['key']) ? { key: String(raw['key']) } : {}),
  }),
  component: lazyRouteComponent(
    loadPart(() => import('./settings-page.tsx')),
    'SettingsPage',
  ),
  staticData: { title: 'settings.title', needs: 'setting:read' },
})
