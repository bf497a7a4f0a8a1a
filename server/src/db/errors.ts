import pg from 'pg'

/**
 * The database cannot answer now: it is unreachable, restarting, frozen, overloaded, read-only or too slow. The caller
 * may retry later (503). A write in flight may or may not have taken effect. `cause` holds the driver's error.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/**
 * SQLSTATEs that mean "not now": 08 connection, 53 resources, 57P shutdown or restart, 57014 statement timeout, 25006
 * read-only (a standby), 25P03 idle in a transaction for too long.
 */
const unavailableCodes = /^(08|53|57P)|^(57014|25006|25P03)$/

/**
 * Messages of Citus and of libpq, which a coordinator passes on as internal errors (XX000): the connection to a node
 * broke, or no node has the rows. The transaction may have been committed there.
 */
const nodeIsAway = new RegExp(
  [
    'failure on connection marked as essential',
    String.raw`failed to (?:prepare transaction|assign \d+ task)`,
    'no active placements',
    String.raw`node group \d+ does not have`,
    'could not find any healthy placement',
    'server closed the connection',
    'SSL SYSCALL error',
    'SSL connection has been closed',
    'could not (?:send data to|receive data from) server',
    'connection (?:not open|to server was lost)',
    'no connection to the server',
    '$',
  ]
    .map((start) => `^${start}`)
    .join('|'),
)

/** A shard moved to another node, or was divided, after Citus planned the statement: nothing has run. */
const shardIsElsewhere = /^could not find valid entry for shard/

const isInternal = (err: unknown, message: RegExp): boolean =>
  sqlState(err) === 'XX000' && message.test((err as Error).message)

/** PostgreSQL's code of an error (SQLSTATE, five characters); undefined for other errors. */
export const sqlState = (err: unknown): string | undefined =>
  err instanceof pg.DatabaseError ? err.code : undefined

/**
 * Whether the transaction lost a serialization conflict or a deadlock, or a shard moved meanwhile: PostgreSQL undid it, so
 * it may run again.
 */
export const lostConflict = (err: unknown): boolean =>
  ['40001', '40P01'].includes(sqlState(err) ?? '') || isInternal(err, shardIsElsewhere)

/** A statement that PostgreSQL skipped, because one before it in the same flush failed. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
  constructor() {
    super('an earlier statement of the transaction failed')
  }
}

/** Whether an error only repeats that an earlier statement of the transaction failed. */
export const isAborted = (err: unknown): boolean => err instanceof Skipped || sqlState(err) === '25P02'

/**
 * Translates a driver's error for callers: PostgreSQL's own verdict on the statement stays, a failed connection
 * becomes DatabaseUnavailable.
 */
export function statementError(err: unknown): unknown {
  const state = sqlState(err)
  if (err instanceof DatabaseUnavailable) return err
  if (state && !unavailableCodes.test(state) && !isInternal(err, nodeIsAway)) return err
  return new DatabaseUnavailable(`the database is unavailable: ${reason(err)}`, { cause: err })
}

/** The codes of TLS for a certificate whose authority is unknown. */
const unknownAuthority = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED_)/

/** Explains a failed connection in one line without the password. */
export function reason(err: unknown): string {
  const { message, code = '' } = err as { message?: string; code?: string }
  const line = message?.split('\n')[0] || code || String(err)
  // Node's advice behind the semicolon is about its own command line.
  return unknownAuthority.test(code)
    ? `${line.split(';')[0]}: name its authority in sslrootcert of DATABASE_URL`
    : line
}

/** Whether the named unique constraint or index refused the row. */
export const violatesUnique = (err: unknown, constraintName: string): boolean =>
  violates(err, '23505', constraintName)

/** Whether the named foreign key refused the row: the referenced row is missing, or still in use. */
export const violatesForeignKey = (err: unknown, constraintName: string): boolean =>
  // PostgreSQL 18 answers 23001 for `on delete restrict`, earlier versions 23503
  violates(err, '23503', constraintName) || violates(err, '23001', constraintName)

const violates = (err: unknown, state: string, constraintName: string) =>
  err instanceof pg.DatabaseError && err.code === state && constraintOf(err) === constraintName

/** A node of Citus names it only in the message, with the number of the shard. */
const constraintOf = ({ constraint, message }: pg.DatabaseError) =>
  constraint ?? /constraint "(.+?)(?:_\d+)?"/.exec(message)?.[1]
