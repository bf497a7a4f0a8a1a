import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { isId, pageSearch, type PageSearch } from '../../components/page-search.ts'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'

export interface NotificationsSearch extends PageSearch {
  view?: 'unread' | undefined
  /** The one that is open. */
  id?: number | undefined
}

export const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notifications',
  validateSearch: (raw: Record<string, unknown>): NotificationsSearch => ({
    ...pageSearch(raw),
    ...(raw['view'] === 'unread' ? { view: raw['view'] } : {}),
    ...(isId(raw['id']) ? { id: raw['id'] } : {}),
  }),
  component: lazyRouteComponent(
    loadPart(() => import('./notifications-page.tsx')),
    'NotificationsPage',
  ),
  staticData: { title: 'notifications.title' },
})
