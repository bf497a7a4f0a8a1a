import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { invitationsSearch } from './invitations.search.ts'

export const invitationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/invitations',
  validateSearch: invitationsSearch,
  component: lazyRouteComponent(
    loadPage(['access', 'invitations'], () => import('./invitations-page.tsx')),
    'InvitationsPage',
  ),
  staticData: { title: 'places.invitations', needs: 'user:read' },
})
