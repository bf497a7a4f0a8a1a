import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isInterrupted } from '../process.ts'
import { progress } from '../progress.ts'

const stepMs = 500
const quietMs = 10_000

/** Vacuums, writes a checkpoint, and waits until PostgreSQL has run no autovacuum for ten seconds. */
export const awaitQuiet = async (client: pg.Client): Promise<void> => {
  progress('vacuum, checkpoint')
  await client.query('vacuum (analyze)')
  await client.query('checkpoint')
  for (let since = performance.now(); performance.now() - since < quietMs;) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where backend_type = 'autovacuum worker' and datname = current_database()`,
    )
    if (isInterrupted()) throw new Error('interrupted')
    if (rowCount !== 0) since = performance.now()
    await sleep(stepMs)
  }
}
