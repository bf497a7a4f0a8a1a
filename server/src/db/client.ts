import type { Sql } from 'sql-template-tag'

/**
 * Runs the statements of a request. Every statement runs as the database role `tenantry_app`, with the tenant
 * in scope set for row-level security; without a tenant in scope no tenant-bound row can be seen or written.
 *
 * All of them throw PostgreSQL's error (see `violatesUnique`) or DatabaseUnavailable.
 */
export interface Db {
  /** All rows of one statement, which writes nothing unless a transaction surrounds it: reads share connections. */
  many<Row>(statement: Sql): Promise<Row[]>
  /** The first row of such a statement, or undefined. */
  one<Row>(statement: Sql): Promise<Row | undefined>
  /** The first row of such a statement that always has one. Throws when it has none. */
  only<Row>(statement: Sql): Promise<Row>
  /** Runs a statement that writes, and gives the number of rows that it changed. */
  run(statement: Sql): Promise<number>
}

/** The handle of a transaction. */
export interface TransactionDb extends Db {
  /**
   * Sends a statement whose outcome nobody waits for. If it fails, the transaction is rolled back and fails with its
   * error. The commit leaves in the same flush when `work` waits for nothing after it.
   */
  send(statement: Sql): void
}

/**
 * The rows that row-level security allows: those of one tenant, or the users and sessions of one account, in all its
 * tenants.
 */
export interface Scope {
  tenantId?: string
  accountId?: number
}

/**
 * The database roles that a transaction can take on. Requests run as `tenantry_app`; migrations/0001 names the single
 * purpose of each other role.
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
  /** A handle whose every statement is an implicit transaction of its own, in one round trip. */
  scoped(scope: Scope): Db
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Its handle is refused
   * afterwards. After a deadlock `work` runs again, so it must have no effects outside the database. Statements on
   * another handle are not part of the transaction; on the embedded database they block for ever.
   */
  transaction<T>(scope: Scope, work: (db: TransactionDb) => Promise<T>, role?: DbRole): Promise<T>
  /**
   * Runs `work` in one transaction that sees a single moment of the database, however long it takes, and cannot write.
   * `work` may run again, as in `transaction`.
   */
  reading<T>(scope: Scope, work: (db: TransactionDb) => Promise<T>): Promise<T>
  /** Checks within a second that the database answers. */
  ping(): Promise<'up' | 'down'>
  /** Connections for the metrics: in use, idle, and callers waiting for one. */
  stats(): { busy: number; idle: number; waiting: number }
  /** Embedded database only: copies its files into a new folder between two transactions. All others wait meanwhile. */
  snapshot?: (folder: string) => Promise<Snapshot>
  /** Finishes statements in flight (5 s at most), then closes every connection and the embedded database. */
  close(): Promise<void>
}

/** The contents of a copy of the database's files. */
export interface Snapshot {
  /** The migrations that it has run. */
  migrations: string[]
}
