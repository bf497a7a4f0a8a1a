import { ApiError } from '../errors.ts'
import type { AuthorityEvent, ChangeEvent, EndEvent, NotificationEvent, UnreadEvent } from '../schema.ts'
import { sleep, startBackgroundTimer } from '../waiting.ts'
import { readEvents } from './connection.ts'
import type { ParsedEvent } from './parser.ts'

/** Why a stream has ended for good. */
export interface StreamEnd {
  /**
   * `signed_out`: the session is over, or another user has signed in. `not_allowed`: the caller lacks a permission
   * that the stream needs. `refused`: the service refuses the request itself, for example because it has no streams.
   */
  reason: 'signed_out' | 'not_allowed' | 'refused'
  /** The answer that refused the stream; undefined if the service ended an open stream. */
  cause: ApiError | undefined
}

/** An error that a listener throws is uncaught. */
export interface StreamListeners {
  /** The caller got a notification. */
  onNotification?: (heard: NotificationEvent['data']) => void
  /** The caller read or deleted notifications. */
  onUnread?: (heard: UnreadEvent['data']) => void
  /** Forget everything that you remember about the permissions of these users or sessions. */
  onAuthority?: (heard: AuthorityEvent['data']) => void
  /** An audit record was sealed. A subscription with this `lastEventId` continues after it. Needs `audit:read`. */
  onChange?: (heard: ChangeEvent['data'], lastEventId: string) => void
  /**
   * Changes are lost: the connection was away too long, or its `lastEventId` was unreadable. Forget everything that
   * you remember.
   */
  onGap?: () => void
  /** The stream has reached a position. A subscription with this `lastEventId` gets the changes after it. */
  onPlace?: (lastEventId: string) => void
  /**
   * The stream is open. After a reconnection (`isAgain`), forget everything that you remember: only changes are
   * repeated.
   */
  onOpen?: (opened: { isAgain: boolean }) => void
  /** The connection is lost. The subscription reconnects, and calls `onOpen`. */
  onLost?: () => void
  /** The stream has ended for good. Not called after `close` or an abort. */
  onEnd?: (end: StreamEnd) => void
}

export interface SubscribeOptions extends StreamListeners {
  /** Subscribes to the changes of every tenant; needs `tenant:enter`. */
  allTenants?: boolean | undefined
  /** Begins after this position or change, for example one that an earlier process received. */
  lastEventId?: string | undefined
  /** Aborting it closes the stream. */
  signal?: AbortSignal | undefined
  /** The pauses between connections do not keep a Node process running. */
  isBackground?: boolean
}

export interface Subscription {
  /** Closes the stream. Afterwards, no listener is called. */
  close(): void
}

/** Opens a connection; undefined if another user has signed in. */
export type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response | undefined>

/** A connection of this length counts as a success, and resets the pauses. */
const goodMs = 10_000
const pauseMsMax = 30_000

/** The end of one connection: for good, or followed by the next connection at once or after a pause. */
type Ending = StreamEnd | 'again' | { afterMs: number }

const isForGood = (ending: Ending): ending is StreamEnd => typeof ending === 'object' && 'reason' in ending

const reasonOf = ({ status, reason }: ApiError): StreamEnd['reason'] => {
  if (status === 401) return 'signed_out'
  return status === 403 || reason === 'tenantUnknown' ? 'not_allowed' : 'refused'
}

/** Only an answer of the service itself is final. A proxy may refuse for a moment. */
const isFinal = (err: unknown): err is ApiError =>
  err instanceof ApiError && err.code !== 0 && err.status >= 400 && err.status < 500 && err.status !== 429

const endingOf = (err: unknown): Ending => {
  if (isFinal(err)) return { reason: reasonOf(err), cause: err }
  const seconds = err instanceof ApiError ? err.retryAfterSeconds : undefined
  return { afterMs: (seconds ?? 0) * 1000 }
}

const endingAfter = (reason: EndEvent['data']['reason'] | undefined): Ending => {
  if (reason === undefined) return { afterMs: 0 }
  return reason === 'expired' ? 'again' : { reason, cause: undefined }
}

/** `failures` counts those in a row. Random, so that clients do not return together. */
const pauseMs = (retryMs: number, failures: number): number =>
  Math.random() * Math.min(pauseMsMax, retryMs * 2 ** failures)

/** In a microtask, so that an error of a listener does not end the stream. Skips listeners after the abort. */
const tellingUntil =
  (signal: AbortSignal) =>
  (call: () => void): void =>
    queueMicrotask(() => {
      if (!signal.aborted) call()
    })

/** Opens one connection per call of `connectOnce`, and resolves to its end. */
const createConnections = (connect: Connect, options: SubscribeOptions, signal: AbortSignal) => {
  const { onNotification, onUnread, onAuthority, onChange, onGap, onPlace, onOpen, onLost } = options
  const listeners: Record<string, ((heard: never, id: string) => void) | undefined> = {
    notification: onNotification,
    unread: onUnread,
    authority: onAuthority,
    change: onChange,
    gap: onGap,
  }
  const tell = tellingUntil(signal)
  const position = { lastEventId: options.lastEventId, retryMs: 2000, isAgain: false }

  const onEvent = ({ event, data, id }: ParsedEvent): void => {
    const heard = JSON.parse(data) as never
    tell(() => listeners[event]?.(heard, id ?? ''))
  }
  const onId = (id: string): void => {
    position.lastEventId = id
    tell(() => onPlace?.(id))
  }
  const onRetry = (ms: number): void => void (position.retryMs = Math.min(ms, pauseMsMax))

  const connectOnce = async (): Promise<Ending> => {
    const response = await connect(position.lastEventId, signal)
    if (!response?.body) return { reason: 'signed_out', cause: undefined }
    const { isAgain } = position
    position.isAgain = true
    tell(() => onOpen?.({ isAgain }))
    const ending = endingAfter(await readEvents(response.body, { onEvent, onId, onRetry }, signal))
    if (!isForGood(ending)) tell(() => onLost?.())
    return ending
  }

  return { position, connectOnce: () => connectOnce().catch(endingOf) }
}

/** Keeps a stream open: reconnects after each loss, after growing random pauses. */
export const keepOpen = (connect: Connect, options: SubscribeOptions): Subscription => {
  const controller = new AbortController()
  const { signal } = controller
  const { position, connectOnce } = createConnections(connect, options, signal)
  const startTimer = options.isBackground ? startBackgroundTimer : setTimeout

  const close = (): void => {
    options.signal?.removeEventListener('abort', close)
    controller.abort()
  }
  const finish = (end: StreamEnd): void =>
    tellingUntil(signal)(() => {
      close()
      options.onEnd?.(end)
    })

  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      const startedAt = Date.now()
      const ending = await connectOnce()
      if (isForGood(ending)) return finish(ending)
      if (ending === 'again') continue
      failures = Date.now() - startedAt < goodMs ? failures + 1 : 0
      const ms = ending.afterMs + pauseMs(position.retryMs, failures)
      await sleep(ms, signal, startTimer).catch(() => undefined)
    }
  }

  options.signal?.addEventListener('abort', close)
  if (options.signal?.aborted) close()
  void run()
  return { close }
}
