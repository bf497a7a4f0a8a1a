import { createRoute, createRouter } from '@tanstack/react-router'
import type { PermissionCode } from '@tenantry/client'
import type { ParseKeys } from 'i18next'
import { RouteError } from './components/route-error.tsx'
import { auditRoute } from './features/audit/audit.routes.ts'
import { dashboardRoute } from './features/dashboard/dashboard.routes.ts'
import { notificationsRoute } from './features/notifications/notifications.routes.ts'
import { profileRoute } from './features/profile/profile.routes.ts'
import { roleRoute, rolesRoute } from './features/roles/roles.routes.ts'
import { settingsRoute } from './features/settings/settings.routes.ts'
import { registerRoute, signInRoute } from './features/sign-in/sign-in.routes.ts'
import { tenantsRoute } from './features/tenants/tenants.routes.ts'
import { userImportRoute } from './features/user-import/user-import.routes.ts'
import { userRoute, usersRoute } from './features/users/users.routes.ts'
import { NotFound } from './components/not-found.tsx'
import { rootRoute, shellRoute } from './routes.ts'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }

  interface StaticDataRouteOption {
    /** Names the page in the title of the window. */
    title?: ParseKeys
    /** Who lacks it is told so in place of the page. */
    needs?: PermissionCode
  }
}

/** Within the frame, so that there is a way on from a mistyped address. */
const unknownRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: NotFound,
  staticData: { title: 'common.notFound' },
})

const routeTree = rootRoute.addChildren([
  signInRoute,
  registerRoute,
  shellRoute.addChildren([
    dashboardRoute,
    usersRoute,
    userImportRoute,
    userRoute,
    rolesRoute,
    roleRoute,
    tenantsRoute,
    auditRoute,
    settingsRoute,
    notificationsRoute,
    profileRoute,
    unknownRoute,
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: NotFound,
})
