/** Opens streams, tells them of changes, and ends them in time (decision 0128). */
import { policies, requireMay } from '../../../access/policies.ts'
import type { Invalidation } from '../../../cache/cache.ts'
import type { Ctx, Parts } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { tellAuthority } from './authority.service.ts'
import { tellAllCounts, tellInboxes } from './inbox.service.ts'
import { comment, end, hasExpired, isConcerned, type Line, type Listener } from './listener.ts'
import { createRegistry } from './registry.ts'
import { createSealed, type Run, type SealedRow } from './sealed.service.ts'
import { changesStanding } from './sealed-standing.ts'
import { createStanding, type Standing } from './standing.service.ts'

/** Ends, comments and callers that were not read for long are looked at with this period. */
const tickMs = 250
/** New seals are read with this period. */
const sealedMs = 500
/** Sessions that have ended are looked for with this period: with the read of their callers, they end within 2 s. */
const sessionsMs = 1000
/** A comment goes out after this time without an event, so at the latest after 20 s. */
const silenceMs = 19_500

/** The request of a client. */
export interface Wish {
  receivesAllTenants: boolean
  lastEventId: string | undefined
  endsAt: Date | undefined
}

export interface Streams {
  /** Opens a stream: `begin` begins the answer. Throws 403, 429 beyond the limits, and 503 while the service stops. */
  open(ctx: Ctx, wish: Wish, begin: () => Line): void
  /** Tells the streams of a change by any replica; without one, of all changes that there can have been. */
  receive(change: Invalidation | undefined): void
}

type Listeners = ReadonlySet<Listener>

export const createStreams = (parts: Parts): Streams => {
  const { log, metrics, stopping } = parts
  const registry = createRegistry(metrics)
  const { listeners } = registry
  const standing = createStanding(parts)
  const run: Run = (what, work) =>
    void work.catch((err: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err }, `streams: ${what} failed`)
    })
  const sealed = createSealed(parts, run)
  const checkSealed = (rows: SealedRow[]) => standing.check(changesStanding(rows, listeners))
  const clock = createClock([
    [tickMs, () => tick(parts, listeners, standing)],
    [sealedMs, oneAtATime(run, 'reading the sealed log', () => sealed.advance(listeners, checkSealed))],
    [sessionsMs, oneAtATime(run, 'looking for ended sessions', () => standing.checkSessions(listeners))],
  ])

  stopping.signal.addEventListener('abort', () => {
    for (const { line } of listeners) line.close()
  })

  return {
    open(ctx, wish, begin) {
      if (stopping.signal.aborted) throw new AppError('overloaded', 'The service stops. Connect again')
      if (wish.receivesAllTenants) requireMay(ctx.actor, policies.receiveAllTenants, undefined)
      registry.requirePlace(ctx)
      const listener = listenerOf(ctx, wish, begin())
      registry.add(listener)
      clock.start()
      listener.line.onClose(() => {
        if (listeners.size > 0) return
        clock.stop()
        sealed.rest()
      })
      sealed.begin(listener, wish.lastEventId)
    },
    receive(change) {
      if (listeners.size > 0) tell(parts, { listeners, standing, run }, change)
    },
  }
}

const listenerOf = (ctx: Ctx, { receivesAllTenants, endsAt }: Wish, line: Line): Listener => ({
  ctx,
  line,
  receivesAllTenants,
  endsAt,
  isCatchingUp: true,
  isClosed: false,
  // The caller of the request may have been remembered, so they are read soon.
  checkedAt: 0,
  writtenAt: performance.now(),
})

interface Told {
  listeners: Listeners
  standing: Standing
  run: Run
}

type Silent = Extract<Invalidation, { kind: 'flags' | 'settings' }>

/** Settings and flags change nobody's authority; records tell of them. */
const isSilent = (change: Invalidation | undefined): change is Silent =>
  change?.kind === 'flags' || change?.kind === 'settings'

const tell = (parts: Parts, { listeners, standing, run }: Told, change: Invalidation | undefined): void => {
  if (isSilent(change)) return
  if (change?.kind === 'inbox') return run('an inbox', tellInboxes(parts, listeners, change))
  // The tokens of sessions may have lost their key: their clients connect again.
  if (change?.kind === 'keys') return closeSessions(listeners)
  run('a change of authority', tellAuthority(parts, listeners, change))
  standing.check([...listeners].filter((listener) => isConcerned(listener, change)))
  if (!change) run('the inboxes', tellAllCounts(parts, listeners))
}

/** Does all work at once, and again with its period in milliseconds, while a stream is open. */
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

const tick = ({ now }: Parts, listeners: Listeners, standing: Standing): void => {
  const [moment, silentSince] = [now(), performance.now() - silenceMs]
  for (const listener of listeners) {
    if (hasExpired(listener, moment)) end(listener, 'expired')
    else if (listener.writtenAt < silentSince) comment(listener)
  }
  standing.checkOld(listeners)
}

/** Work ends before it begins again. */
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
