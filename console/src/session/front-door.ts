/** The console is a client of its own installation: the authorization code with PKCE (RFC 6749, RFC 7636). */
import { ApiError, browserTokens } from '@tenantry/client'
import { send } from '../hosted/send.ts'
import { sha256 } from './sha256.ts'

/** Parameters of the authorization that the console uses. */
export interface Wish {
  /** The connection that the sign-in begins with. */
  connection?: string
  /** The tenant that it leads into. */
  tenant?: string
  login_hint?: string
  prompt?: 'login' | 'create'
}

/** Where the console goes on after the sign-in. */
export interface Next {
  /** A path of the console, or of the pages of the sign-in. */
  path: string
  /** Whether this window closes instead. */
  isWindow?: boolean
}

const keyOf = (state: string): string => `tenantry.sign-in.${state}`

const base64urlOf = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const randomText = (): string => base64urlOf(crypto.getRandomValues(new Uint8Array(32)))

/** Leaves the console. The document goes, so the promise never settles. */
export const leaveTo = (address: string): Promise<never> => {
  location.replace(address)
  return new Promise(() => {})
}

/** Leads this window through the sign-in. */
export const beginSignIn = (next: Next, wish: Wish = {}): Promise<never> => {
  const [state, verifier] = [randomText(), randomText()]
  sessionStorage.setItem(keyOf(state), JSON.stringify({ verifier, ...next }))
  const query = new URLSearchParams({
    client_id: 'console',
    response_type: 'code',
    redirect_uri: '/console/signed-in',
    code_challenge: base64urlOf(sha256(verifier)),
    code_challenge_method: 'S256',
    state,
    ...wish,
  })
  return leaveTo(`/oauth2/authorize?${query.toString()}`)
}

/** The sign-in of this tab that an answer belongs to. */
const readBegun = (state: string): (Next & { verifier: string }) | undefined => {
  const kept = sessionStorage.getItem(keyOf(state))
  return kept === null ? undefined : (JSON.parse(kept) as Next & { verifier: string })
}

const isCodeDead = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'consoleCodeDead'

interface KeptSession {
  access_token: string
  expires_in: number
}

/** Exchanges the code of an answer for the session, whose refresh token a cookie keeps. False for a dead code. */
const exchange = async (code: string, verifier: string): Promise<boolean> => {
  const askedAt = Date.now()
  try {
    const kept = await send<KeptSession>('POST', '/console/session', { code, code_verifier: verifier })
    const expiresAt = askedAt + kept.expires_in * 1000
    await browserTokens().set({ accessToken: kept.access_token, refreshToken: '', expiresAt })
    return true
  } catch (err) {
    if (isCodeDead(err)) return false
    throw err
  }
}

/** Takes the answer of a sign-in. Gives the path to go on at; undefined where it failed. */
export const finishSignIn = async (answer: URLSearchParams): Promise<Next | undefined> => {
  const state = answer.get('state') ?? ''
  const begun = readBegun(state)
  if (!begun) return undefined
  const { verifier, ...next } = begun
  const isOpen = answer.has('code') && (await exchange(answer.get('code') ?? '', verifier))
  sessionStorage.removeItem(keyOf(state))
  return isOpen ? next : undefined
}
