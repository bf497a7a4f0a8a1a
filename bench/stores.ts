import { randomBytes } from 'node:crypto'
import { createDatabase, dropDatabase, query } from '../lab/databases.ts'
import { ownPostgres } from '../lab/own-postgres.ts'
import { ownRedis } from '../lab/own-redis.ts'
import type { OwnServer } from '../lab/own-server.ts'
import { provide } from './programs.ts'

/** PostgreSQL and Redis, with a database for each contender. */
export interface Stores {
  redisUrl: string
  postgresVersion(): Promise<string>
  /** Creates a database and resolves with its URL. `copyOf` names a database without connections to copy. */
  createDatabase(name: string, copyOf?: string): Promise<string>
  /** Drops the databases and ends the servers that the bench started. */
  close(): Promise<void>
}

interface Server {
  url: string
  stop(): Promise<void>
}

const started = async (server: OwnServer & { url: string }): Promise<Server> => {
  await server.start()
  return { url: server.url, stop: () => server.remove() }
}

/** A cluster with the default settings of its version, which write through to disk. */
const startPostgres = async (): Promise<Server> => {
  await provide('initdb', 'postgresql')
  return started(await ownPostgres({}))
}

const startRedis = async (): Promise<Server> => {
  await provide('redis-server', 'redis-server')
  return started(await ownRedis())
}

const given = (url: string): Server => ({ url, stop: async () => {} })

/** Uses the servers of DATABASE_URL and REDIS_URL, and starts its own otherwise. */
export const openStores = async (): Promise<Stores> => {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env
  const postgres = databaseUrl ? given(databaseUrl) : await startPostgres()
  const redis = redisUrl ? given(redisUrl) : await startRedis()
  const prefix = `tenantry_bench_${randomBytes(4).toString('hex')}`
  const names: string[] = []
  return {
    redisUrl: redis.url,
    postgresVersion: async () => {
      const { rows } = await query(postgres.url, 'show server_version')
      return String(rows[0].server_version).split(' ')[0] ?? ''
    },
    createDatabase: async (name, copyOf) => {
      names.push(`${prefix}_${name}`)
      return createDatabase(postgres.url, `${prefix}_${name}`, copyOf && `${prefix}_${copyOf}`)
    },
    close: async () => {
      // A server of its own disappears with its folder.
      for (const name of databaseUrl ? names : []) {
        await dropDatabase(postgres.url, name)
      }
      await redis.stop()
      await postgres.stop()
    },
  }
}
