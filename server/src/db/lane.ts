import pg from 'pg'
import type { Outcome, Statement } from './batch.ts'
import { isStalePlan, send } from './batch.ts'
import type { ConnectionConfig } from './connection.ts'
import { DatabaseUnavailable, sqlState, statementError } from './errors.ts'

/** One shared connection on which many callers' batches are in flight at once. It connects with its first use. */
export interface Lane {
  send<Row>(statements: Statement[], replyMs: number): Promise<Outcome<Row>>
  /** Batches sent and not yet answered. */
  pending(): number
  /** Milliseconds since the last reply while there is something to reply to: a slow statement holds up the rest. */
  stalledMs(): number
  close: () => Promise<void>
}

/** How long a failed connection attempt answers for those that would come next: at most ten attempts a second. */
const failedAttemptMs = 100

/** Opens a lane: it connects with its first use, and again with the next use after its connection broke. */
export function openLane(config: ConnectionConfig): Lane {
  const connection = openConnection(config)
  let pending = 0
  let waitingSince = 0
  return {
    async send<Row>(statements: Statement[], replyMs: number) {
      if (pending++ === 0) waitingSince = performance.now()
      const start = performance.now()
      try {
        return await repeatStale(() =>
          connection.use((client) => send<Row>(client, statements, replyWithin(replyMs, start))),
        )
      } finally {
        pending--
        waitingSince = performance.now()
      }
    },
    pending: () => pending,
    stalledMs: () => (pending === 0 ? 0 : performance.now() - waitingSince),
    close: connection.close,
  }
}

/** A connection that is made when it is used, by one attempt for all who wait, and forgotten when it breaks. */
function openConnection({ Client = pg.Client, ...config }: ConnectionConfig) {
  let current: Promise<pg.Client> | undefined
  let closed = false

  const forget = (attempt: Promise<pg.Client>) => {
    if (current === attempt) current = undefined
  }

  function connect(): Promise<pg.Client> {
    const client = new Client(config)
    client.on('error', () => {}) // every batch in flight fails with it, and 'end' follows
    const attempt = client.connect().then(() => client)
    attempt.then(
      () => client.on('end', () => forget(attempt)),
      () => setTimeout(forget, failedAttemptMs, attempt).unref(),
    )
    return attempt
  }

  async function use<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    if (closed) throw new DatabaseUnavailable('the database is closed')
    const attempt = (current ??= connect())
    const client = await attempt.catch((err: unknown) => {
      throw unreachable(err)
    })
    try {
      return await work(client)
    } catch (err) {
      if (isReadOnly(err)) {
        forget(attempt) // a standby since a fail-over: the next use asks for the primary again
        void client.end()
      }
      throw err
    }
  }

  async function close() {
    closed = true
    const client = await current?.catch(() => undefined)
    await client?.end()
  }

  return { use, close }
}

/** However long the wait for a connection was, a statement gets this long. */
const replyMinMs = 1_000

/** What is left for the reply of the time that began at `start`. */
export const replyWithin = (ms: number, start: number): number =>
  Math.max(replyMinMs, ms - (performance.now() - start))

/** Runs a batch again when its prepared statements were stale; it had no effect. */
export async function repeatStale<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 3; ; left--) {
    try {
      return await attempt()
    } catch (err) {
      if (left === 0 || !isStalePlan(err)) throw err
    }
  }
}

/** Whatever keeps a connection from being made (refused, timed out, password changed), the database is away. */
export const unreachable = (err: unknown) => {
  const known = statementError(err)
  return known instanceof DatabaseUnavailable
    ? known
    : new DatabaseUnavailable(`the database refuses connections: ${(err as Error).message}`, { cause: err })
}

const isReadOnly = (err: unknown) => err instanceof DatabaseUnavailable && sqlState(err.cause) === '25006'
