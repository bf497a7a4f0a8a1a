/** The console signs in as a client of its own installation: authorization code with PKCE (RFC 6749, RFC 7636). */
import { browserTokens } from '@tenantry/client'
import { isReason, send } from '../hosted/send.ts'
import { sha256 } from './sha256.ts'

/** Optional parameters of the authorization request. */
export interface SignInHints {
  /** The id of the connection that signs in. */
  connection?: string
  /** The slug of the provider that the sign-in begins with. */
  provider?: string
  /** The id of the tenant to sign in to. */
  tenant?: string
  login_hint?: string
  prompt?: 'login' | 'create'
}

/** The page to open after the sign-in. */
export interface ReturnPage {
  /** A path of the console, or of the hosted pages. */
  path: string
  /** Whether to close this window instead. */
  isWindow?: boolean
}

const keyOf = (state: string): string => `tenantry.sign-in.${state}`

const base64urlOf = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const randomText = (): string => base64urlOf(crypto.getRandomValues(new Uint8Array(32)))

/** The pages of the own account are no part of the console, and receive their code themselves. */
const redirectUri = (): string =>
  location.pathname.startsWith('/account') ? '/account/signed-in' : '/console/signed-in'

/** Never settles, because the document is about to be unloaded. */
export const awaitLeaving = (): Promise<never> => new Promise(() => {})

/** Leaves the console. */
export const leaveTo = (address: string): Promise<never> => {
  location.replace(address)
  return awaitLeaving()
}

/** Redirects this window to the sign-in. */
export const beginSignIn = (page: ReturnPage, hints: SignInHints = {}): Promise<never> => {
  const [state, verifier] = [randomText(), randomText()]
  sessionStorage.setItem(keyOf(state), JSON.stringify({ verifier, ...page }))
  const query = new URLSearchParams({
    client_id: 'console',
    response_type: 'code',
    redirect_uri: redirectUri(),
    code_challenge: base64urlOf(sha256(verifier)),
    code_challenge_method: 'S256',
    state,
    ...hints,
  })
  return leaveTo(`/oauth2/authorize?${query.toString()}`)
}

/** True if the tenant or the installation requires a proof, or another password. The sign-in asks for it. */
export const isRestricted = (err: unknown): boolean =>
  isReason(err, 'sessionRestricted', 'emailUnverified', 'passwordExpired')

/** True if nobody is signed in any more. The console then leaves its page (`onSignedOut` of client.ts). */
export const isSessionEnd = (err: unknown): boolean => isReason(err, 'refreshTokenInvalid', 'tokenMissing')

/** A sign-in that this tab has begun. */
interface PendingSignIn extends ReturnPage {
  /** The PKCE code verifier. */
  verifier: string
}

const readPending = (state: string): PendingSignIn | undefined => {
  const stored = sessionStorage.getItem(keyOf(state))
  return stored === null ? undefined : (JSON.parse(stored) as PendingSignIn)
}

interface SessionTokens {
  access_token: string
  expires_in: number
}

/** Exchanges the code for a session. Its refresh token is in a cookie. False for an expired or used code. */
const exchange = async (code: string, verifier: string): Promise<boolean> => {
  const askedAt = Date.now()
  try {
    const sent = { code, code_verifier: verifier, redirect_uri: redirectUri() }
    const tokens = await send<SessionTokens>('POST', '/console/session', sent)
    const expiresAt = askedAt + tokens.expires_in * 1000
    await browserTokens().set({ accessToken: tokens.access_token, refreshToken: '', expiresAt })
    return true
  } catch (err) {
    if (isReason(err, 'consoleCodeDead')) return false
    throw err
  }
}

/** Handles the authorization response. Returns the page to open; undefined if the sign-in failed. */
export const finishSignIn = async (answer: URLSearchParams): Promise<ReturnPage | undefined> => {
  const state = answer.get('state') ?? ''
  const pending = readPending(state)
  if (!pending) return undefined
  const { verifier, ...page } = pending
  const isOpen = answer.has('code') && (await exchange(answer.get('code') ?? '', verifier))
  sessionStorage.removeItem(keyOf(state))
  return isOpen ? page : undefined
}
