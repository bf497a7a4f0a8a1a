import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort, run, start, until, type Running } from '../lab/processes.ts'
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

/** Runs SQL with the rights of the login in `url`. */
export const query = async (url: string, text: string, values: unknown[] = []): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}

interface Server {
  url: string
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root. */
const unprivileged = (): number | undefined =>
  process.getuid?.() === 0 ? Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })) : undefined

const answers = (url: string) => query(url, 'select 1').then(() => true)

/** A cluster with the default settings of its version, which write through to disk. */
const startPostgres = async (): Promise<Server> => {
  const [initdb, postgres] = [await provide('initdb', 'postgresql'), await provide('postgres', 'postgresql')]
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-bench-'))
  const uid = unprivileged()
  if (uid !== undefined) chownSync(folder, uid, -1)
  const as = uid === undefined ? {} : { uid }
  const [data, port] = [join(folder, 'data'), await freePort()]
  await run({ program: initdb, args: ['-D', data, '-U', 'postgres', '-A', 'trust'], ...as })
  const args = ['-D', data, '-p', `${port}`, '-k', folder, '-c', 'listen_addresses=127.0.0.1']
  const server = start({ program: postgres, args, ...as })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await until(server, () => answers(url))
  return { url, stop: () => stopAndRemove(server, folder) }
}

const stopAndRemove = async (server: Running, folder: string): Promise<void> => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

const startRedis = async (): Promise<Server> => {
  const program = await provide('redis-server', 'redis-server')
  const port = await freePort()
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = start({ program, args, cwd: tmpdir() })
  await until(server, async () => server.log.some((line) => line.includes('Ready to accept')))
  return { url: `redis://127.0.0.1:${port}`, stop: () => server.stop() }
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
      const url = new URL(postgres.url)
      url.pathname = `${prefix}_${name}`
      const template = copyOf === undefined ? '' : ` template ${prefix}_${copyOf}`
      await query(postgres.url, `create database ${prefix}_${name}${template}`)
      names.push(`${prefix}_${name}`)
      return url.href
    },
    close: async () => {
      // A server of its own disappears with its folder.
      for (const name of databaseUrl ? names : []) {
        await query(postgres.url, `drop database if exists ${name} with (force)`)
      }
      await redis.stop()
      await postgres.stop()
    },
  }
}
