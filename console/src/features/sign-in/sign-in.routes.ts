import { createRoute, redirect } from '@tanstack/react-router'
import { rootRoute } from '../../routes.ts'
import { beginSignIn, finishSignIn, leaveTo, type Wish } from '../../session/front-door.ts'

interface SignInSearch extends Wish {
  /** The path to continue at: one of the console, or of the pages of the sign-in. */
  next?: string
  /** Whether this window closes after the sign-in. */
  window?: boolean
}

/** Accepts a path only: an address with a host could lead the user to another site. */
const isPath = (text: unknown): text is string => typeof text === 'string' && /^\/(?![/\\])/.test(text)

const textsIn = (search: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
  )

/** Begins a sign-in, for links from elsewhere. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    ...textsIn(search, 'connection', 'tenant', 'login_hint'),
    ...(search['prompt'] === 'login' || search['prompt'] === 'create' ? { prompt: search['prompt'] } : {}),
    ...(isPath(search['next']) ? { next: search['next'] } : {}),
    ...(search['window'] === true ? { window: true } : {}),
  }),
  beforeLoad: ({ search: { next = '/', window = false, ...wish }, preload }) =>
    preload ? undefined : beginSignIn({ path: next, isWindow: window }, wish),
})

/** The end of a sign-in: its code opens the session. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signed-in',
  beforeLoad: async () => {
    const next = await finishSignIn(new URLSearchParams(location.search))
    if (!next) return leaveTo('/sign-in#failed')
    if (next.isWindow) {
      close()
      // A browser that lets no page close itself shows the next one.
      return leaveTo('/sign-in#window')
    }
    if (next.path.startsWith('/sign-in/')) return leaveTo(next.path)
    return redirect({ to: '/', href: next.path, replace: true, throw: true })
  },
})
