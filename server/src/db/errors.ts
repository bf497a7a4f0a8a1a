import pg from 'pg'

/**
 * The database cannot answer now: it is unreachable, restarting, frozen, overloaded, read-only or too slow. The caller
 * can retry later (503). A write in flight may or may not have taken effect. `cause` holds the driver's error.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/**
 * SQLSTATEs of temporary failures: 08 connection, 53 resources, 57P shutdown or restart. 57014 is a statement timeout,
 * 25006 a standby, and 25P03 a transaction that was idle for too long.
 */
const unavailableCodes = /^(08|53|57P)|^(57014|25006|25P03)$/

/** An archive server of old audit records (audit-archives.ts) cannot answer now. The primary can. */
export class ArchiveUnavailable extends Error {
  override readonly name = 'ArchiveUnavailable'
}

/** PostgreSQL's code of an error (SQLSTATE, five characters); undefined for other errors. */
export const sqlState = (err: unknown): string | undefined =>
  err instanceof pg.DatabaseError ? err.code : undefined

/**
 * True if the transaction lost a serialization conflict or a deadlock. PostgreSQL undid it, so the caller can run it
 * again.
 */
export const lostConflict = (err: unknown): boolean => ['40001', '40P01'].includes(sqlState(err) ?? '')

/** PostgreSQL skipped the statement, because an earlier statement of the same flush failed. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
  constructor() {
    super('an earlier statement of the transaction failed')
  }
}

/** True if the error only repeats that an earlier statement of the transaction failed. */
export const isAborted = (err: unknown): boolean => err instanceof Skipped || sqlState(err) === '25P02'

/**
 * Translates a driver's error for callers. An error that PostgreSQL reports about the statement stays. A failed
 * connection becomes DatabaseUnavailable.
 */
export function statementError(err: unknown): unknown {
  const state = sqlState(err)
  if (err instanceof DatabaseUnavailable) return err
  if (state && !unavailableCodes.test(state)) return err
  if (isOfArchive(err)) {
    return new ArchiveUnavailable(`an archive is unavailable: ${reason(err)}`, { cause: err })
  }
  return new DatabaseUnavailable(`the database is unavailable: ${reason(err)}`, { cause: err })
}

/** True if an archive server failed during a statement of the primary. */
const isOfArchive = (err: unknown): boolean =>
  err instanceof pg.DatabaseError &&
  (err.message.includes('server "tenantry_archive_') || (err.where ?? '').includes('remote SQL command'))

/** TLS error codes for a certificate whose authority is unknown. */
const unknownAuthority = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED_)/

/** Explains a failed connection in one line without the password. */
export function reason(err: unknown): string {
  const { message, code = '' } = err as { message?: string; code?: string }
  const line = message?.split('\n')[0] || code || String(err)
  // Node's text after the semicolon is advice about its own command line.
  return unknownAuthority.test(code)
    ? `${line.split(';')[0]}: name its authority in sslrootcert of DATABASE_URL`
    : line
}

export const violatesUnique = (err: unknown, constraintName: string): boolean =>
  violates(err, '23505', constraintName)

/** True if the named foreign key refused the row: the referenced row is missing, or still in use. */
export const violatesForeignKey = (err: unknown, constraintName: string): boolean =>
  // PostgreSQL 18 answers 23001 for `on delete restrict`, earlier versions 23503
  violates(err, '23503', constraintName) || violates(err, '23001', constraintName)

const violates = (err: unknown, state: string, constraintName: string) =>
  err instanceof pg.DatabaseError && err.code === state && err.constraint === constraintName
