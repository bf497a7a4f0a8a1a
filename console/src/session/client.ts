import { browserTokens, createClient } from '@tenantry/client'
import { send } from '../hosted/send.ts'
import { setLanguage } from '../i18n.ts'
import { createStore } from '../store.ts'
import type { Language } from '../translation.ts'
import { noteWrite } from './own-writes.ts'

/** The reason why this browser's session ended: the person signed out, switched the tenant, or deleted the account. */
type EndReason = 'left' | 'deleted'

/** Without a reason, another tab or the service ended the session. */
type Listener = (reason?: EndReason) => void

const listeners = new Set<Listener>()

let isSigningOut = false

/** True while unsaved work of an ended session waits for the same person to sign in again. */
export const signInPending = createStore(false)

/** The only client of the API. All tabs share its session: the access token in localStorage, the refresh token in a cookie. */
export const client = createClient({
  storage: browserTokens(),
  cookiePath: '/console/session',
  // The service sends e-mails in the language of the request.
  fetch: (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('accept-language', document.documentElement.lang)
    // oxlint-disable-next-line no-restricted-globals -- the SDK makes its requests by this call
    const answer = fetch(input, { ...init, headers })
    noteWrite(input as string, init, answer)
    return answer
  },
  onSignedOut: () => {
    if (!isSigningOut) for (const listener of listeners) listener()
  },
})

/**
 * Reports the end of the session by `signOut` in this tab, by another tab or by the service. A new session may exist
 * already: of another user, or of the same person in another tenant.
 */
export const onSignedOut = (listener: Listener): void => void listeners.add(listener)

/** Ends the console's session and this browser's sign-in. */
export const signOut = async (reason: EndReason = 'left'): Promise<void> => {
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
