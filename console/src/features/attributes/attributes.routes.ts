import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { declarationsSearch } from './attributes.search.ts'

export const attributesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/attributes',
  validateSearch: declarationsSearch,
  component: lazyRouteComponent(
    loadPage(['attributes'], () => import('./attributes-page.tsx')),
    'AttributesPage',
  ),
  staticData: { title: 'places.attributes', needs: 'attribute:declare' },
})
