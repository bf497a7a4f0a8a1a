/** Opens streams, notifies them of changes, and ends them in time (decision 0128). */
import { policies, requireMay } from '../../../access/policies.ts'
import type { Invalidation } from '../../../cache/cache.ts'
import type { Ctx, Parts } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { sendAuthority } from './authority.service.ts'
import { sendAllCounts, sendInboxes } from './inbox.service.ts'
import { comment, end, hasExpired, isConcerned, type EventLine, type Listener } from './listener.ts'
import { createRegistry } from './registry.ts'
import { createSealedFeed, type Run, type SealedRow } from './sealed.service.ts'
import { listenersConcernedBy } from './concerned-listeners.ts'
import { createCallerChecks, type CallerChecks } from './caller-checks.service.ts'

/** The interval of checks for expired tokens, silent streams, and callers whose last read is too old. */
const tickMs = 250
/** The interval between reads of new seals. */
const sealedMs = 500
/**
 * The interval between searches of ended sessions. Together with the read of their callers, it ends their streams
 * within 2 s.
 */
const sessionsMs = 1000
/** The interval of looks for unsealed records. They reveal the changes of a replica that died before its message. */
const sealingMs = 1000
/** A stream gets a comment after this time without an event: at the latest after 20 s. */
const silenceMs = 19_500

export interface StreamRequest {
  receivesAllTenants: boolean
  lastEventId: string | undefined
  endsAt: Date | undefined
}

export interface Streams {
  /** Opens a stream; `begin` begins the answer. Throws 403, 429 beyond the limits, and 503 while the service stops. */
  open(ctx: Ctx, request: StreamRequest, begin: () => EventLine): void
  /** Notifies the streams of a change by any replica. Without a change, notifies them that changes may be lost. */
  receive(change: Invalidation | undefined): void
}

type Listeners = ReadonlySet<Listener>

export const createStreams = (parts: Parts): Streams => {
  const { log, metrics, stopping } = parts
  const registry = createRegistry(metrics)
  const { listeners } = registry
  const callerChecks = createCallerChecks(parts)
  const run: Run = (what, work) =>
    void work.catch((err: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err }, `streams: ${what} failed`)
    })
  const sealed = createSealedFeed(parts, run)
  const checkSealed = (rows: SealedRow[]) => callerChecks.check(listenersConcernedBy(rows, listeners))
  const clock = createClock([
    [tickMs, () => tick(parts, listeners, callerChecks)],
    [sealedMs, oneAtATime(run, 'reading the sealed log', () => sealed.advance(listeners, checkSealed))],
    [sessionsMs, oneAtATime(run, 'looking for ended sessions', () => callerChecks.checkSessions(listeners))],
    [sealingMs, () => void parts.cache.publish({ kind: 'recorded', isOwn: false })],
  ])

  stopping.signal.addEventListener('abort', () => {
    for (const { line } of listeners) line.close()
  })

  return {
    open(ctx, request, begin) {
      if (stopping.signal.aborted) throw new AppError('overloaded', 'The service stops. Connect again')
      if (request.receivesAllTenants) requireMay(ctx.actor, policies.receiveAllTenants, undefined)
      registry.requireRoom(ctx)
      const listener = listenerOf(ctx, request, begin())
      registry.add(listener)
      clock.start()
      listener.line.onClose(() => {
        if (listeners.size > 0) return
        clock.stop()
        sealed.rest()
      })
      sealed.begin(listener, request.lastEventId)
    },
    receive(change) {
      if (listeners.size > 0) notify(parts, { listeners, callerChecks, run }, change)
    },
  }
}

const listenerOf = (ctx: Ctx, { receivesAllTenants, endsAt }: StreamRequest, line: EventLine): Listener => ({
  ctx,
  line,
  receivesAllTenants,
  endsAt,
  isCatchingUp: true,
  isClosed: false,
  // The request's caller can come from a cache, so the first check reads the caller.
  checkedAt: 0,
  writtenAt: performance.now(),
})

interface StreamState {
  listeners: Listeners
  callerChecks: CallerChecks
  run: Run
}

type Silent = Extract<Invalidation, { kind: 'flags' | 'settings' | 'queued' | 'recorded' }>

/** Changes of settings and flags affect no permissions. Audit records report them to streams. */
const isSilent = (change: Invalidation | undefined): change is Silent =>
  change !== undefined && ['flags', 'settings', 'queued', 'recorded'].includes(change.kind)

const notify = (
  parts: Parts,
  { listeners, callerChecks, run }: StreamState,
  change: Invalidation | undefined,
): void => {
  if (isSilent(change)) return
  if (change?.kind === 'inbox') return run('an inbox', sendInboxes(parts, listeners, change))
  // The key that signed the sessions' tokens may be revoked, so the clients must connect again.
  if (change?.kind === 'keys') return closeSessions(listeners)
  run('a change of authority', sendAuthority(parts, listeners, change))
  callerChecks.check([...listeners].filter((listener) => isConcerned(listener, change)))
  if (!change) run('the inboxes', sendAllCounts(parts, listeners))
}

/** While a stream is open, runs each task at once and then at its interval, in milliseconds. */
const createClock = (work: [periodMs: number, work: () => void][]) => {
  let timers: NodeJS.Timeout[] = []
  return {
    start() {
      if (timers.length > 0) return
      for (const [, begin] of work) begin()
      timers = work.map(([periodMs, begin]) => setInterval(begin, periodMs).unref())
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
      timers = []
    },
  }
}

const tick = ({ now }: Parts, listeners: Listeners, callerChecks: CallerChecks): void => {
  const [moment, silentSince] = [now(), performance.now() - silenceMs]
  for (const listener of listeners) {
    if (hasExpired(listener, moment)) end(listener, 'expired')
    else if (listener.writtenAt < silentSince) comment(listener)
  }
  callerChecks.checkOld(listeners)
}

/** Skips a run while the earlier run continues. */
const oneAtATime = (run: Run, what: string, work: () => Promise<void>): (() => void) => {
  let isBusy = false
  return () => {
    if (isBusy) return
    isBusy = true
    const done = work().finally(() => {
      isBusy = false
    })
    run(what, done)
  }
}

const closeSessions = (listeners: Listeners): void => {
  for (const { ctx, line } of listeners) if (ctx.actor.key === undefined) line.close()
}
