import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { deliveriesSearch, webhooksSearch } from './webhooks.search.ts'

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(
    loadPage(['audit', 'developers'], () => import('./webhooks-page.tsx')),
    'WebhooksPage',
  ),
  staticData: { title: 'places.webhooks', needs: 'webhook:read' },
})

export const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$webhookId',
  validateSearch: deliveriesSearch,
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.webhookId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['audit', 'developers'], () => import('./webhook-page.tsx')),
    'WebhookPage',
  ),
  staticData: { title: 'places.webhook', needs: 'webhook:read' },
})
