import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { loadPart } from './load-part.ts'
import { queryClient } from './query-client.ts'
import { client } from './session/client.ts'
import { meQuery } from './session/me.ts'

export const rootRoute = createRootRoute()

interface ShellSearch {
  /** The tenant in scope, where it is not the own one. */
  tenant?: string | undefined
}

/** Everything behind the sign-in. Whoever is signed in is known to what is below, so that pages need not wait for it. */
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
  loader: () => queryClient.query({ ...meQuery, staleTime: 'static' }),
  component: lazyRouteComponent(
    loadPart(() => import('./shell/shell.tsx')),
    'Shell',
  ),
})
