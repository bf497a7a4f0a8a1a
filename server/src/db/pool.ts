import pg from 'pg'
import type { ConnectionConfig } from './connection.ts'
import { DatabaseUnavailable } from './errors.ts'
import { replyWithin, unreachable } from './lane.ts'

/** A pool whose connections serve one caller at a time: writes, slow statements and transactions. */
export interface Pool {
  /**
   * Lends a connection to `use`, with the milliseconds that remain for the first reply. The connection always returns
   * to the pool. After DatabaseUnavailable the pool closes it, because its state is unknown.
   */
  lend<T>(use: (client: pg.Client, replyMs: number) => Promise<T>): Promise<T>
  stats(): { busy: number; idle: number; waiting: number }
  close(): Promise<void>
}

export interface PoolLimits {
  connections: number
  /** The most callers that wait for a connection. The pool refuses further callers at once. */
  waiting: number
  /** The longest wait for a connection. */
  waitMs: number
  /** The longest wait for a connection and the first reply together. */
  replyMs: number
}

/** Opens a pool that connects on demand. `lend` throws DatabaseUnavailable without a connection. */
export function openPool(config: ConnectionConfig, limits: PoolLimits): Pool {
  const pool = new pg.Pool({
    ...config,
    max: limits.connections,
    connectionTimeoutMillis: limits.waitMs,
    idleTimeoutMillis: 0, // a new connection costs more than an idle one
  })
  pool.on('error', () => {}) // an idle connection broke: the pool has dropped it already
  pool.on('connect', (client) => client.on('error', () => {})) // a connection in use broke: its statement fails

  async function acquire(): Promise<pg.PoolClient> {
    if (pool.waitingCount >= limits.waiting) throw new DatabaseUnavailable('the database is overloaded')
    try {
      return await pool.connect()
    } catch (err) {
      throw isWaitOver(err) ? noConnection(limits.waitMs, err) : unreachable(err)
    }
  }

  return {
    async lend(use) {
      const start = performance.now()
      const client = await acquire()
      try {
        const result = await use(client, replyWithin(limits.replyMs, start))
        client.release()
        return result
      } catch (err) {
        client.release(err instanceof DatabaseUnavailable)
        throw err
      }
    },
    stats: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => pool.end(),
  }
}

// pg-pool has no code for this error. embedded.test.ts fails if a newer version changes its text.
const isWaitOver = (err: unknown) => (err as Error).message === 'timeout exceeded when trying to connect'

const noConnection = (waitMs: number, cause: unknown) =>
  new DatabaseUnavailable(
    `no database connection came free within ${waitMs} ms: the database is overloaded, or a transaction waits for a ` +
      `statement that was not sent on its own handle`,
    { cause },
  )
