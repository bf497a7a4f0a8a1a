import sql, { raw, type Sql } from 'sql-template-tag'

/** SQL: a timestamp column as ISO 8601 in UTC. It gives "" for null, because the API sends no null for a string. */
export const isoTime = (column: string): Sql =>
  raw(`coalesce(to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')`)

/** The part of a list that a page shows. */
export interface Slice {
  limit: number
  offset: number
}

/**
 * Counts the rows of `from`, and stops one above `max`. `from` needs an order that an index has: PostgreSQL then
 * follows the index. Otherwise it may read rows of other tenants.
 */
export const countUpTo = (max: number, from: Sql): Sql =>
  sql`select count(*) as count from (select 1 ${from} limit ${max + 1}) as counted`

/**
 * Marks a read that can take longer than some milliseconds. It gets a connection of its own, so that no other statement
 * waits behind it. PostgreSQL then follows an index and plans for the given values. A generic plan does not know the
 * tenant's size or the page's depth, and would sort all rows.
 */
export const takesLong = (read: Sql): Sql =>
  Object.assign(read, { needsOwnConnection: true, isLongRead: true })

/** SQL: true if the person registered the account `a` and has not confirmed its present address. */
export const emailOpen = sql`(a.is_registered and a.proved_email is distinct from a.email_folded)`

/** SQL: true if the person of the account `a` has proved its present address, and chose its password or has none. */
export const isOwned = sql`
  (coalesce(a.proved_email = a.email_folded, false) and (a.has_own_password or a.password_scheme = 'none'))`

/** SQL: true if the session `s` of the account `a` needs another password first: the password opened it after its end. */
export const passwordExpired = sql`
  (coalesce(a.password_expired_at <= s.created_at, false) and 'pwd' = any (s.amr))`

/** SQL: true if the column is one of the ids. The bounds let PostgreSQL skip partitions. */
export const amongIds = (column: Sql, ids: number[]): Sql =>
  sql`${column} >= ${Math.min(...ids)} and ${column} <= ${Math.max(...ids)} and ${column} = any (${ids})`
