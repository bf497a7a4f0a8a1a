import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { accountSearch, accountsSearch } from './service-accounts.search.ts'

export const serviceAccountsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/service-accounts',
  validateSearch: accountsSearch,
  component: lazyRouteComponent(
    loadPage(['access', 'developers'], () => import('./service-accounts-page.tsx')),
    'ServiceAccountsPage',
  ),
  staticData: { title: 'places.serviceAccounts', needs: 'service_account:read' },
})

export const serviceAccountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/service-accounts/$accountId',
  validateSearch: accountSearch,
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.accountId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['access', 'developers'], () => import('./service-account-page.tsx')),
    'ServiceAccountPage',
  ),
  staticData: { title: 'places.serviceAccount', needs: 'service_account:read' },
})
