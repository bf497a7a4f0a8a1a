import type { AuthorityEvent, Client, Subscription } from '../client.ts'
import { startBackgroundTimer } from '../waiting.ts'
import type { Forgotten } from './answers.ts'

/** A stream that Tenantry has refused is asked for again after this time. */
const againMs = 30_000

/** An empty id, and 0, stand for all. */
const forgottenBy = ({ tenant_id, user_id, session_id }: AuthorityEvent['data']): Forgotten => ({
  ...(tenant_id !== '' && { tenantId: tenant_id }),
  ...(user_id !== 0 && { userId: user_id }),
  ...(session_id !== '' && { sessionId: session_id }),
})

/**
 * Forgets what the live stream names, and everything when it opens: changes between two connections are not told. It hears
 * every tenant if the key may, else its own. Gives the function that closes it.
 */
export const listen = (
  client: Client,
  forget: (forgotten: Forgotten) => void,
  log: (message: string) => void,
): (() => void) => {
  let stream: Subscription | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const begin = (allTenants: boolean): void => {
    stream = client.events.subscribe({
      allTenants,
      isBackground: true,
      onOpen: () => forget({}),
      onAuthority: (authority) => forget(forgottenBy(authority)),
      onEnd: ({ reason }) => {
        if (allTenants && reason === 'not_allowed') return begin(false)
        log(`Tenantry gives the guard no live stream (${reason}): changes count within 2 seconds`)
        timer = startBackgroundTimer(() => begin(true), againMs)
      },
    })
  }

  begin(true)
  return () => {
    clearTimeout(timer)
    stream?.close()
  }
}
