import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { reason } from './errors.ts'

/** Where connections for work on the schema come from; the embedded engine gives one at a time. */
export interface Access {
  engine: 'postgres' | 'embedded'
  /** A connected client, without any limit on the time of a statement; the caller ends it. */
  connect: () => Promise<pg.Client>
}

export interface Log {
  info(message: string): void
  warn(message: string): void
}

export interface MigrateOptions {
  log: Log
  /** A folder of `NNNN-verb-noun.sql`; the program's own when left out. */
  dir?: string
  /**
   * Called after the migrations at every start, under the same lock, on a client outside any transaction and in no
   * scope. It must find out by reading whether there is something to do: the login role may not be the owner.
   */
  afterMigrate?: (client: pg.ClientBase) => Promise<void>
}

export interface MigrationStatus {
  applied: string[]
  /** In the program, not yet in the database. */
  pending: string[]
  /** In the database, not in the program: the database is newer. */
  unknown: string[]
}

const ownMigrations = join(import.meta.dirname, 'migrations')
const migrationsTable = 'tenantry_migrations'
/** A number of our own among the advisory locks of the database: "tenantry" as ASCII. */
const lockKey = '8387227956001698425'

/**
 * Brings the schema up to the program: forward only, each migration in a transaction of its own, and nothing at all
 * (no DDL, no owner's rights needed) when none is pending. Replicas that start together wait for each other.
 *
 * Throws an Error of one line when the database is newer than the program, or a migration fails; that migration is
 * then rolled back, and those before it stay.
 */
export async function migrate(access: Access, options: MigrateOptions): Promise<void> {
  const unlock = await takeTurn(access)
  try {
    const client = await access.connect()
    try {
      await migrateIfPending(client, options)
      await options.afterMigrate?.(client)
    } finally {
      await client.end()
    }
  } finally {
    await unlock()
  }
}

/** How often a replica that waits for another one's migrations asks whether they are through. */
const turnMs = 200

/**
 * Waits for the migration lock, in a transaction on a connection of its own: unlike a session's lock it is gone with
 * its connection, and holds behind PgBouncer too, where a session is not one connection. Who waits asks again and
 * again, with nothing open: a small pooler's connections would all be taken up by waiting. The embedded database has
 * one process anyway.
 */
async function takeTurn({ engine, connect }: Access): Promise<() => Promise<void>> {
  if (engine === 'embedded') return async () => {}
  const client = await connect()
  try {
    while (!(await tryLock(client))) await sleep(turnMs)
  } catch (err) {
    await client.end()
    throw err
  }
  return () => client.end()
}

async function tryLock(client: pg.Client): Promise<boolean> {
  await client.query('begin')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(${lockKey}) as taken`,
  )
  const isTaken = rows[0]?.taken === true
  if (!isTaken) await client.query('rollback')
  return isTaken
}

async function migrateIfPending(
  client: pg.Client,
  { log, dir = ownMigrations }: MigrateOptions,
): Promise<void> {
  const { pending, unknown } = await migrationStatus(client, dir)
  if (unknown.length > 0) {
    throw new Error(`the database is newer than this program (${unknown.join(', ')}): start a newer version`)
  }
  if (pending.length === 0) return
  log.info(`migrating the database: ${pending.join(', ')}`)
  // Not before there is something to migrate: 3 MB that would stay.
  const { runner } = await import('node-pg-migrate')
  try {
    await runner({
      dbClient: client,
      dir,
      direction: 'up',
      migrationsTable,
      ignorePattern: String.raw`(?!.*\.sql$).*`,
      noLock: true,
      singleTransaction: false,
      logger: silent,
    })
  } catch (err) {
    const failed = await firstPending(client, dir).catch(() => pending[0])
    throw new Error(`migration ${failed} failed and was rolled back: ${reason(err)}`, { cause: err })
  }
}

// The library leaves the transaction of a migration that failed open.
async function firstPending(client: pg.Client, dir: string) {
  await client.query('rollback')
  return (await migrationStatus(client, dir)).pending[0]
}

// The library prints the whole migration with an error; the message says enough.
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Compares the migrations of the program with those in the database, changing nothing. */
export async function migrationStatus(client: pg.ClientBase, dir = ownMigrations): Promise<MigrationStatus> {
  const own = await ownNames(dir)
  const applied = await appliedNames(client)
  return {
    applied,
    pending: own.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !own.includes(name)),
  }
}

/** The names of the migrations in a folder, in their order. */
export const ownNames = async (dir = ownMigrations): Promise<string[]> =>
  (await readdir(dir))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted()

/** The names of the migrations a database has been through, in their order. */
export async function appliedNames(client: pg.ClientBase): Promise<string[]> {
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('public.${migrationsTable}') is not null as exists`,
  )
  if (!table.rows[0]?.exists) return []
  const names = await client.query<{ name: string }>(`select name from public.${migrationsTable} order by id`)
  return names.rows.map(({ name }) => name)
}
