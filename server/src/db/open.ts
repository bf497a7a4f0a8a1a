import pg from 'pg'
import type { Config } from '../config/config.ts'
import { addressesOf } from '../config/config-values.ts'
import { types } from './batch.ts'
import type { DbRole, Store } from './client.ts'
import type { ConnectionConfig } from './connection.ts'
import type { Embedded } from './embedded.ts'
import { openEmbedded } from './embedded.ts'
import { reason } from './errors.ts'
import { vacuumAndCheckpoint } from './maintenance.ts'
import type { Access, MigrateOptions } from './migrate.ts'
import { migrate } from './migrate.ts'
import { followPrimary } from './primary.ts'
import { takeSnapshot } from './snapshot.ts'
import { createStore } from './store.ts'

export type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir'>

interface OpenAccess extends Access {
  connection: ConnectionConfig
  /** Only for the embedded database (see Embedded). */
  copyTo?: Embedded['copyTo']
  close: () => Promise<void>
}

export type Snapshots = Required<Pick<Store, 'snapshot' | 'close'>>

const connectMs = 2_000

/**
 * Opens the configured database, migrates it and returns the store. With a DATABASE_URL it is PostgreSQL, otherwise the
 * embedded database. Throws an Error of one line without the password: the database is unreachable, is newer than the
 * program, or (embedded) is open in another process.
 */
export async function openStore(config: DatabaseConfig, options: MigrateOptions): Promise<Store> {
  const access = await openAccess(config)
  if (access.engine === 'embedded') options.log.info(embeddedNotice(config.dataDir))
  try {
    await migrate(access, options)
  } catch (err) {
    await access.close()
    throw err
  }
  return createStore({
    engine: access.engine,
    connection: access.connection,
    copyTo: access.copyTo,
    close: () => access.close(),
    ...(access.engine === 'embedded' ? forEmbedded : forPostgres),
  })
}

const embeddedNotice = (dataDir: string) =>
  `embedded database in ${dataDir}: for one process; survives its crash, but not a loss of power; ` +
  'for production set DATABASE_URL'

const forPostgres = {
  lanes: 2, // the best on two cores; 8 to 16 cost twice the time per statement
  limits: { connections: 10, waiting: 1_000, waitMs: connectMs, replyMs: 4_200 },
  // A commit can wait for a standby that does not answer, after slow statements. Both together have 5 s.
  commitMs: 3_500,
}

/**
 * One session runs all statements one after the other, and no timeout stops a slow statement. So the limits are wider.
 */
const forEmbedded = {
  lanes: 0,
  limits: { connections: 1, waiting: 1_000, waitMs: 10_000, replyMs: 15_000 },
  maintenance: vacuumAndCheckpoint,
}

/** Opens the embedded database for snapshots, without migrating it. Throws as `openStore` does. */
export async function openSnapshots(dataDir: string): Promise<Snapshots> {
  const { connection, copyTo, close } = await openEmbedded(dataDir)
  const { connect } = access({ engine: 'embedded', connection, close })
  return {
    close,
    async snapshot(folder) {
      const client = await connect()
      try {
        return await takeSnapshot(client, copyTo, folder)
      } finally {
        await client.end()
      }
    },
  }
}

/**
 * Reads as a role of the service, in a transaction. Without a transaction, a pooler would pass the role to another
 * client.
 */
export const inRole = async <T>(client: pg.Client, role: DbRole, read: () => Promise<T>): Promise<T> => {
  await client.query('begin read only')
  try {
    await client.query(`set local role ${role}`)
    return await read()
  } finally {
    await client.query('rollback')
  }
}

/** Runs work on another PostgreSQL server as the owner of its database. */
export const atServer = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = await access({
    engine: 'postgres',
    connection: connectionTo(url),
    close: async () => {},
  }).connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs work on the schema as the login role, on a connection of its own. */
export async function asOwner<T>(
  config: DatabaseConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const opened = await openAccess(config)
  try {
    const client = await opened.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  } finally {
    await opened.close()
  }
}

/** Opens the engine without migrating, for `openStore` and for inspecting the schema. */
export async function openAccess(config: DatabaseConfig): Promise<OpenAccess> {
  if (config.databaseUrl) return openPostgres(config.databaseUrl)
  return access({ engine: 'embedded', ...(await openEmbedded(config.dataDir)) })
}

function openPostgres(databaseUrl: string): OpenAccess {
  const [first, ...others] = addressesOf(databaseUrl)?.map(connectionTo) ?? []
  // The message does not quote the URL, because a mistyped URL can hold the password at an unexpected place.
  if (!first) throw new Error('DATABASE_URL is not a URL like postgres://user:password@host:5432/database')
  if (others.length === 0) return access({ engine: 'postgres', connection: first, close: async () => {} })
  const primary = followPrimary([first, ...others])
  return access({ engine: 'postgres', ...primary })
}

/**
 * Gives `sslmode` the meaning that it has in psql. The driver would read `require` and `verify-ca` as `verify-full`.
 */
const asPsqlReadsIt = (address: string): string => {
  const url = new URL(address)
  if (!url.searchParams.has('sslmode')) return address
  url.searchParams.set('uselibpqcompat', 'true')
  return url.href
}

const connectionTo = (address: string): pg.ClientConfig => ({
  connectionString: asPsqlReadsIt(address),
  application_name: 'tenantry',
  connectionTimeoutMillis: connectMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
})

const access = (opened: Omit<OpenAccess, 'connect'>): OpenAccess => ({
  ...opened,
  async connect() {
    const { Client = pg.Client, ...config } = opened.connection
    const client = new Client({ ...config, types })
    client.on('error', () => {}) // the statement in flight fails with it
    try {
      await client.connect()
    } catch (err) {
      // oxlint-disable-next-line preserve-caught-error -- the driver's errors hold the connection's settings
      throw new Error(`cannot connect to ${nameOf(client)}: ${reason(err)}`)
    }
    return client
  },
})

const nameOf = ({ host, port, database }: pg.Client) =>
  `PostgreSQL at ${host}:${port}, database "${database}"`
