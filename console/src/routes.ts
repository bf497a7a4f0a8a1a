import { createRootRoute, createRoute, lazyRouteComponent, retainSearchParams } from '@tanstack/react-router'
import { loadPage } from './i18n.ts'
import { queryClient } from './query-client.ts'
import { client } from './session/client.ts'
import { beginSignIn, isRestricted } from './session/sign-in.ts'
import { meQuery } from './session/me.ts'

export const rootRoute = createRootRoute()

interface ShellSearch {
  /** The tenant in scope, unless it is the caller's own. */
  tenant?: string | undefined
}

/** The parent of all pages that need a sign-in. Loads the caller once, so that pages need not wait. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: ({ tenant }: Record<string, unknown>): ShellSearch =>
    typeof tenant === 'string' ? { tenant } : {},
  search: { middlewares: [retainSearchParams(['tenant'])] },
  beforeLoad: async ({ location, preload }) => {
    if (preload || (await client.auth.session())) return
    await beginSignIn({ path: location.href })
  },
  loader: async ({ location, preload }) => {
    try {
      return await queryClient.query({ ...meQuery, staleTime: 'static' })
    } catch (err) {
      if (preload || !isRestricted(err)) throw err
      return beginSignIn({ path: location.href })
    }
  },
  component: lazyRouteComponent(
    loadPage(['frame'], () => import('./shell/shell.tsx')),
    'Shell',
  ),
})
