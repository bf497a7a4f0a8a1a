/**
 * One live stream for all tabs of a session. The tab that holds the lock has the stream and tells the others by a channel.
 * When it goes, the browser gives the lock to the next one.
 */
import type { ChangeEvent, StreamEnd, Subscription } from '@tenantry/client'
import { client } from './client.ts'

/** An event for all tabs, as it passes the channel. */
export type LiveEvent =
  | { kind: 'open'; isAgain: boolean }
  | { kind: 'lost' }
  | { kind: 'unread'; count: number; notificationId?: number }
  | { kind: 'authority'; isOfAll: boolean }
  | { kind: 'change'; change: ChangeEvent['data'] }
  | { kind: 'place'; lastEventId: string }
  | { kind: 'gap' }
  | { kind: 'end'; reason: StreamEnd['reason'] }

/** A tab tells the leader that it is there. */
type Message = LiveEvent | { kind: 'joined' }

interface Tab {
  sessionId: string
  /** The tenant in scope. */
  tenantId: string
  onEvent: (event: LiveEvent) => void
  /** The tab leaves when it aborts. */
  signal: AbortSignal
}

const ending = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The tenants in scope of all tabs: each holds a lock of that name, which ends with it. */
const readScopes = async (prefix: string): Promise<string[]> => {
  const { held = [] } = await navigator.locks.query()
  const scopes = held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  return [...new Set(scopes)]
}

type Tell = (event: LiveEvent) => void

const subscribe = (scopes: string[], lastEventId: string | undefined, tell: Tell): Subscription => {
  const [only = '', ...others] = scopes
  // Only callers who may follow every tenant can have several in scope.
  const isOne = others.length === 0
  return (isOne ? client.inTenant(only) : client).events.subscribe({
    allTenants: !isOne,
    lastEventId,
    onOpen: ({ isAgain }) => tell({ kind: 'open', isAgain }),
    onLost: () => tell({ kind: 'lost' }),
    onNotification: ({ notification: { id }, unread_count: count }) =>
      tell({ kind: 'unread', count, notificationId: id }),
    onUnread: ({ count }) => tell({ kind: 'unread', count }),
    onAuthority: ({ user_id }) => tell({ kind: 'authority', isOfAll: user_id === 0 }),
    onChange: (change) => tell({ kind: 'change', change }),
    onPlace: (id) => tell({ kind: 'place', lastEventId: id }),
    onGap: () => tell({ kind: 'gap' }),
    onEnd: ({ reason }) => tell({ kind: 'end', reason }),
  })
}

/** Tells new tabs of the open stream. */
const tellAgain = (tell: Tell, lastEventId: string | undefined): void => {
  tell({ kind: 'open', isAgain: false })
  if (lastEventId !== undefined) tell({ kind: 'place', lastEventId })
}

/** Keeps the stream for the scopes of all tabs. `place` leads on from the former leader's stream. */
const createLead = (prefix: string, tellTabs: Tell, place: () => string | undefined) => {
  let stream: Subscription | undefined
  let opened: string[] | undefined
  let isOpen = false
  let isClosed = false

  const tell: Tell = (one) => {
    if (one.kind === 'open') isOpen = true
    else if (one.kind === 'lost' || one.kind === 'end') isOpen = false
    tellTabs(one)
  }

  /** Opens the stream anew if a tab has another tenant in scope, and tells new tabs whether it is open. */
  const welcome = async (): Promise<void> => {
    const scopes = await readScopes(prefix)
    if (isClosed || scopes.length === 0) return
    if (scopes.every((scope) => opened?.includes(scope))) {
      if (isOpen) tellAgain(tell, place())
      return
    }
    stream?.close()
    // A place of other scopes says nothing of these: an empty one begins with a gap.
    stream = subscribe(scopes, opened ? '' : place(), tell)
    opened = scopes
    tell({ kind: 'lost' })
  }

  const close = (): void => {
    isClosed = true
    stream?.close()
  }
  return { welcome, close }
}

/** Receives the events of the session, by a stream of its own or by that of another tab. */
export const joinStream = ({ sessionId, tenantId, onEvent, signal }: Tab): void => {
  const name = `tenantry.stream.${sessionId}`
  const prefix = `${name} in `
  const channel = new BroadcastChannel(name)
  let place: string | undefined
  let lead: ReturnType<typeof createLead> | undefined

  const receive = (event: LiveEvent): void => {
    if (event.kind === 'place') place = event.lastEventId
    onEvent(event)
  }
  const tell = (event: LiveEvent): void => {
    channel.postMessage(event)
    receive(event)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'joined') void lead?.welcome()
    else receive(data)
  })

  const hold = (lock: string, mode: LockMode, begin: () => void): void =>
    void navigator.locks
      .request(lock, { mode, signal }, () => {
        begin()
        return ending(signal)
      })
      // A tab that left no longer waits for the lock.
      .catch(() => undefined)

  hold(prefix + tenantId, 'shared', () => {
    channel.postMessage({ kind: 'joined' })
    void lead?.welcome()
  })
  hold(name, 'exclusive', () => {
    lead = createLead(prefix, tell, () => place)
    void lead.welcome()
  })
  void ending(signal).then(() => {
    lead?.close()
    channel.close()
    onEvent({ kind: 'lost' })
  })
}
