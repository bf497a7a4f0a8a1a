import pg from 'pg'
import type { Outcome, Statement } from './batch.ts'
import { send } from './batch.ts'
import type { ConnectionConfig } from './connection.ts'
import { DatabaseUnavailable, sqlState, statementError } from './errors.ts'
import { repeatUndone } from './repeat.ts'

/** One shared connection with the batches of many callers in flight at once. */
export interface Lane {
  send<Row>(statements: Statement[], replyMs: number): Promise<Outcome<Row>>
  /** Batches sent and not yet answered. */
  pending(): number
  /** Milliseconds since the last reply while replies are due. A slow statement delays all statements behind it. */
  stalledMs(): number
  close: () => Promise<void>
}

/**
 * A failed connection attempt is also the answer for callers of the next 100 ms. That limits attempts to ten a second.
 */
const failedAttemptMs = 100

/** Opens a lane. It connects with its first use, and reconnects with the next use after a failure. */
export function openLane(config: ConnectionConfig): Lane {
  const connection = openConnection(config)
  let pending = 0
  let waitingSince = 0
  return {
    async send<Row>(statements: Statement[], replyMs: number) {
      if (pending++ === 0) waitingSince = performance.now()
      const start = performance.now()
      try {
        return await repeatUndone(() =>
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

/** Connects on first use, with one attempt for all waiting callers. Reconnects after the connection broke. */
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
        forget(attempt) // A fail-over made this server a standby: the next use looks for the primary again.
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

/** The least time for a reply, even after a long wait for a connection. */
const replyMinMs = 1_000

/** The milliseconds that remain for the reply, of `ms` since `start`. */
export const replyWithin = (ms: number, start: number): number =>
  Math.max(replyMinMs, ms - (performance.now() - start))

/** Every failure to connect (refused, timed out, changed password) means that the database is unavailable. */
export const unreachable = (err: unknown) => {
  const known = statementError(err)
  return known instanceof DatabaseUnavailable
    ? known
    : new DatabaseUnavailable(`the database refuses connections: ${(err as Error).message}`, { cause: err })
}

const isReadOnly = (err: unknown) => err instanceof DatabaseUnavailable && sqlState(err.cause) === '25006'
