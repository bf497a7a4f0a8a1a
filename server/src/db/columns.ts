import sql, { raw, type Sql } from 'sql-template-tag'

/** A timestamp column as ISO 8601 in UTC, "" when there is none (contract: strings never come as null). */
export const isoTime = (column: string): Sql =>
  raw(`coalesce(to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')`)

/** A timestamp column to the microsecond, as ISO 8601 in UTC, whatever the time zone of the session; null stays null. */
export const exactTime = (column: string): Sql =>
  raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)

/** A page as SQL says it. */
export interface Slice {
  limit: number
  offset: number
}

/** How many rows `from` has, or one more than `max` when there are more: then no further one is looked at. */
export const countUpTo = (max: number, from: Sql): Sql =>
  sql`select count(*) as count from (select 1 ${from} limit ${max + 1}) as counted`

/**
 * Begins a statement that may take longer than some milliseconds: it gets a connection of its own (see store.ts), and
 * nobody waits behind it.
 */
export const mayTakeLong = raw('/* may take long */')
