/** Sends the rows of a queue, several at once and from several replicas. A slow attempt delays no other. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import sql, { raw } from 'sql-template-tag'
import type { Db, Store } from './client.ts'

/**
 * The longest time between two looks at a queue with rows. Every pause and every lease is longer, so a replica notices
 * its end in time.
 */
const lookMs = 5000
/**
 * The longest time between two looks at an empty queue. A replica learns of new rows at once (`Invalidation` in
 * cache/cache.ts), so such a look finds only rows whose replica died before its message left. The time is random, so
 * that replicas look at different moments.
 */
const idleLookMs = 15_000
/** The pause after a look that found rows. Running attempts can end in it, and free their slots. */
const busyMs = 10

interface LookParts {
  now: () => Date
  /** Whether the replica hears every message of every replica. */
  cache: { isHearing: () => boolean }
}

/** The time until the next look. The next row is due at `due`; undefined or null means that the queue is empty. */
export const lookAfterMs = (due: Date | null | undefined, { now, cache }: LookParts): number => {
  if (due) return Math.min(lookMs, Math.max(0, due.getTime() - now().getTime()))
  return cache.isHearing() ? idleLookMs * (1 - Math.random() / 3) : lookMs
}

type QueueTable = 'mail_queue' | 'logout_queue'

export const selectNextDue = (db: Db, table: QueueTable) =>
  db.one<{ due: Date | null }>(sql`select min(next_attempt_at) as due from ${raw(table)}`)

export interface QueuedRow {
  id: string
  /** The number of attempts, including this one. */
  attempts: number
}

/** The rows that a replica may take. */
export interface Share<Row> {
  now: Date
  /** No other replica takes these rows before this time, even if this replica dies. */
  until: Date
  limit: number
  /** The rows whose attempts are running. */
  underWay: Row[]
}

/** The limits of one replica. */
export interface QueueLimits {
  /** The most attempts that hold a slot at once. */
  slots: number
  /** An attempt that takes longer frees its slot, but continues. */
  slotMs: number
  /** The most running attempts, including slow ones. A further attempt ends the oldest one. */
  attempts: number
  /** An attempt ends after this time. */
  attemptMs: number
  /** The time until another replica can take a row. It is longer than an attempt. */
  leaseMs: number
  /** The pause after a look that failed, or that got none of the due rows. */
  pollMs: number
}

export interface Queue<Row extends QueuedRow> {
  table: QueueTable
  limits: QueueLimits
  /** Moves `next_attempt_at` of due rows to the end of the lease, and counts the attempt. */
  take: (db: Db, share: Share<Row>) => Promise<Row[]>
  /** Throws unless the receiver has accepted the row. The signal ends the attempt. */
  send: (row: Row, signal: AbortSignal) => Promise<unknown>
  /** Reports a failed attempt. Returns the pause before the next one; undefined if there is none. */
  pauseAfter: (row: Row, err: unknown) => number | undefined
}

export interface Sender {
  /**
   * Waits for a free slot, takes due rows and begins to send them. Returns their number; 0 if none is due. No other
   * replica takes the same rows.
   */
  round: () => Promise<number>
  /** The time until the next round. */
  pauseMs: () => number
  pollMs: number
  /** Resolves when no attempt is running. */
  settle: () => Promise<void>
  /** Ends all attempts. Their rows are due at once, for other replicas. */
  stop: () => Promise<void>
}

/** The reason with which a stop aborts an attempt. */
const stopped = Symbol('the service stops')

/** The running attempts, and the slots that they hold. */
const createAttempts = <Row>(limits: QueueLimits) => {
  /** The attempts by their abort controllers, the oldest first. */
  const underWay = new Map<AbortController, { row: Row; running: Promise<void> }>()
  const slots = new Set<Promise<unknown>>()
  return {
    rows: (): Row[] => [...underWay.values()].map(({ row }) => row),
    /** Waits for a free slot. Returns the number of free slots. */
    async freeSlots(): Promise<number> {
      while (slots.size >= limits.slots) await Promise.race(slots)
      return limits.slots - slots.size
    },
    begin(row: Row, run: (signal: AbortSignal) => Promise<void>): void {
      const ending = new AbortController()
      const late = setTimeout(() => ending.abort(), limits.attemptMs)
      const running = run(ending.signal).finally(() => {
        clearTimeout(late)
        underWay.delete(ending)
      })
      const slot = Promise.race([running, sleep(limits.slotMs, undefined, { ref: false })]).finally(() =>
        slots.delete(slot),
      )
      slots.add(slot)
      underWay.set(ending, { row, running })
      const open = [...underWay.keys()].filter(({ signal }) => !signal.aborted)
      if (open.length > limits.attempts) open[0]?.abort()
    },
    stop(): void {
      for (const ending of underWay.keys()) ending.abort(stopped)
    },
    async settle(): Promise<void> {
      while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ running }) => running))
    },
  }
}

interface SenderParts extends LookParts {
  store: Store
  log: Pick<Logger, 'error'>
}

/**
 * Sends a row, and then deletes or postpones it. Never throws: if the outcome cannot be stored, the row is sent again
 * after its lease.
 */
const attempt = async <Row extends QueuedRow>(
  { store, now, log }: SenderParts,
  { table, send, pauseAfter }: Queue<Row>,
  row: Row,
  signal: AbortSignal,
): Promise<void> => {
  const { id, attempts } = row
  try {
    const pauseMs = await send(row, signal).then(
      () => undefined,
      (err: unknown) => (signal.reason === stopped ? 0 : pauseAfter(row, err)),
    )
    const due = new Date(now().getTime() + (pauseMs ?? 0))
    await store.scoped({}).run(
      pauseMs === undefined
        ? sql`delete from ${raw(table)} where id = ${id}`
        : // Another replica may have taken the row since.
          sql`update ${raw(table)} set next_attempt_at = ${due} where id = ${id} and attempts = ${attempts}`,
    )
  } catch (err) {
    const about = { err, table, id, attempt: attempts }
    log.error(about, 'the outcome of an attempt could not be stored; it is repeated after its lease')
  }
}

export const createSender = <Row extends QueuedRow>(parts: SenderParts, queue: Queue<Row>): Sender => {
  const { store, now } = parts
  const { limits } = queue
  const attempts = createAttempts<Row>(limits)
  let pauseMs = 0

  const takeRows = (limit: number): Promise<Row[]> => {
    const until = new Date(now().getTime() + limits.leaseMs)
    return store.transaction({}, (db) =>
      queue.take(db, { now: now(), until, limit, underWay: attempts.rows() }),
    )
  }

  return {
    async round() {
      pauseMs = limits.pollMs
      const free = await attempts.freeSlots()
      const next = await selectNextDue(store.scoped({}), queue.table)
      const untilDue = lookAfterMs(next?.due, parts)
      if (untilDue > 0) {
        pauseMs = untilDue
        return 0
      }
      const taken = await takeRows(free)
      for (const row of taken) attempts.begin(row, (signal) => attempt(parts, queue, row, signal))
      if (taken.length > 0) pauseMs = busyMs
      return taken.length
    },
    pauseMs: () => pauseMs,
    pollMs: limits.pollMs,
    settle: () => attempts.settle(),
    async stop() {
      attempts.stop()
      await attempts.settle()
    },
  }
}
