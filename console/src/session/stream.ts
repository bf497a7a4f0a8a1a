/**
 * One live stream for all tabs of a session. The tab that holds the lock opens the stream, and sends its events to the
 * other tabs over a channel. When that tab closes, the browser gives the lock to another tab.
 */
import type { ChangeEvent, StreamEnd, Subscription } from '@tenantry/client'
import { client } from './client.ts'

/** An event of the stream in the form that the channel transports. */
export type LiveEvent =
  | { kind: 'open'; isAgain: boolean }
  | { kind: 'lost' }
  | { kind: 'unread'; count: number; notificationId?: number }
  | { kind: 'authority'; isOfAll: boolean }
  | { kind: 'change'; change: ChangeEvent['data'] }
  | { kind: 'position'; lastEventId: string }
  | { kind: 'gap' }
  | { kind: 'end'; reason: StreamEnd['reason'] }

/** A new tab announces itself to the leader. */
type Message = LiveEvent | { kind: 'joined' }

interface Tab {
  sessionId: string
  /** The tenant in scope. */
  tenantId: string
  onEvent: (event: LiveEvent) => void
  /** Aborted when the tab leaves the stream. */
  signal: AbortSignal
}

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** The tenants in scope of all tabs. Each tab holds a lock that contains its tenant's id. */
const readScopes = async (prefix: string): Promise<string[]> => {
  const { held = [] } = await navigator.locks.query()
  const scopes = held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  return [...new Set(scopes)]
}

type Emit = (event: LiveEvent) => void

const subscribe = (scopes: string[], lastEventId: string | undefined, emit: Emit): Subscription => {
  const [only = '', ...others] = scopes
  // Only callers who may follow every tenant can have several tenants in scope.
  const isOne = others.length === 0
  return (isOne ? client.inTenant(only) : client).events.subscribe({
    allTenants: !isOne,
    lastEventId,
    onOpen: ({ isAgain }) => emit({ kind: 'open', isAgain }),
    onLost: () => emit({ kind: 'lost' }),
    onNotification: ({ notification: { id }, unread_count: count }) =>
      emit({ kind: 'unread', count, notificationId: id }),
    onUnread: ({ count }) => emit({ kind: 'unread', count }),
    onAuthority: ({ user_id }) => emit({ kind: 'authority', isOfAll: user_id === 0 }),
    onChange: (change) => emit({ kind: 'change', change }),
    onPlace: (id) => emit({ kind: 'position', lastEventId: id }),
    onGap: () => emit({ kind: 'gap' }),
    onEnd: ({ reason }) => emit({ kind: 'end', reason }),
  })
}

/** Announces the open stream to new tabs. */
const announce = (emit: Emit, lastEventId: string | undefined): void => {
  emit({ kind: 'open', isAgain: false })
  if (lastEventId !== undefined) emit({ kind: 'position', lastEventId })
}

/** Keeps the stream open for the tenants of all tabs. `lastEventId` continues the stream of the earlier leader. */
const createLeader = (prefix: string, emitToTabs: Emit, lastEventId: () => string | undefined) => {
  let stream: Subscription | undefined
  let opened: string[] | undefined
  let isOpen = false
  let isClosed = false

  const emit: Emit = (one) => {
    if (one.kind === 'open') isOpen = true
    else if (one.kind === 'lost' || one.kind === 'end') isOpen = false
    emitToTabs(one)
  }

  /** Opens the stream again if a tab has another tenant in scope. Otherwise announces the stream to new tabs. */
  const welcome = async (): Promise<void> => {
    const scopes = await readScopes(prefix)
    if (isClosed || scopes.length === 0) return
    if (scopes.every((scope) => opened?.includes(scope))) {
      if (isOpen) announce(emit, lastEventId())
      return
    }
    stream?.close()
    // The id belongs to the earlier set of tenants. An empty id makes the new stream begin with a gap.
    stream = subscribe(scopes, opened ? '' : lastEventId(), emit)
    opened = scopes
    emit({ kind: 'lost' })
  }

  const close = (): void => {
    isClosed = true
    stream?.close()
  }
  return { welcome, close }
}

/** Receives the events of the session, from this tab's stream or from that of another tab. */
export const joinStream = ({ sessionId, tenantId, onEvent, signal }: Tab): void => {
  const name = `tenantry.stream.${sessionId}`
  const prefix = `${name} in `
  const channel = new BroadcastChannel(name)
  let lastEventId: string | undefined
  let leader: ReturnType<typeof createLeader> | undefined

  const receive = (event: LiveEvent): void => {
    if (event.kind === 'position') lastEventId = event.lastEventId
    onEvent(event)
  }
  const emit = (event: LiveEvent): void => {
    channel.postMessage(event)
    receive(event)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'joined') void leader?.welcome()
    else receive(data)
  })

  const hold = (lock: string, mode: LockMode, begin: () => void): void =>
    void navigator.locks
      .request(lock, { mode, signal }, () => {
        begin()
        return abortOf(signal)
      })
      // A tab that left no longer waits for the lock.
      .catch(() => undefined)

  hold(prefix + tenantId, 'shared', () => {
    channel.postMessage({ kind: 'joined' })
    void leader?.welcome()
  })
  hold(name, 'exclusive', () => {
    leader = createLeader(prefix, emit, () => lastEventId)
    void leader.welcome()
  })
  void abortOf(signal).then(() => {
    leader?.close()
    channel.close()
    onEvent({ kind: 'lost' })
  })
}
