import type { Sql } from 'sql-template-tag'

/**
 * Runs the statements of a request. Every statement runs as the database role `tenantry_app`, with the tenant in scope
 * set for row-level security. Without a tenant in scope PostgreSQL shows and accepts no tenant-bound row.
 *
 * All methods throw PostgreSQL's error (see `violatesUnique`) or DatabaseUnavailable.
 */
export interface Db {
  /**
   * All rows of one statement. It must not write unless a transaction surrounds it, because reads share connections.
   */
  many<Row>(statement: Sql): Promise<Row[]>
  /** The first row, or undefined. It must not write, as in `many`. */
  one<Row>(statement: Sql): Promise<Row | undefined>
  /** The first row. Throws if there is none. It must not write, as in `many`. */
  only<Row>(statement: Sql): Promise<Row>
  /** Runs a statement that writes. Returns the number of rows that it changed. */
  run(statement: Sql): Promise<number>
}

/** The handle of a transaction. */
export interface TransactionDb extends Db {
  /**
   * Sends a statement without waiting for its outcome. If it fails, the transaction rolls back and throws its error.
   * The commit leaves in the same flush if `work` waits for nothing after it.
   */
  send(statement: Sql): void
}

/**
 * The rows that row-level security allows: those of one tenant, or the users and sessions of one account in all its
 * tenants.
 */
export interface Scope {
  tenantId?: string
  accountId?: number
}

/**
 * The database roles that a transaction can take on. Requests run as `tenantry_app`. migrations/0001 describes the
 * single purpose of each other role.
 */
export const dbRoles = [
  'tenantry_app',
  'tenantry_login',
  'tenantry_search',
  'tenantry_seal',
  'tenantry_purge',
  'tenantry_import',
] as const
export type DbRole = (typeof dbRoles)[number]

export interface Store {
  readonly engine: 'postgres' | 'embedded'
  /** A handle that runs every statement as a transaction of its own, in one round trip. */
  scoped(scope: Scope): Db
  /**
   * Runs `work` in one transaction. It commits when `work` resolves, and rolls back when `work` throws. Its handle
   * then refuses statements. After a deadlock `work` runs again, so that it must have no effects outside the database.
   * Statements on another handle are not part of the transaction; on the embedded database they block forever.
   */
  transaction<T>(scope: Scope, work: (db: TransactionDb) => Promise<T>, role?: DbRole): Promise<T>
  /**
   * Runs `work` in one read-only transaction that sees a single snapshot of the database, however long it takes.
   * `work` may run again, as in `transaction`.
   */
  reading<T>(scope: Scope, work: (db: TransactionDb) => Promise<T>): Promise<T>
  /** Checks within a second that the database answers. */
  ping(): Promise<'up' | 'down'>
  /** Counts for the metrics: connections in use, idle connections, and callers waiting for one. */
  stats(): { busy: number; idle: number; waiting: number }
  /**
   * Only for the embedded database. Copies its files into a new folder between two transactions. All others wait
   * meanwhile.
   */
  snapshot?: (folder: string) => Promise<Snapshot>
  /** Finishes statements in flight (5 s at most), then closes every connection and the embedded database. */
  close(): Promise<void>
}

export interface Snapshot {
  /** The migrations that the copied database has applied. */
  migrations: string[]
}
