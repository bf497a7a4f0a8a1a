import { setTimeout as sleep } from 'node:timers/promises'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db, DbRole, Store } from './client.ts'

/**
 * Rows of one transaction of a long deletion. It takes some three milliseconds
 * (docs/decisions/0036-removing-a-tenant.md).
 */
const batchRows = 100

/**
 * Deletes in batches, until a batch is not full. Each batch gets the number of rows that it can delete, and returns the
 * number of deleted rows. Then follows a pause of twice the batch's duration, which leaves most of the time to other
 * work.
 */
export const inBatches = async (deleteBatch: (limit: number) => Promise<number>): Promise<void> => {
  for (let isMore = true; isMore;) {
    const startedAt = performance.now()
    isMore = (await deleteBatch(batchRows)) >= batchRows
    await sleep(2 * (performance.now() - startedAt))
  }
}

/** Rows whose time has passed. All its strings are SQL that the program contains. */
export interface ExpiredRows {
  table: string
  /** A column, or an expression over columns. */
  time: string
  before: string | Sql
  where?: string
  /** The role that may delete the rows. If undefined, it is `tenantry_purge`, which sees the rows of all tenants. */
  role?: DbRole
}

/** Deletes up to `limit` of the rows, in a transaction of their role. */
export const deleteExpiredRows = (db: Db, rows: ExpiredRows, limit: number): Promise<number> => {
  const table = raw(rows.table)
  const before = typeof rows.before === 'string' ? raw(rows.before) : rows.before
  const isExpired = sql`${raw(rows.time)} <= ${before} and ${raw(rows.where ?? 'true')}`
  return db.run(
    sql`delete from ${table} where ctid = any (array(select ctid from ${table} where ${isExpired} limit ${limit}))`,
  )
}

/** Deletes the rows. Interruption, repetition and several processes at once do no harm. */
export const sweep = (database: Pick<Store, 'transaction'>, rows: ExpiredRows): Promise<void> =>
  inBatches((limit) =>
    database.transaction({}, (db) => deleteExpiredRows(db, rows, limit), rows.role ?? 'tenantry_purge'),
  )
