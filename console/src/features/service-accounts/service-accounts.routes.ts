import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'
import { accountSearch, accountsSearch } from './service-accounts.search.ts'

export const serviceAccountsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/service-accounts',
  validateSearch: accountsSearch,
  component: lazyRouteComponent(
    loadPart(() => import('./service-accounts-page.tsx')),
    'ServiceAccountsPage',
  ),
  staticData: { title: 'serviceAccounts.title', needs: 'service_account:read' },
})

export const serviceAccountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/service-accounts/$accountId',
  validateSearch: accountSearch,
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.accountId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPart(() => import('./service-account-page.tsx')),
    'ServiceAccountPage',
  ),
  staticData: { title: 'serviceAccounts.one', needs: 'service_account:read' },
})
