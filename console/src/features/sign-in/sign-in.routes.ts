import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { InvitationFound, Registration, SignUpFound } from '@tenantry/client'
import { loadPage } from '../../i18n.ts'
import { rootRoute } from '../../routes.ts'
import { client } from '../../session/client.ts'
import { findHome } from './home-of-link.tsx'
import { isLinkDead, takeToken } from './link-token.ts'
import { takeReturn } from '../../session/provider-return.ts'

interface SignInSearch {
  /** The path to continue at, within the console. */
  next?: string
  /** Whether a session has ended. */
  ended?: boolean
  /** Whether the account of this session was deleted. */
  deleted?: boolean
  /** Whether a new password was set by a mailed link. */
  reset?: boolean
}

/** The page does not wait longer for anything that it can do without. */
const timeoutMs = 3000

/** Without an answer the page offers registration; the service refuses it if it is closed. */
const unknown: Registration = { open: true, first_becomes_admin: false }

/** Redirects a signed-in user into the console; otherwise reads whether registration is open. */
const enter = async (next = '/') => {
  if (await client.auth.session()) redirect({ to: '/', href: next, throw: true })
  const registration = await client.auth.registration({ timeoutMs }).catch(() => unknown)
  return { registration }
}

/** Without an answer the page offers a new password; the service refuses it where no e-mail is sent. */
const readWays = async () => {
  const options = await client.auth.options({ timeoutMs }).catch(() => undefined)
  return {
    offersReset: options?.password_reset ?? true,
    offersPasskey: options?.passkeys ?? false,
    offersSignUp: options?.sign_up === 'organization',
    isMailInFiles: options?.mail_in_files ?? false,
  }
}

/** Accepts a path only: an address with a host could lead the user to another site. */
const ofNext = (next: unknown): Pick<SignInSearch, 'next'> =>
  typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ next, ended, reset, deleted }: Record<string, unknown>): SignInSearch => ({
    ...ofNext(next),
    ...(ended === true ? { ended } : {}),
    ...(reset === true ? { reset } : {}),
    ...(deleted === true ? { deleted } : {}),
  }),
  beforeLoad: async ({ search }) => {
    const [{ registration }, ways] = await Promise.all([enter(search.next), readWays()])
    if (registration.first_becomes_admin) redirect({ to: '/register', throw: true })
    return { registration, ...ways }
  },
  component: lazyRouteComponent(
    loadPage(['account'], () => import('./sign-in-page.tsx')),
    'SignInPage',
  ),
  staticData: { title: 'signIn.title' },
})

export const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  beforeLoad: async () => {
    const [entered, { offersSignUp }] = await Promise.all([enter(), readWays()])
    if (!entered.registration.open && offersSignUp) redirect({ to: '/sign-up', throw: true })
    return entered
  },
  component: lazyRouteComponent(
    loadPage(['account'], () => import('./register-page.tsx')),
    'RegisterPage',
  ),
  staticData: { title: 'signIn.register' },
})

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  beforeLoad: ({ location }) => ({ interaction: /^interaction=([\da-f-]{36})$/.exec(location.hash)?.[1] }),
  component: lazyRouteComponent(
    loadPage(['account'], () => import('./forgot-password-page.tsx')),
    'ForgotPasswordPage',
  ),
  staticData: { title: 'signIn.forgot' },
})

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  beforeLoad: async ({ location }) => {
    const token = takeToken('/reset-password', location.hash)
    return { token, home: await findHome(token) }
  },
  component: lazyRouteComponent(
    loadPage(['account'], () => import('./reset-password-page.tsx')),
    'ResetPasswordPage',
  ),
  staticData: { title: 'signIn.reset' },
})

export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  beforeLoad: async ({ location }) => {
    const token = takeToken('/verify-email', location.hash)
    const [session, home] = await Promise.all([client.auth.session(), findHome(token)])
    return { token, home, isSignedIn: session !== undefined }
  },
  component: lazyRouteComponent(
    loadPage(['account'], () => import('./verify-email-page.tsx')),
    'VerifyEmailPage',
  ),
  staticData: { title: 'signIn.verify' },
})

/** For a session that is restricted until the person has confirmed the e-mail. */
export const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm-email',
  validateSearch: ({ next }: Record<string, unknown>): Pick<SignInSearch, 'next'> => ofNext(next),
  beforeLoad: async () => {
    if (!(await client.auth.session())) redirect({ to: '/sign-in', throw: true })
    const { email } = await client.profile.get()
    return { email }
  },
  component: lazyRouteComponent(
    loadPage(['account'], () => import('./confirm-email-page.tsx')),
    'ConfirmEmailPage',
  ),
  staticData: { title: 'signIn.confirmEmail' },
})

/** The answer about a link; undefined for a dead one. */
const unlessDead = async <Found>(looking: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await looking
  } catch (err) {
    if (isLinkDead(err)) return undefined
    throw err
  }
}

const findInvitation = (token: string): Promise<InvitationFound | undefined> =>
  unlessDead(client.auth.lookUpInvitation({ token }, { include: 'proof' }))

const findSignUp = (token: string): Promise<SignUpFound | undefined> =>
  unlessDead(client.auth.lookUpSignUp({ token }, { include: 'proof' }))

/** The address of the session that this browser holds. Without an answer there is none; the service knows better. */
const readOwnEmail = async (): Promise<string | undefined> => {
  if (!(await client.auth.session())) return undefined
  const own = await client.profile.get({}, { timeoutMs }).catch(() => undefined)
  return own?.email
}

export const acceptInvitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accept-invitation',
  beforeLoad: async ({ location }) => {
    const token = takeToken('/accept-invitation', location.hash)
    if (token === undefined) return { link: undefined }
    const [found, ownEmail] = await Promise.all([findInvitation(token), readOwnEmail()])
    return { link: found && { token, found, ownEmail } }
  },
  component: lazyRouteComponent(
    loadPage(['access', 'account'], () => import('./accept-invitation-page.tsx')),
    'AcceptInvitationPage',
  ),
  staticData: { title: 'signIn.accept' },
})

/** Asks for the link that creates an organization, and is the page of that link. */
export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  beforeLoad: async ({ location }) => {
    const token = takeToken('/sign-up', location.hash)
    if (token === undefined) {
      const [, { offersSignUp: isOpen, isMailInFiles }] = await Promise.all([enter(), readWays()])
      return { link: undefined, home: undefined, hasToken: false, isOpen, isMailInFiles }
    }
    const [found, home, ownEmail] = await Promise.all([findSignUp(token), findHome(token), readOwnEmail()])
    const link = found && { token, found, ownEmail }
    return { link, home, hasToken: true, isOpen: true, isMailInFiles: false }
  },
  component: lazyRouteComponent(
    loadPage(['access', 'account'], () => import('./sign-up-page.tsx')),
    'SignUpPage',
  ),
  staticData: { title: 'signIn.signUp' },
})

/** The end of a sign-in at the provider of an organization: its code opens the session. */
export const providerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sso',
  beforeLoad: async ({ location }) => {
    const code = new URLSearchParams(location.hash).get('code')
    if (code === null) return { error: undefined }
    try {
      await client.auth.loginWithConnection({ code })
    } catch (error) {
      return { error }
    }
    redirect({ to: '/', href: takeReturn(), replace: true, throw: true })
    return { error: undefined }
  },
  component: lazyRouteComponent(
    loadPage(['account'], () => import('./provider-page.tsx')),
    'ProviderPage',
  ),
  staticData: { title: 'signIn.title' },
})

/** For a session that the tenant restricts until it has a second factor. It stands outside the frame, which needs more. */
export const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/second-factor',
  validateSearch: ({ next }: Record<string, unknown>): Pick<SignInSearch, 'next'> => ofNext(next),
  beforeLoad: async () => {
    if (!(await client.auth.session())) redirect({ to: '/sign-in', throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['account'], () => import('./second-factor-page.tsx')),
    'SecondFactorPage',
  ),
  staticData: { title: 'signIn.secondFactor' },
})
