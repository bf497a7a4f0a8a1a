import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { approvalsSearch } from './approvals.search.ts'

/** Everybody sees their own requests, so the pages name no permission. */
export const approvalsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/approvals',
  validateSearch: approvalsSearch,
  component: lazyRouteComponent(
    loadPage(['approvals', 'audit'], () => import('./approvals-page.tsx')),
    'ApprovalsPage',
  ),
  staticData: { title: 'places.approvals' },
})

export const approvalRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/approvals/$approvalId',
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.approvalId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['approvals', 'audit'], () => import('./approval-page.tsx')),
    'ApprovalPage',
  ),
  staticData: { title: 'places.approval' },
})
