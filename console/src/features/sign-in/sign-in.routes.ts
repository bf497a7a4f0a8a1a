import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { Registration } from '@tenantry/client'
import { loadPart } from '../../load-part.ts'
import { rootRoute } from '../../routes.ts'
import { client } from '../../session/client.ts'

interface SignInSearch {
  /** Where to go on, within the console. */
  next?: string
  /** The session was there, and has ended. */
  ended?: boolean
}

/** Without an answer the page stands as usual: what it then asks for is refused with an explanation. */
const unknown: Registration = { open: true, first_becomes_admin: false }

/** Leads who is signed in into the console; the others can be told whether they may register. */
const enter = async (next = '/') => {
  if (await client.auth.session()) redirect({ to: '/', href: next, throw: true })
  const registration = await client.auth.registration({ timeoutMs: 3000 }).catch(() => unknown)
  return { registration }
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ next, ended }: Record<string, unknown>): SignInSearch => ({
    // Only a path: an address with a host would lead whoever signs in elsewhere.
    ...(typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}),
    ...(ended === true ? { ended } : {}),
  }),
  beforeLoad: async ({ search }) => {
    const known = await enter(search.next)
    if (known.registration.first_becomes_admin) redirect({ to: '/register', throw: true })
    return known
  },
  component: lazyRouteComponent(
    loadPart(() => import('./sign-in-page.tsx')),
    'SignInPage',
  ),
  staticData: { title: 'signIn.title' },
})

export const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  beforeLoad: () => enter(),
  component: lazyRouteComponent(
    loadPart(() => import('./register-page.tsx')),
    'RegisterPage',
  ),
  staticData: { title: 'signIn.register' },
})
