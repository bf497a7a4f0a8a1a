import type { AuthorityEvent, Client, Subscription } from '../client.ts'
import { startBackgroundTimer } from '../waiting.ts'
import type { Forgotten } from './answers.ts'

/** The pause before a new attempt after Tenantry has refused the stream. */
const againMs = 30_000

/** In an event, an empty id (or 0) means all of them. */
const forgottenBy = ({ tenant_id, user_id, session_id }: AuthorityEvent['data']): Forgotten => ({
  ...(tenant_id !== '' && { tenantId: tenant_id }),
  ...(user_id !== 0 && { userId: user_id }),
  ...(session_id !== '' && { sessionId: session_id }),
})

/**
 * Forgets the answers that the live stream names, and all answers when it opens: the stream does not repeat changes
 * that came between two connections. It subscribes to all tenants if the key may, otherwise to its own. Returns the
 * function that closes it.
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
