import { createRoute, redirect } from '@tanstack/react-router'
import { rootRoute } from '../../routes.ts'
import { beginSignIn, finishSignIn, leaveTo, type SignInHints } from '../../session/sign-in.ts'

interface SignInSearch extends SignInHints {
  /** The path that opens after the sign-in. It belongs to the console or to the sign-in pages. */
  next?: string
  /** Whether this window closes after the sign-in. */
  window?: boolean
}

/** True for a path. An address with a host could send the user to another site. */
const isPath = (text: unknown): text is string => typeof text === 'string' && /^\/(?![/\\])/.test(text)

const textsIn = (search: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
  )

/** Begins a sign-in, for links from other pages. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    ...textsIn(search, 'connection', 'provider', 'tenant', 'login_hint'),
    ...(search['prompt'] === 'login' || search['prompt'] === 'create' ? { prompt: search['prompt'] } : {}),
    ...(isPath(search['next']) ? { next: search['next'] } : {}),
    ...(search['window'] === true ? { window: true } : {}),
  }),
  beforeLoad: ({ search: { next = '/', window = false, ...hints }, preload }) =>
    preload ? undefined : beginSignIn({ path: next, isWindow: window }, hints),
})

/** The end of a sign-in: its code opens the session. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signed-in',
  beforeLoad: async () => {
    const page = await finishSignIn(new URLSearchParams(location.search))
    if (!page) return leaveTo('/sign-in#failed')
    if (page.isWindow) {
      close()
      // Some browsers do not let a page close itself. They show this page.
      return leaveTo('/sign-in#window')
    }
    if (page.path.startsWith('/sign-in/')) return leaveTo(page.path)
    return redirect({ to: '/', href: page.path, replace: true, throw: true })
  },
})
