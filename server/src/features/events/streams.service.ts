/** Opens streams, tells them of changes, and ends them in time (decision 0128). */
import { policies, requireMay } from '../../access/policies.ts'
import type { Change } from '../../cache/cache.ts'
import type { Ctx, Parts } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { tellAuthority } from './authority.service.ts'
import { tellAllCounts, tellInboxes } from './inbox.service.ts'
import { comment, end, isConcerned, type Line, type Listener } from './listener.ts'
import { createRegistry } from './registry.ts'
import { createSealed, type Sealed } from './sealed.service.ts'
import { changesStanding } from './sealed-standing.ts'
import { createStanding, type Standing } from './standing.service.ts'

/** Ends, comments and callers that were not read for long are looked at with this period. */
const tickMs = 250
/** New seals are read with this period. */
const sealedMs = 500
/** A comment goes out after this time without an event, so at the latest after 20 s. */
const silenceMs = 19_500

/** The request of a client. */
export interface Wish {
  hearsAllTenants: boolean
  lastEventId: string | undefined
  endsAt: Date | undefined
}

export interface Streams {
  /** Opens a stream: `begin` begins the answer. Throws 403, 429 beyond the limits, and 503 while the service stops. */
  open(ctx: Ctx, wish: Wish, begin: () => Line): void
  /** Tells the streams of a change by any replica; without one, of all changes that there can have been. */
  hear(change: Change | undefined): void
}

type Listeners = ReadonlySet<Listener>
/** Runs work that nobody waits for; a failure is logged. */
type Run = (what: string, work: Promise<void>) => void

export const createStreams = (parts: Parts): Streams => {
  const { log, metrics, stopping } = parts
  const registry = createRegistry(metrics)
  const { listeners } = registry
  const standing = createStanding(parts)
  const sealed = createSealed(parts)
  const run: Run = (what, work) =>
    void work.catch((err: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err }, `streams: ${what} failed`)
    })
  const clock = createClock(
    () => tick(parts, listeners, standing),
    readingSealed(sealed, standing, listeners, run),
  )

  stopping.signal.addEventListener('abort', () => {
    for (const { line } of listeners) line.close()
  })

  return {
    open(ctx, wish, begin) {
      if (stopping.signal.aborted) throw new AppError('overloaded', 'The service stops. Connect again')
      if (wish.hearsAllTenants) requireMay(ctx.actor, policies.hearAllTenants, undefined)
      registry.requirePlace(ctx)
      const listener = listenerOf(ctx, wish, begin())
      registry.add(listener)
      clock.start()
      listener.line.onClose(() => {
        if (listeners.size > 0) return
        clock.stop()
        sealed.rest()
      })
      const { lastEventId } = wish
      if (lastEventId !== undefined) run('catching up', sealed.catchUp(listener, lastEventId))
    },
    hear(change) {
      if (listeners.size > 0) tell(parts, { listeners, standing, run }, change)
    },
  }
}

const listenerOf = (ctx: Ctx, { hearsAllTenants, lastEventId, endsAt }: Wish, line: Line): Listener => ({
  ctx,
  line,
  hearsAllTenants,
  endsAt,
  isCatchingUp: lastEventId !== undefined,
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

const tell = (parts: Parts, { listeners, standing, run }: Told, change: Change | undefined): void => {
  if (change?.kind === 'inbox') return run('an inbox', tellInboxes(parts, listeners, change))
  // The tokens of sessions may have lost their key: their clients connect again.
  if (change?.kind === 'keys') return closeSessions(listeners)
  run('a change of authority', tellAuthority(parts, listeners, change))
  standing.check([...listeners].filter((listener) => isConcerned(listener, change)))
  if (!change) run('the inboxes', tellAllCounts(parts, listeners))
}

/** The two timers run while a stream is open. */
const createClock = (onTick: () => void, onSealed: () => void) => {
  let timers: NodeJS.Timeout[] = []
  return {
    start() {
      if (timers.length > 0) return
      onSealed()
      timers = [setInterval(onTick, tickMs).unref(), setInterval(onSealed, sealedMs).unref()]
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
    if (listener.endsAt && listener.endsAt <= moment) end(listener, 'expired')
    else if (listener.writtenAt < silentSince) comment(listener)
  }
  standing.checkOld(listeners)
}

/** One reading ends before the next one begins. */
const readingSealed = (sealed: Sealed, standing: Standing, listeners: Listeners, run: Run): (() => void) => {
  let isReading = false
  return () => {
    if (isReading) return
    isReading = true
    const reading = sealed.advance(listeners, (rows) => standing.check(changesStanding(rows, listeners)))
    run(
      'reading the sealed log',
      reading.finally(() => {
        isReading = false
      }),
    )
  }
}

const closeSessions = (listeners: Listeners): void => {
  for (const { ctx, line } of listeners) if (ctx.actor.key === undefined) line.close()
}
