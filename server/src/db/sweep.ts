import { setTimeout as sleep } from 'node:timers/promises'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, DbRole, Store } from './client.ts'
import { orOnCitus } from './scope.ts'

/** Rows of one transaction of a long deletion: some three milliseconds (docs/decisions/0082-a-purge-rests.md). */
const batchRows = 100

/**
 * Deletes in batches, until one is not full. Each gets the number of rows that it may delete, and returns how many it
 * has deleted. A rest of twice its duration follows, which leaves most of the time to other work.
 */
export const inBatches = async (deleteBatch: (limit: number) => Promise<number>): Promise<void> => {
  for (let isMore = true; isMore;) {
    const startedAt = performance.now()
    isMore = (await deleteBatch(batchRows)) >= batchRows
    await sleep(2 * (performance.now() - startedAt))
  }
}

/** Rows whose time has passed. Each part that is a text is SQL of the program. */
export interface Past {
  table: string
  /** A column, or an expression over columns. */
  time: string
  before: string | Sql
  /** Bounds a batch on Citus, where `time` is the same for many rows. */
  finerTime?: string
  /** A further condition. */
  where?: string
  /** The role that may delete them: by default `tenantry_purge`, which sees the rows of all tenants. */
  role?: DbRole
}

/** Deletes up to `limit` of the rows, on Citus a few more of the same time. In a transaction of their role. */
export const deletePastRows = (db: Db, past: Past, limit: number): Promise<number> => {
  const [table, finerTime] = [raw(past.table), raw(past.finerTime ?? past.time)]
  const before = typeof past.before === 'string' ? raw(past.before) : past.before
  const isPast = sql`${raw(past.time)} <= ${before} and ${raw(past.where ?? 'true')}`
  return db.run(
    orOnCitus(
      sql`delete from ${table} where ctid = any (array(select ctid from ${table} where ${isPast} limit ${limit}))`,
      // A ctid names other rows on another node.
      sql`
    delete from ${table}
    where ${isPast} and ${finerTime} <= (
      select max(passed) from (select ${finerTime} as passed from ${table} where ${isPast} order by 1 limit ${limit}) as first)`,
    ),
  )
}

/** Deletes the rows. It can be interrupted and repeated, also by several processes at once. */
export const sweep = (database: Pick<Store, 'transaction'>, past: Past): Promise<void> =>
  inBatches((limit) =>
    database.transaction({}, (db) => deletePastRows(db, past, limit), past.role ?? 'tenantry_purge'),
  )
