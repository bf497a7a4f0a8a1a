import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { reason, sqlState } from './errors.ts'
import { createSearchIndex, lacksSearchIndex } from './search-index.ts'

/** Opens connections for work on the schema. The embedded engine has one at a time. */
export interface Access {
  engine: 'postgres' | 'embedded'
  /** Returns a connected client without a statement timeout. The caller must end it. */
  connect: () => Promise<pg.Client>
}

export interface Log {
  info(message: string): void
  warn(message: string): void
}

/** A connection of the login role. */
export type MigrationClient = pg.ClientBase

export interface MigrateOptions {
  log: Log
  /** A folder of `NNNN-verb-noun.sql`. Undefined: the program's own. */
  dir?: string
  /**
   * Runs after the migrations at every start, under the same lock, on a client outside any transaction and scope. It
   * must first read whether there is work, because the login role may not own the tables.
   */
  afterMigrate?: (client: MigrationClient) => Promise<void>
}

export interface MigrationStatus {
  applied: string[]
  /** Migrations of the program that the database has not applied. */
  pending: string[]
  /** Applied migrations that the program does not know. The database is then newer. */
  unknown: string[]
}

const ownMigrations = join(import.meta.dirname, 'migrations')
const migrationsTable = 'tenantry_migrations'
/** The service's key among the database's advisory locks: "tenantry" in ASCII. */
const lockKey = '8387227956001698425'

/**
 * Migrates the schema forward, each migration in a transaction of its own. Without pending migrations it runs no DDL
 * and needs no owner's rights. Replicas that start together take turns.
 *
 * Throws an Error of one line if the database is newer than the program or older than its first release, or if a
 * migration fails. The failed migration is rolled back; earlier ones stay. After a migration's own `lock_timeout` it
 * is tried again.
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

/** The interval at which a waiting replica checks whether another one still migrates. */
const turnMs = 200

/**
 * Takes the migration lock in a transaction on its own connection. The lock ends with the connection. It also works
 * behind PgBouncer, where a session spans connections. Waiters poll without a transaction, which frees the pooler's
 * connections. The embedded database has only one process.
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
  const status = await migrationStatus(client, dir)
  const digests = await ownDigests(dir)
  refuseOtherSchema(status, digests, await recordedDigests(client, status))
  const { pending } = status
  if (pending.length > 0) {
    await runPending(client, pending, { log, dir })
    await recordDigests(client, digests)
  }
  if (dir === ownMigrations && (await lacksSearchIndex(client))) await createSearchIndex(client)
}

async function runPending(
  client: pg.Client,
  pending: string[],
  { log, dir }: { log: MigrateOptions['log']; dir: string },
): Promise<void> {
  log.info(`migrating the database: ${pending.join(', ')}`)
  // Loaded only for a pending migration, because it takes 3 MB.
  const { runner } = await import('node-pg-migrate')
  for (let tries = 1; ; tries += 1) {
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
      return
    } catch (err) {
      const failed = await firstPending(client, dir).catch(() => pending[0])
      if (sqlState(err) !== lockNotAvailable || tries === lockTriesMax) {
        throw new Error(`migration ${failed} failed and was rolled back: ${reason(err)}`, { cause: err })
      }
      log.warn(`migration ${failed} waits for a lock that a long transaction holds, and is tried again`)
      await sleep(lockPauseMs)
    }
  }
}

/** SQLSTATE of a statement that waited for a lock longer than `lock_timeout`. */
const lockNotAvailable = '55P03'
/** During this pause the requests that queued behind the migration run. */
const lockPauseMs = 1000
/** With a lock_timeout of one second, the attempts last ten minutes: longer than most backups hold their locks. */
const lockTriesMax = 300

/** Digests of a folder's migrations, by name. */
type Digests = Record<string, string>

const ownDigests = async (dir: string): Promise<Digests> => {
  const digestOf = async (name: string) => {
    const text = await readFile(join(dir, `${name}.sql`), 'utf8')
    return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 16)
  }
  return Object.fromEntries(
    await Promise.all((await ownNames(dir)).map(async (name) => [name, await digestOf(name)] as const)),
  )
}

/** The digests of the migrations that the database has run. */
async function recordedDigests(client: pg.Client, { applied }: MigrationStatus): Promise<Digests> {
  if (applied.length === 0) return {}
  const { rows } = await client.query<{ name: string; digest: string | null }>(
    `select name, to_jsonb(m) ->> 'digest' as digest from public.${migrationsTable} m`,
  )
  return Object.fromEntries(rows.flatMap(({ name, digest }) => (digest === null ? [] : [[name, digest]])))
}

/** Both statements run in one transaction. */
const recordDigests = (client: pg.Client, digests: Digests) =>
  client.query(
    `alter table public.${migrationsTable} add column if not exists digest text;
     update public.${migrationsTable} m set digest = own.value
     from jsonb_each_text(${client.escapeLiteral(JSON.stringify(digests))}) own where m.name = own.key`,
  )

const isEdited = (own: string | undefined, recorded: string | undefined): boolean =>
  own !== undefined && recorded !== undefined && own !== recorded

/**
 * The first migration that shows the schema of an unreleased version.
 * The migrations of such a version were edited in place. Undefined if there is none.
 */
function findUnreleased(
  { applied, pending }: MigrationStatus,
  own: Digests,
  recorded: Digests,
): string | undefined {
  const [first] = Object.keys(own)
  const [oldest] = applied
  if (first === undefined || oldest === undefined) return undefined
  // After a crash between the first migrations there is no record, but then other migrations are pending.
  if (oldest !== first || (pending.length === 0 && Object.keys(recorded).length === 0)) return oldest
  return applied.find((name) => isEdited(own[name], recorded[name]))
}

function refuseOtherSchema(status: MigrationStatus, own: Digests, recorded: Digests): void {
  const unreleased = findUnreleased(status, own, recorded)
  if (unreleased !== undefined) {
    throw new Error(
      `the database has the schema of an unreleased version (${unreleased}), which this program cannot upgrade: ` +
        'start it with an empty database',
    )
  }
  const { unknown } = status
  if (unknown.length > 0) {
    throw new Error(`the database is newer than this program (${unknown.join(', ')}): start a newer version`)
  }
}

// Returns the first pending migration. Ends the transaction that the library leaves open after a failed migration.
async function firstPending(client: pg.Client, dir: string) {
  await client.query('rollback')
  return (await migrationStatus(client, dir)).pending[0]
}

// The library would print the whole migration with an error. The thrown error names the migration.
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Compares the program's migrations with the database's, without changing anything. */
export async function migrationStatus(client: pg.ClientBase, dir = ownMigrations): Promise<MigrationStatus> {
  const own = await ownNames(dir)
  const applied = await appliedNames(client)
  return {
    applied,
    pending: own.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !own.includes(name)),
  }
}

/** The names of the migrations in a folder, in order. */
export const ownNames = async (dir = ownMigrations): Promise<string[]> =>
  (await readdir(dir))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted()

/** The names of the migrations that a database has run, in order. */
export async function appliedNames(client: pg.ClientBase): Promise<string[]> {
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('public.${migrationsTable}') is not null as exists`,
  )
  if (!table.rows[0]?.exists) return []
  const names = await client.query<{ name: string }>(`select name from public.${migrationsTable} order by id`)
  return names.rows.map(({ name }) => name)
}
