import { createApi } from './api.ts'
import { approvalMethods } from './approvals.ts'
import { endpointsOf } from './endpoints.ts'
import { eventMethods } from './events.ts'
import { sessionMethods, signInMethods } from './sign-in.ts'
import type { SignedOutListener } from './session/states.ts'
import { refreshPatiently } from './session/renewal.ts'
import { createGivenSession, type GivenToken } from './session/given-token.ts'
import { createSession, type ClientSession } from './session/session.ts'
import { memoryTokens, type Tokens, type TokenStorage } from './session/storage.ts'
import { isTokenRefused } from './send.ts'
import { sessionIdOf, type Renewed } from './session/tokens.ts'
import { createWire, type Wire } from './wire.ts'

export type { Assignment, CountedList, KeyOfAccount, Page } from './api.ts'
export type { LoginResult } from './sign-in.ts'
export { errorCodes, type ErrorName } from './error-codes.ts'
export {
  ApiError,
  type ApiErrorDetails,
  type ErrorReason,
  type FieldError,
  type RefusedChange,
  type SentChange,
} from './errors.ts'
export { spreadsheetFormula } from './formula.ts'
export type { SignedOutListener } from './session/states.ts'
export type * from './schema.ts'
export type { CallOptions } from './send.ts'
export type { GivenToken } from './session/given-token.ts'
export { browserTokens, memoryTokens, type Tokens, type TokenStorage } from './session/storage.ts'
export type { Session } from './session/tokens.ts'
export type { StreamEnd, StreamListeners, SubscribeOptions, Subscription } from './stream/subscription.ts'
export { verifyWebhook, WebhookInvalid, type WebhookEvent, type WebhookHeaders } from './webhook.ts'

export interface ClientOptions {
  /**
   * Address of the service without `/api/v1`, such as `https://admin.example.com`. A page that the service or its proxy
   * serves can leave it out.
   */
  baseUrl?: string
  /**
   * Keeps the session. Default: `memoryTokens()`. `browserTokens()` shares it among all tabs; or pass a storage of
   * your own.
   */
  storage?: TokenStorage
  /**
   * Acts with an access token that the application holds, or with one that a function gives for each call. A backend
   * uses it for the token of its request. It replaces `storage`, and nothing can be renewed: a 401 is reported as it
   * is. Methods that sign in or out reject with a `TypeError`.
   */
  accessToken?: GivenToken
  /**
   * Path of the page's own origin at which an `HttpOnly` cookie keeps the refresh token: `/console/session`. No
   * script can read that cookie. `storage` then keeps only the access token.
   */
  cookiePath?: string
  /** Replaces the platform's `fetch`, for example to add headers or to use a proxy. */
  fetch?: typeof globalThis.fetch
  /** Milliseconds for a call with all its attempts; 30,000 by default, `Infinity` for no limit. */
  timeoutMs?: number
  /**
   * Number of retries for a call; 2 by default. The pause before a retry is random and grows, or follows the
   * service's Retry-After up to 10 seconds. A GET is retried after a network failure, 429, 502, 503 and 504. A write
   * is retried only when the service refused it before doing anything (`tooManyRequests`, `overloaded`): after a lost
   * answer, it may have been done.
   */
  retries?: number
  /**
   * Called once when the session has ended. `cause` is the answer that refused the renewal. `cause` is undefined
   * after `logout`, and when another tab signed out or signed in another user. An error that the listener throws is
   * uncaught.
   */
  onSignedOut?: SignedOutListener
}

interface Shared {
  wire: Wire
  session: ClientSession
  timeoutMs: number
}

type Endpoints = ReturnType<typeof endpointsOf>

/**
 * The API, one method for each endpoint. Each method names its own errors. Besides those, any method can reject with
 * an `ApiError` for `network`, `timeout`, `unknown`, 500 `internal` or 503 `databaseUnavailable`. Methods that send
 * the token can also reject with:
 *
 * - 401 `tokenMissing` or `refreshTokenInvalid` when nobody is signed in any more;
 * - 403 `tenantForeign`, `tenantDisabled`, `sessionRestricted` or `passwordExpired`, 404 `tenantUnknown`, 429
 *   `tooManyRequests`;
 * - `storage` when the storage of the session fails.
 *
 * An id that is not a whole number from 1, or not a UUID, gives 400 `invalidInput`. Fields that an update omits stay.
 */
export interface Client extends Omit<Endpoints, 'auth' | 'approvals'> {
  approvals: Endpoints['approvals'] & ReturnType<typeof approvalMethods>
  auth: Endpoints['auth'] & ReturnType<typeof signInMethods>
  session: ReturnType<typeof sessionMethods>
  events: ReturnType<typeof eventMethods>
  /**
   * The same session with another tenant in scope, for callers with `tenant:enter`. By default the caller's own
   * tenant is in scope.
   *
   * @example
   * for (const tenant of await client.tenants.list()) {
   *   const { total } = await client.inTenant(tenant.id).users.list({ page_size: 1 })
   *   console.log(tenant.name, total)
   * }
   */
  inTenant(tenantId: string): Client
  /**
   * Stops watching the storage for changes by other tabs. A page that creates several clients closes those that it
   * drops. A client that lives as long as its page, or that uses `memoryTokens()`, needs no closing.
   *
   * @example
   * const client = createClient({ storage: browserTokens('tenantry.preview') })
   * client.close()
   */
  close(): void
}

const clientOf = (shared: Shared, tenantId?: string): Client => {
  const api = createApi({ ...shared, tenantId })
  const { auth, approvals, ...endpoints } = endpointsOf(api)
  return {
    ...endpoints,
    approvals: { ...approvals, ...approvalMethods(api) },
    auth: { ...auth, ...signInMethods(api, shared.session, shared.timeoutMs) },
    session: sessionMethods(shared.session),
    events: eventMethods(api, shared.session),
    inTenant: (other) => clientOf(shared, other),
    close: shared.session.close,
  }
}

/** A user without a network waits no longer to sign out. */
const logoutMs = 5_000

const sessionOf = (options: ClientOptions, wire: Wire): ClientSession => {
  const { accessToken, cookiePath, storage = memoryTokens(), onSignedOut = () => undefined } = options
  if (accessToken !== undefined) return createGivenSession(accessToken)
  const path = cookiePath ?? '/api/v1/auth/refresh'
  const refresh = async (tokens: Tokens, signal: AbortSignal): Promise<Renewed> => {
    // All tabs share one cookie. Naming the session makes the service refuse the cookie of another session.
    const body = tokens.refreshToken
      ? { refresh_token: tokens.refreshToken }
      : { session_id: sessionIdOf(tokens) }
    return (await wire.exchange({ method: 'POST', path, body, signal })).data as Renewed
  }
  const logout = async (tokens: Tokens): Promise<void> => {
    const signal = AbortSignal.timeout(logoutMs)
    const end = (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return wire.exchange({ method: 'POST', path: '/api/v1/auth/logout', headers, signal })
    }
    await end(tokens.accessToken).catch(async (err: unknown) => {
      if (!isTokenRefused(err)) throw err
      await end((await refresh(tokens, signal)).access_token)
    })
  }
  const keep = async (tokens: Tokens) =>
    cookiePath === undefined ? tokens : refreshPatiently(refresh, tokens)
  return createSession(storage, { refresh, logout, keep }, onSignedOut)
}

/**
 * Creates a client of one service, with one session.
 *
 * @throws TypeError when `baseUrl` is not an http(s) address, or is missing outside a page, and for an empty
 * `accessToken`
 * @example
 * const client = createClient({ baseUrl: 'http://localhost:8080', onSignedOut: () => console.log('Sign in again') })
 * await client.auth.login({ email: 'ada@example.com', password: 'correct horse battery' })
 * console.log((await client.profile.get()).username)
 */
export const createClient = (options: ClientOptions = {}): Client => {
  const { baseUrl = '', timeoutMs = 30_000, retries = 2 } = options
  const { fetch = (...request) => globalThis.fetch(...request) } = options
  const wire = createWire(baseUrl.replace(/\/+$/, ''), fetch, retries)
  return clientOf({ wire, session: sessionOf(options, wire), timeoutMs })
}
