import { browserTokens, createClient } from '@tenantry/client'

type Listener = (isExpired: boolean) => void

const listeners = new Set<Listener>()

/** The one way to the API. The session lies in localStorage, for all tabs. */
export const client = createClient({
  storage: browserTokens(),
  onSignedOut: (cause) => {
    for (const listener of listeners) listener(cause !== undefined)
  },
})

/** Calls back when nobody is signed in any more; `isExpired` when the service refused to renew the session. */
export const onSignedOut = (listener: Listener): void => void listeners.add(listener)
