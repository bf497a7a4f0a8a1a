import sql, { raw, type Sql } from 'sql-template-tag'

/** A timestamp column as ISO 8601 in UTC; "" for null, since the API sends no null for a string. */
export const isoTime = (column: string): Sql =>
  raw(`coalesce(to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')`)

/** The part of a list that a page shows. */
export interface Slice {
  limit: number
  offset: number
}

/**
 * Counts the rows of `from`, and stops one above `max`. Give it an order that an index has: PostgreSQL then follows
 * the index. Without one it may read past rows of other tenants.
 */
export const countUpTo = (max: number, from: Sql): Sql =>
  sql`select count(*) as count from (select 1 ${from} limit ${max + 1}) as counted`

/**
 * Marks a read that may take longer than some milliseconds. It gets its own connection, so no other statement waits
 * behind it. PostgreSQL follows an index and plans for the given values: a generic plan knows neither the size of the
 * tenant nor the depth of a page, and would sort everything.
 */
export const takesLong = (read: Sql): Sql =>
  Object.assign(read, { needsOwnConnection: true, isLongRead: true })

/** A condition: the person registered the account `a`, and has not proved the mailbox of its present address. */
export const emailOpen = sql`(a.is_registered and a.proved_email is distinct from a.email_folded)`

/** The condition that an id is among some. Its bounds show PostgreSQL which partitions it may leave alone. */
export const amongIds = (column: Sql, ids: number[]): Sql =>
  sql`${column} >= ${Math.min(...ids)} and ${column} <= ${Math.max(...ids)} and ${column} = any (${ids})`
