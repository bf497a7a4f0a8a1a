/**
 * `npm run test:services`: the server tests that touch a store, on PostgreSQL with Redis, the slow ones included. The
 * run makes a database for each of its processes, and drops them in any case. In Redis it takes empty databases, and
 * empties them again. It passes arguments to vitest (`-- server/src/db`).
 *
 * DATABASE_URL names a server, and a role that may create databases and roles. Without it the run starts its own
 * server, with connections for two processes. REDIS_URL names a Redis.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { createDatabase, dropDatabase, query } from '../../lab/databases.ts'
import { ownPostgres } from '../../lab/own-postgres.ts'

const givenUrl = process.env['DATABASE_URL']
const redisUrl = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'

/** How long a service may take to answer, in milliseconds. */
const answerMs = 5000

/** An address without its password, for messages. */
const shown = (address: string): string => {
  const url = new URL(address)
  url.password = ''
  return url.href
}

/** Calls `work` with a connection to Redis, and ends it. Rejects when Redis does not answer. */
const withRedis = async <T>(work: (redis: Redis) => Promise<T>, url = redisUrl): Promise<T> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answerMs,
    retryStrategy: () => null,
  })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

/** Databases of a Redis that a run may take. `redis.test.ts` takes 13. */
const redisDatabases = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]

/**
 * The address of an empty database of Redis. Limits are counted there by account for a day: the accounts of an earlier
 * run's database have the same ids.
 */
const takeRedisDatabase = (): Promise<string> =>
  withRedis(async (redis) => {
    for (const number of redisDatabases) {
      await redis.select(number)
      const isFree = await redis.set('tenantry:test-run', process.pid, 'NX')
      if (isFree && (await redis.dbsize()) === 1) {
        const url = new URL(redisUrl)
        url.pathname = `/${number}`
        return url.href
      }
      if (isFree) await redis.del('tenantry:test-run')
    }
    throw new Error(`The databases 1 to 12 of Redis hold keys. Empty one: redis-cli -n 12 flushdb`)
  })

/** The line that names a service that does not answer, or undefined. */
const absence = async (
  service: string,
  address: string,
  ask: () => Promise<unknown>,
): Promise<string | undefined> => {
  try {
    await ask()
    return undefined
  } catch (err) {
    return `${service} does not answer at ${shown(address)}: ${String(err)}`
  }
}

/**
 * Does autovacuum's work in the tests' database, since a server may have it switched off. Without fresh statistics,
 * sessions keep the plans that they made for empty tables, which took 500 times as long after 20,000 users.
 */
const keepStatistics = async (url: string, { signal }: AbortController): Promise<void> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    while (!signal.aborted) {
      await client.query('vacuum (analyze)')
      await sleep(10_000, undefined, { signal })
    }
  } catch (err) {
    if (!signal.aborted) console.error(`The statistics of the tests' database grow old: ${String(err)}`)
  } finally {
    await client.end()
  }
}

/** The stores of one process of the tests. */
interface Stores {
  url: string
  redis: string
}

/** Returns vitest's exit code. Passes signals of this process to vitest, and drops the databases after its end. */
const runTests = async (stores: Stores[]): Promise<number> => {
  const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
  const child = spawn(process.execPath, [vitest, 'run', '--mode', 'services', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: {
      ...process.env,
      DATABASE_URL: stores[0]?.url,
      REDIS_URL: stores[0]?.redis,
      TEST_DATABASE_URLS: stores.map(({ url }) => url).join(' '),
      TEST_REDIS_URLS: stores.map(({ redis }) => redis).join(' '),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  const stop = new AbortController()
  const statistics = stores.map(({ url }) => keepStatistics(url, stop))
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    stop.abort()
    await Promise.all(statistics)
  }
}

/** Two processes of tests and their replicas take more than the 100 connections of a server's defaults. */
const ownSettings = { max_connections: '300', shared_buffers: '128MB', fsync: 'off' }

const onOwnServer = async (): Promise<number> => {
  const server = await ownPostgres(ownSettings)
  try {
    await server.start()
    return await onServer(server.url, 2)
  } finally {
    await server.remove()
  }
}

const onServer = async (databaseUrl: string, processes: number): Promise<number> => {
  const absences = await Promise.all([
    absence('PostgreSQL', databaseUrl, () => query(databaseUrl, 'select 1')),
    absence('Redis', redisUrl, () => withRedis((redis) => redis.ping())),
  ])
  const lines = absences.filter((line) => line !== undefined)
  for (const line of lines) console.error(line)
  if (lines.length > 0) return 1

  return withStores(databaseUrl, processes, [])
}

/** Runs the tests with stores for `count` more processes than `made` has. */
const withStores = async (databaseUrl: string, count: number, made: Stores[]): Promise<number> => {
  if (count === 0) return runTests(made)
  const name = `tenantry_test_${randomBytes(6).toString('hex')}`
  const redis = await takeRedisDatabase()
  try {
    const url = await createDatabase(databaseUrl, name)
    // A test makes many commits one after the other, and a disk takes milliseconds for each.
    await query(url, `alter database ${name} set synchronous_commit = off`)
    return await withStores(databaseUrl, count - 1, [...made, { url, redis }])
  } finally {
    await withRedis((client) => client.flushdb(), redis)
    await dropDatabase(databaseUrl, name)
  }
}

process.exitCode = await (givenUrl === undefined ? onOwnServer() : onServer(givenUrl, 1))
