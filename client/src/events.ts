import type { Api } from './api.ts'
import type { ClientSession } from './session/session.ts'
import type { Tokens } from './session/storage.ts'
import { isSameUser } from './session/tokens.ts'
import { keepOpen, type SubscribeOptions, type Subscription } from './stream/subscription.ts'

export const eventMethods = ({ askStream }: Api, session: ClientSession) => ({
  /**
   * Subscribes to the live stream: the caller's notifications, changes of permissions and, with `audit:read`, the
   * sealed audit records of the tenant in scope. The stream opens at once and reconnects until `close`. After a
   * reconnection, missed changes come first, or `onGap` is called. Missed notifications and changes of permissions do
   * not come again. `onEnd` reports failures.
   *
   * @example
   * const stream = client.events.subscribe({
   *   onOpen: ({ isAgain }) => console.log(isAgain ? 'open again' : 'open'),
   *   onNotification: ({ notification, unread_count }) => console.log(notification.title, unread_count),
   *   onChange: ({ action, resource_id }) => console.log(action, resource_id),
   *   onEnd: ({ reason }) => console.log('ended:', reason),
   * })
   * setTimeout(() => stream.close(), 60_000)
   */
  subscribe: (options: SubscribeOptions): Subscription => {
    let first: Tokens | undefined
    return keepOpen(async (lastEventId, signal) => {
      const tokens = await session.current(signal)
      first ??= tokens
      // A stream of one user must not continue with the tokens of another.
      if (first && !isSameUser(first, tokens)) return undefined
      const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
      return askStream('/events/stream', { all_tenants: options.allTenants }, headers, signal)
    }, options)
  },
})
