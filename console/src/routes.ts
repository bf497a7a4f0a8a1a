import { createRootRoute, createRoute, lazyRouteComponent, retainSearchParams } from '@tanstack/react-router'
import { loadProductTheme } from './dress.ts'
import { loadPage } from './i18n.ts'
import { loadPart } from './load-part.ts'
import { queryClient } from './query-client.ts'
import { client } from './session/client.ts'
import { awaitLeaving, beginSignIn, isRestricted, isSessionEnd } from './session/sign-in.ts'
import { meQuery, type Me } from './session/me.ts'
import { portalQuery } from './session/portal.ts'
import { supportNow } from './session/support.ts'

export const rootRoute = createRootRoute()

interface ShellSearch {
  /** The tenant in scope, unless it is the caller's own. */
  tenant?: string | undefined
  /** The page of the product that led here. */
  return_to?: string | undefined
}

const loadNamedTenant = loadPart(() => import('./named-tenant.ts'))

const keptMe = { ...meQuery, staleTime: 'static' } as const

/** The caller. If the session is restricted, the sign-in asks for what it lacks. */
const readMe = async (path: string): Promise<Me> => {
  try {
    return await queryClient.query(keptMe)
  } catch (err) {
    if (isRestricted(err)) return beginSignIn({ path })
    // An error page for the moment before the page is left would say the same in other words.
    if (isSessionEnd(err)) return awaitLeaving()
    throw err
  }
}

/**
 * Fetches the look of the portal, before the page appears in another. Without it the portal works all the same. A support
 * session has none.
 */
const readLook = async (): Promise<void> => {
  if (supportNow) return
  const look = await queryClient.query({ ...portalQuery, staleTime: 'static' }).catch(() => undefined)
  if (look && look.color !== '') await loadProductTheme()
}

/** The parent of all pages that need a sign-in. Loads the caller once, so that pages need not wait. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: ({ tenant, return_to: back }: Record<string, unknown>): ShellSearch => ({
    ...(typeof tenant === 'string' && { tenant }),
    ...(typeof back === 'string' && { return_to: back }),
  }),
  search: { middlewares: [retainSearchParams(['tenant', 'return_to'])] },
  beforeLoad: async ({ location, search: { tenant }, preload }) => {
    if (preload) return
    if (!(await client.auth.session())) await beginSignIn({ path: location.href })
    if (tenant === undefined) return
    const { settleTenant } = await loadNamedTenant()
    await settleTenant(tenant, await readMe(location.href), location.href)
  },
  loader: async ({ location, preload }) => {
    const [me] = await Promise.all([preload ? queryClient.query(keptMe) : readMe(location.href), readLook()])
    return me
  },
  component: lazyRouteComponent(
    loadPage(['frame'], () => import('./shell/shell.tsx')),
    'Shell',
  ),
})
