import { browserTokens, createClient } from '@tenantry/client'
import { send } from '../hosted/send.ts'
import { noteWrite } from './own-writes.ts'

/** The page that says why there is no session any more: the person has signed out, or has deleted the account. */
type Farewell = 'left' | 'deleted'

/** Without a farewell the session has ended elsewhere. */
type Listener = (farewell?: Farewell) => void

const listeners = new Set<Listener>()

let isSigningOut = false

/** The console's only way to the API. All tabs share the session: the access token in localStorage, the refresh token in a cookie. */
export const client = createClient({
  storage: browserTokens(),
  cookiePath: '/console/session',
  // E-mails that a request causes come in the language of the page.
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
 * Reports the end of the session, by `signOut` in this tab, by another tab or by the service. Another session may have
 * begun meanwhile: of another user, or of the same person in another tenant.
 */
export const onSignedOut = (listener: Listener): void => void listeners.add(listener)

/** Ends the session and the sign-in of this browser. */
export const signOut = async (farewell: Farewell = 'left'): Promise<void> => {
  isSigningOut = true
  await client.session.logout()
  // The session may have come of another sign-in than the present one.
  await send('POST', '/oauth2/logout/confirm', {}).catch(() => undefined)
  isSigningOut = false
  for (const listener of listeners) listener(farewell)
}

/** Tells this tab that its session goes on in another tenant. The other tabs find the new tokens in localStorage. */
export const reportSwitch = (): void => {
  for (const listener of listeners) listener('left')
}
