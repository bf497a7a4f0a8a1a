import { browserTokens, createClient } from '@tenantry/client'

type Listener = (isOwnDoing: boolean) => void

const listeners = new Set<Listener>()

let isSigningOut = false

/** The one way to the API. The session lies in localStorage, for all tabs. */
export const client = createClient({
  storage: browserTokens(),
  onSignedOut: () => {
    for (const listener of listeners) listener(isSigningOut)
  },
})

/**
 * Calls back when the session that was there is gone; `isOwnDoing` when it was ended by `signOut` in this tab, and not by
 * another tab or the service. Another one may stand in its place: somebody else has signed in in another tab.
 */
export const onSignedOut = (listener: Listener): void => void listeners.add(listener)

export const signOut = async (): Promise<void> => {
  isSigningOut = true
  await client.auth.signOut()
  isSigningOut = false
}
