import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { isText } from '../../components/page-search.ts'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'

interface SoughtPermissions {
  /** Filters the permissions. */
  search?: string | undefined
}

interface CatalogueSearch extends SoughtPermissions {
  /** The open tab. If absent, the permissions. */
  tab?: 'templates' | undefined
}

const soughtPermissions = ({ search }: Record<string, unknown>): SoughtPermissions =>
  isText(search) ? { search: String(search) } : {}

export const catalogueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalogue',
  validateSearch: (raw: Record<string, unknown>): CatalogueSearch => ({
    ...soughtPermissions(raw),
    ...(raw['tab'] === 'templates' ? { tab: raw['tab'] } : {}),
  }),
  component: lazyRouteComponent(
    loadPage(['access', 'catalogue', 'platform'], () => import('./catalogue-page.tsx')),
    'CataloguePage',
  ),
  staticData: { title: 'places.catalogue', needs: 'catalogue:manage' },
})

export const templateRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/catalogue/$templateId',
  validateSearch: soughtPermissions,
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.templateId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['access', 'catalogue', 'errors', 'platform'], () => import('./template-page.tsx')),
    'TemplatePage',
  ),
  staticData: { title: 'places.template', needs: 'catalogue:manage' },
})
