import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { ApiError } from '@tenantry/client'
import { loadPage } from './i18n.ts'
import { queryClient } from './query-client.ts'
import { client } from './session/client.ts'
import { meQuery } from './session/me.ts'

export const rootRoute = createRootRoute()

interface ShellSearch {
  /** The tenant in scope, unless it is the caller's own. */
  tenant?: string | undefined
}

/** The page that a restricted session opens, by the reason of the refusal. */
const restrictedPages = new Map<string, '/second-factor' | '/confirm-email'>([
  ['sessionRestricted', '/second-factor'],
  ['emailUnverified', '/confirm-email'],
])

/** The parent of all pages behind the sign-in. It loads the caller once, so that pages need not wait. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: ({ tenant }: Record<string, unknown>): ShellSearch =>
    typeof tenant === 'string' ? { tenant } : {},
  search: { middlewares: [retainSearchParams(['tenant'])] },
  beforeLoad: async ({ location }) => {
    if (await client.auth.session()) return
    const search = location.href === '/' ? {} : { next: location.href }
    redirect({ to: '/sign-in', search, throw: true })
  },
  loader: async ({ location }) => {
    try {
      return await queryClient.query({ ...meQuery, staleTime: 'static' })
    } catch (err) {
      const to = err instanceof ApiError && restrictedPages.get(err.reason)
      if (!to) throw err
      return redirect({ to, search: { next: location.href }, throw: true })
    }
  },
  component: lazyRouteComponent(
    loadPage(['frame'], () => import('./shell/shell.tsx')),
    'Shell',
  ),
})
