import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { shellRoute } from '../../routes.ts'
import { invitationsSearch } from './invitations.search.ts'

export const invitationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/invitations',
  validateSearch: invitationsSearch,
  component: lazyRouteComponent(
    loadPart(() => import('./invitations-page.tsx')),
    'InvitationsPage',
  ),
  staticData: { title: 'invitations.title', needs: 'user:read' },
})
