import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from './client.ts'
import { DatabaseUnavailable } from './errors.ts'
import { openStore } from './open.ts'
import type { TestDatabase } from './test-database.ts'
import { createTestDatabase, onPostgres, onServer } from './test-database.ts'
import { startProxy, type Proxy } from './test-proxy.ts'

let database: TestDatabase
let store: Store
let proxy: Proxy

beforeAll(async () => {
  if (!onPostgres) return
  database = await createTestDatabase()
  const direct = new URL(database.config.databaseUrl ?? '')
  proxy = await startProxy(Number(direct.port || 5432), direct.hostname)
  const through = new URL(direct)
  through.host = `127.0.0.1:${proxy.port}`
  store = await database.open({ databaseUrl: through.href })
})
afterAll(async () => {
  if (!onPostgres) return
  await store.close()
  proxy.close()
  await database.remove()
})

const tenantId = randomUUID()
const read = () => store.scoped({ tenantId }).one(sql`select count(*) as n from notes`)
const write = () =>
  store
    .scoped({ tenantId })
    .run(sql`insert into notes (tenant_id, body) values (${tenantId}, ${randomUUID()})`)
const transact = () => store.transaction({ tenantId }, (db) => db.one(sql`select 1 as one`))

/** Runs each kind of call `times` times at once, and tells how the calls ended and how long the slowest took. */
async function runAll(times: number) {
  const start = performance.now()
  const calls = Array.from({ length: times }, () => [read(), write(), transact()]).flat()
  const outcomes = await Promise.allSettled(calls)
  const errors = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  return { calls: calls.length, errors, ms: performance.now() - start }
}

const expectAllUnavailable = ({ calls, errors }: Awaited<ReturnType<typeof runAll>>) => {
  expect(errors).toHaveLength(calls)
  for (const err of errors) expect(err).toBeInstanceOf(DatabaseUnavailable)
}

test.runIf(onPostgres)(
  'without PostgreSQL every call fails at once, and all work again when it is back',
  async () => {
    expect((await runAll(30)).errors).toEqual([])
    proxy.cut()
    for (let round = 0; round < 3; round++) {
      const outcome = await runAll(30)
      expectAllUnavailable(outcome)
      expect(outcome.ms).toBeLessThan(1_000)
    }
    expect(await store.ping()).toBe('down')
    await proxy.reopen()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect((await runAll(30)).errors).toEqual([])
    expect(await store.ping()).toBe('up')
  },
)

test.runIf(onPostgres)(
  'calls in flight when the connections break fail, and are not sent again',
  async () => {
    const slow = store
      .scoped({ tenantId })
      .run(sql`insert into notes (tenant_id, body) select ${tenantId}, 'in flight' from pg_sleep(0.5)`)
    const outcome = slow.catch((err: unknown) => err)
    setTimeout(() => {
      proxy.cut()
      void proxy.reopen()
    }, 100)
    expect(await outcome).toBeInstanceOf(DatabaseUnavailable)
    await new Promise((resolve) => setTimeout(resolve, 700))
    const rows = await store.scoped({ tenantId }).many(sql`select id from notes where body = 'in flight'`)
    expect(rows.length).toBeLessThanOrEqual(1)
  },
)

test.runIf(onPostgres)(
  'a frozen PostgreSQL is told within a second by ping, and fails calls within seconds',
  async () => {
    expect((await runAll(30)).errors).toEqual([])
    proxy.freeze()
    const start = performance.now()
    const [answer, outcome] = await Promise.all([store.ping(), runAll(30)])
    expect(answer).toBe('down')
    expectAllUnavailable(outcome)
    expect(performance.now() - start).toBeLessThan(6_000)
    proxy.thaw()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect((await runAll(30)).errors).toEqual([])
  },
)

test.runIf(onPostgres)(
  'a statement that takes too long is ended by PostgreSQL, and holds up no other',
  async () => {
    const start = performance.now()
    const slow = store.scoped({ tenantId }).one(sql`select pg_sleep(20)`)
    const outcome = slow.catch((err: unknown) => err)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const others = performance.now()
    await Promise.all(Array.from({ length: 50 }, read))
    expect(performance.now() - others).toBeLessThan(1_000)
    expect(await outcome).toBeInstanceOf(DatabaseUnavailable)
    expect(performance.now() - start).toBeLessThan(5_000)
  },
)

test.runIf(onPostgres)('connections that an administrator ends are replaced by the next call', async () => {
  await runAll(10)
  await onServer(
    database.config.databaseUrl ?? '',
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'tenantry'`,
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect((await runAll(10)).errors).toEqual([])
})

test.runIf(onPostgres)(
  'a database that cannot be reached stops the start with one line without the password',
  async () => {
    const url = 'postgres://me:s3cret@127.0.0.1:1/nowhere'
    const err = await openStore({ ...database.config, databaseUrl: url }, database.options).catch(
      (e: unknown) => e,
    )
    expect(String(err)).toBe(
      'Error: cannot connect to PostgreSQL at 127.0.0.1:1, database "nowhere": connect ECONNREFUSED 127.0.0.1:1',
    )
  },
)

test('a DATABASE_URL that is none stops the start without being quoted', async () => {
  const config = { databaseUrl: 'postgres//me:s3cret@host', dataDir: '' }
  const err = await openStore(config, { log: { info: () => {}, warn: () => {} } }).catch((e: unknown) => e)
  expect(String(err)).toMatch(/^Error: DATABASE_URL is not a URL/)
  expect(String(err)).not.toContain('s3cret')
})
