import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { loadPart } from '../../load-part.ts'
import { rootRoute } from '../../routes.ts'
import { client } from '../../session/client.ts'

interface SignInSearch {
  /** Where to go on, within the console. */
  next?: string
  /** The session was there, and has ended. */
  ended?: boolean
}

const skipWhenSignedIn = async (): Promise<void> => {
  if (await client.auth.session()) redirect({ to: '/', throw: true })
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ next, ended }: Record<string, unknown>): SignInSearch => ({
    // Only a path: an address with a host would lead whoever signs in elsewhere.
    ...(typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}),
    ...(ended === true ? { ended } : {}),
  }),
  beforeLoad: skipWhenSignedIn,
  component: lazyRouteComponent(
    loadPart(() => import('./sign-in-page.tsx')),
    'SignInPage',
  ),
  staticData: { title: 'signIn.title' },
})

export const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  beforeLoad: skipWhenSignedIn,
  component: lazyRouteComponent(
    loadPart(() => import('./register-page.tsx')),
    'RegisterPage',
  ),
  staticData: { title: 'signIn.register' },
})
