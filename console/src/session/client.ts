import { browserTokens, createClient, type Client } from '@tenantry/client'
import { send } from '../hosted/send.ts'
import { needErrors, setLanguage } from '../i18n.ts'
import { createStore } from '../store.ts'
import type { Language } from '../translation.ts'
import { isOutage } from './outage.ts'
import { noteWrite } from './own-writes.ts'
import { leaveSupport, supportNow, type SupportNow } from './support.ts'

/** The reason why this browser's session ended: the person signed out, switched the tenant, or deleted the account. */
type EndReason = 'left' | 'deleted'

/** Without a reason, another tab or the service ended the session. */
type Listener = (reason?: EndReason) => void

const listeners = new Set<Listener>()

let isSigningOut = false

/**
 * Holds back a refusal until its text is there. Without the text, the page shows its key. Answers to previews, and to
 * changes of many, have refusals within. No page shows a refusal of the stream.
 */
const withErrorTexts = async (answer: Promise<Response>, method = 'GET'): Promise<Response> => {
  const response = await answer
  const isShown = method !== 'GET' || (!response.ok && !response.url.includes('/events/stream'))
  if (isShown) await needErrors().catch(() => undefined)
  return response
}

/** True while unsaved work of an ended session waits for the same person to sign in again. */
export const signInPending = createStore(false)

const request = (input: string | URL | Request, init: RequestInit | undefined): Promise<Response> => {
  const headers = new Headers(init?.headers)
  // The service sends e-mails in the language of the request.
  headers.set('accept-language', document.documentElement.lang)
  // oxlint-disable-next-line no-restricted-globals -- the SDK makes its requests by this call
  return fetch(input, { ...init, headers })
}

/** All tabs share the person's session: the access token in localStorage, the refresh token in a cookie. */
const createOwn = (onSignedOut: () => void): Client =>
  createClient({
    storage: browserTokens(),
    cookiePath: '/console/session',
    fetch: (input, init) => {
      const answer = request(input, init)
      noteWrite(input as string, init, answer)
      return withErrorTexts(answer, init?.method)
    },
    onSignedOut,
  })

/** A support session has a token without renewal. Its first refusal is its end. */
const createSupport = ({ token }: SupportNow): Client =>
  createClient({
    accessToken: token,
    fetch: async (input, init) => {
      const answer = await withErrorTexts(request(input, init), init?.method)
      return answer.status === 401 ? leaveSupport() : answer
    },
  })

/** The client of the API: the person's own, or in a support session the user's. */
export const client = supportNow
  ? createSupport(supportNow)
  : createOwn(() => {
      if (!isSigningOut) for (const listener of listeners) listener()
    })

/** The client of the person's own session, also in a support session. */
export const ownClient = (): Client => (supportNow ? createOwn(() => undefined) : client)

/** Ends the support session of this tab. Throws if the service cannot be reached: the session would continue. */
export const endSupport = async (): Promise<void> => {
  try {
    await ownClient().support.end(supportNow?.id ?? '')
  } catch (err) {
    // It has ended already, or with the person's own session.
    if (isOutage(err)) throw err
  }
  await leaveSupport()
}

/**
 * Reports the end of the session by `signOut` in this tab, by another tab or by the service. A new session may exist
 * already: of another user, or of the same person in another tenant.
 */
export const onSignedOut = (listener: Listener): void => void listeners.add(listener)

/** Ends the console's session and this browser's sign-in. */
export const signOut = async (reason: EndReason = 'left'): Promise<void> => {
  if (supportNow) return endSupport()
  isSigningOut = true
  await client.session.logout()
  // The session can belong to an earlier sign-in than the browser's present one.
  await send('POST', '/oauth2/logout/confirm', {}).catch(() => undefined)
  isSigningOut = false
  for (const listener of listeners) listener(reason)
}

/** Reports to this tab that its session has switched the tenant. Other tabs find the new tokens in localStorage. */
export const reportSwitch = (): void => {
  for (const listener of listeners) listener('left')
}

/**
 * Each refresh sends the language to the service, which then sends e-mails in it. If one fails, the next one sends it.
 */
export const chooseLanguage = async (language: Language): Promise<void> => {
  await setLanguage(language)
  if (await client.auth.session()) await client.auth.refresh().catch(() => undefined)
}
