import type { Sql } from 'sql-template-tag'

/**
 * What statements of a request run on. Every statement runs as the database role `tenantry_app`, with the tenant
 * in scope set for row-level security; without a tenant in scope no tenant-bound row can be seen or written.
 *
 * All three throw PostgreSQL's error (see `violatesUnique`) or DatabaseUnavailable.
 */
export interface Db {
  /** All rows of one statement. */
  many<Row>(statement: Sql): Promise<Row[]>
  /** The first row, or undefined. */
  one<Row>(statement: Sql): Promise<Row | undefined>
  /** The number of rows that the statement changed. */
  run(statement: Sql): Promise<number>
}

/**
 * What row-level security lets through: the rows of one tenant, or (at login, before the tenant is known) the
 * users that belong to one account.
 */
export interface Scope {
  tenantId?: string
  accountId?: number
}

/**
 * The database role of a scope: `tenantry_purge` may delete what a removed tenant leaves behind and what has expired,
 * `tenantry_seal` may seal audit records and sign for it; neither may do anything else. No scope has `tenantry_search`:
 * it owns the functions that find users, and works inside them only.
 */
export type DbRole = 'tenantry_app' | 'tenantry_purge' | 'tenantry_seal'

export interface Store {
  readonly engine: 'postgres' | 'embedded'
  /** A handle whose every statement is an implicit transaction of its own, in one round trip. */
  scoped(scope: Scope): Db
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Its handle is refused
   * afterwards. After a deadlock `work` runs again, so it has no effects outside the database; inside it, a statement
   * on another handle is not part of the transaction, and on the embedded database waits for its end in vain.
   */
  transaction<T>(scope: Scope, work: (db: Db) => Promise<T>, role?: DbRole): Promise<T>
  /**
   * Runs `work` in one transaction that sees a single moment of the database, however long it takes, and cannot write.
   * `work` may run again, as in `transaction`.
   */
  reading<T>(scope: Scope, work: (db: Db) => Promise<T>): Promise<T>
  /** Asks the database for a sign of life, within a second. */
  ping(): Promise<'up' | 'down'>
  /** Connections for the metrics: in use, idle, and callers waiting for one. */
  stats(): { busy: number; idle: number; waiting: number }
  /**
   * The embedded database only: copies its files into a folder that does not exist yet, between two transactions. All
   * others wait meanwhile.
   */
  snapshot?: (folder: string) => Promise<Snapshot>
  /** Lets what is in flight end (5 s at most), then closes every connection and the embedded database. */
  close(): Promise<void>
}

/** What a copy of the database's files holds. */
export interface Snapshot {
  /** The migrations it has been through. */
  migrations: string[]
}
