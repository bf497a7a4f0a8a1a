import pg from 'pg'

/**
 * The database cannot answer now: unreachable, restarting, frozen, overloaded, read-only, or too slow. The caller may
 * try again later (503); whether a write in flight took effect is unknown. `cause` holds the driver's error.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/**
 * SQLSTATEs that say "not now" rather than "not like this": 08 connection, 53 resources, 57P shutdown or restart,
 * 57014 statement timeout, 25006 read-only (a standby), 25P03 idle in a transaction for too long.
 */
const unavailableCodes = /^(08|53|57P)|^(57014|25006|25P03)$/

/** PostgreSQL's code of an error (SQLSTATE, five characters), or undefined when the error is not PostgreSQL's. */
export const sqlState = (err: unknown): string | undefined =>
  err instanceof pg.DatabaseError ? err.code : undefined

/**
 * The error of a statement as callers should see it: PostgreSQL's own where it judged the statement; otherwise, as
 * the connection failed, DatabaseUnavailable.
 */
export function statementError(err: unknown): unknown {
  const state = sqlState(err)
  if (err instanceof DatabaseUnavailable || (state && !unavailableCodes.test(state))) return err
  return new DatabaseUnavailable(`the database is unavailable: ${reason(err)}`, { cause: err })
}

/** Why a connection failed, in one line that never holds the password. */
export function reason(err: unknown): string {
  const { message, code } = err as { message?: string; code?: string }
  return message?.split('\n')[0] || code || String(err)
}

/** Whether the error is a duplicate that the named unique constraint (or unique index) refused. */
export const violatesUnique = (err: unknown, constraintName: string): boolean =>
  violates(err, '23505', constraintName)

/** Whether the error is a reference that the named foreign key refused: a missing row, or one still in use. */
export const violatesForeignKey = (err: unknown, constraintName: string): boolean =>
  // 23001: what PostgreSQL 18 answers for `on delete restrict`, 23503 before that
  violates(err, '23503', constraintName) || violates(err, '23001', constraintName)

const violates = (err: unknown, state: string, constraintName: string) =>
  err instanceof pg.DatabaseError && err.code === state && err.constraint === constraintName
