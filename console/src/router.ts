import { createRoute, createRouter, stringifySearchWith } from '@tanstack/react-router'
import type { PermissionCode } from '@tenantry/client'
import { NotFound, RouteError } from './components/route-error.tsx'
import {
  applicationRoute,
  applicationsRoute,
  resourcesRoute,
} from './features/applications/applications.routes.ts'
import { approvalRoute, approvalsRoute } from './features/approvals/approvals.routes.ts'
import { attributesRoute } from './features/attributes/attributes.routes.ts'
import { auditRoute } from './features/audit/audit.routes.ts'
import { catalogueRoute, templateRoute } from './features/catalogue/catalogue.routes.ts'
import { dashboardRoute, namedDashboardRoute } from './features/dashboard/dashboard.routes.ts'
import { flagRoute, flagsRoute } from './features/flags/flags.routes.ts'
import { grantsRoute } from './features/grants/grants.routes.ts'
import { invitationsRoute } from './features/invitations/invitations.routes.ts'
import { notificationsRoute } from './features/notifications/notifications.routes.ts'
import { newProviderRoute, providerRoute, providersRoute } from './features/providers/providers.routes.ts'
import { reviewRoute, reviewsRoute } from './features/reviews/reviews.routes.ts'
import { roleRoute, rolesRoute } from './features/roles/roles.routes.ts'
import {
  serviceAccountRoute,
  serviceAccountsRoute,
} from './features/service-accounts/service-accounts.routes.ts'
import { settingsRoute } from './features/settings/settings.routes.ts'
import { signedInRoute, signInRoute } from './features/sign-in/sign-in.routes.ts'
import {
  connectionRoute,
  connectionsRoute,
  newConnectionRoute,
  setupRoute,
} from './features/sso/sso.routes.ts'
import { supportRoute, supportSessionRoute } from './features/support/support.routes.ts'
import { tenantRoute, tenantsRoute } from './features/tenants/tenants.routes.ts'
import { userImportRoute } from './features/user-import/user-import.routes.ts'
import { userRoute, usersRoute } from './features/users/users.routes.ts'
import { webhookRoute, webhooksRoute } from './features/webhooks/webhooks.routes.ts'
import { rootRoute, shellRoute } from './routes.ts'
import type { TextKey } from './translation.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }

  interface StaticDataRouteOption {
    title?: TextKey
    /** A caller without this permission sees an explanation instead of the page. */
    needs?: PermissionCode
  }
}

/** Inside the frame, so that the navigation works after a mistyped address. */
const unknownRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: NotFound,
  staticData: { title: 'common.notFound' },
})

const routeTree = rootRoute.addChildren([
  signInRoute,
  signedInRoute,
  setupRoute,
  shellRoute.addChildren([
    dashboardRoute,
    namedDashboardRoute,
    usersRoute,
    userImportRoute,
    invitationsRoute,
    userRoute,
    rolesRoute,
    roleRoute,
    applicationsRoute,
    applicationRoute,
    resourcesRoute,
    grantsRoute,
    reviewsRoute,
    reviewRoute,
    supportRoute,
    supportSessionRoute,
    approvalsRoute,
    approvalRoute,
    connectionsRoute,
    newConnectionRoute,
    connectionRoute,
    serviceAccountsRoute,
    serviceAccountRoute,
    webhooksRoute,
    flagsRoute,
    flagRoute,
    webhookRoute,
    tenantsRoute,
    tenantRoute,
    attributesRoute,
    catalogueRoute,
    providersRoute,
    newProviderRoute,
    providerRoute,
    templateRoute,
    auditRoute,
    settingsRoute,
    notificationsRoute,
    unknownRoute,
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  scrollRestoration: true,
  // A page's `search` accepts a number as text (`isText`), so digits need no quotes.
  stringifySearch: stringifySearchWith(JSON.stringify, (text: string): unknown => {
    if (/^[1-9]\d{0,14}$/.test(text)) throw new SyntaxError('digits stand plain')
    return JSON.parse(text)
  }),
  defaultPreload: 'intent',
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: NotFound,
})
