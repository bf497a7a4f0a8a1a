import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageSearch } from '../../components/page-search.ts'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { flagsSearch } from './flags.search.ts'

export const flagsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/flags',
  validateSearch: flagsSearch,
  component: lazyRouteComponent(
    loadPage(['developers'], () => import('./flags-page.tsx')),
    'FlagsPage',
  ),
  staticData: { title: 'places.flags', needs: 'flag:read' },
})

export const flagRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/flags/$flagKey',
  validateSearch: pageSearch,
  component: lazyRouteComponent(
    loadPage(['developers'], () => import('./flag-page.tsx')),
    'FlagPage',
  ),
  staticData: { title: 'places.flag', needs: 'flag:read' },
})
