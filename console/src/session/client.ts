import { browserTokens, createClient } from '@tenantry/client'
import { noteWrite } from './own-writes.ts'

type Listener = (isOwnDoing: boolean) => void

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
    for (const listener of listeners) listener(isSigningOut)
  },
})

/**
 * Reports the end of the session. `isOwnDoing` is true if `signOut` in this tab ended it, not another tab or the
 * service. Another session may have begun meanwhile: of another user, or of the same person in another tenant.
 */
export const onSignedOut = (listener: Listener): void => void listeners.add(listener)

export const signOut = async (): Promise<void> => {
  isSigningOut = true
  await client.session.logout()
  isSigningOut = false
}

/** Tells this tab that its session goes on in another tenant. The other tabs find the new tokens in localStorage. */
export const reportSwitch = (): void => {
  for (const listener of listeners) listener(true)
}
