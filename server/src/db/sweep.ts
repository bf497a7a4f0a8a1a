import sql, { raw } from 'sql-template-tag'
import type { Db, Store } from './client.ts'
import { orOnCitus } from './scope.ts'

/** Rows of all tenants whose time has passed. Each part is SQL of the program. */
export interface Past {
  table: string
  /** A column, or an expression over columns. */
  time: string
  before: string
  /** Bounds a batch on Citus, where `time` is the same for many rows. */
  finerTime?: string
}

/** Deletes up to `limit` of the rows, on Citus a few more of the same time. In a transaction of `tenantry_purge`. */
export const deletePastRows = (db: Db, past: Past, limit: number): Promise<number> => {
  const [table, time] = [raw(past.table), raw(past.finerTime ?? past.time)]
  const isPast = raw(`${past.time} < ${past.before}`)
  return db.run(
    orOnCitus(
      sql`delete from ${table} where ctid = any (array(select ctid from ${table} where ${isPast} limit ${limit}))`,
      // A ctid names other rows on another node.
      sql`
    delete from ${table}
    where ${isPast} and ${time} <= (
      select max(passed) from (select ${time} as passed from ${table} where ${isPast} order by 1 limit ${limit}) as first)`,
    ),
  )
}

/** Deletes a batch of the rows. Resolves with whether others may be left. */
export const sweepBatch = async (
  database: Pick<Store, 'transaction'>,
  past: Past,
  limit: number,
): Promise<boolean> =>
  (await database.transaction({}, (db) => deletePastRows(db, past, limit), 'tenantry_purge')) >= limit
