import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from './client.ts'
import { DatabaseUnavailable } from './errors.ts'
import { openStore } from './open.ts'
import type { TestDatabase } from '../../test/test-database.ts'
import { query } from '../../../lab/databases.ts'
import { createTestDatabase, onPostgres } from '../../test/test-database.ts'
import { startTcpProxy, type TcpProxy } from '../../test/tcp-proxy.ts'
import { endsWithin, eventually } from '../../test/waits.ts'

let database: TestDatabase
let store: Store
let proxy: TcpProxy

beforeAll(async () => {
  if (!onPostgres) return
  database = await createTestDatabase()
  const direct = new URL(database.config.databaseUrl ?? '')
  proxy = await startTcpProxy(Number(direct.port || 5432), direct.hostname)
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

/** Makes each kind of call `times` times at once, and returns the outcomes. */
async function runAll(times: number) {
  const calls = Array.from({ length: times }, () => [read(), write(), transact()]).flat()
  const outcomes = await Promise.allSettled(calls)
  const errors = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  return { calls: calls.length, errors }
}

const expectAllWork = async () => expect((await runAll(30)).errors).toEqual([])

const expectAllUnavailable = ({ calls, errors }: Awaited<ReturnType<typeof runAll>>) => {
  expect(errors).toHaveLength(calls)
  for (const err of errors) expect(err).toBeInstanceOf(DatabaseUnavailable)
}

test.runIf(onPostgres)(
  'every call fails at once without PostgreSQL, and all work again when it is back',
  async () => {
    expect((await runAll(30)).errors).toEqual([])
    proxy.cut()
    for (let round = 0; round < 3; round++) {
      expect(await endsWithin(1_000, async () => expectAllUnavailable(await runAll(30)))).toBe(true)
    }
    expect(await store.ping()).toBe('down')
    await proxy.mend()
    await eventually(() => expectAllWork())
    expect(await store.ping()).toBe('up')
  },
)

/** Counts the sleeping statements that stall a lane. Reads then use another connection. */
const countSleeping = async (): Promise<number> => {
  const { rows } = await query(
    database.config.databaseUrl ?? '',
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and state = 'active' and wait_event = 'PgSleep'
       and clock_timestamp() - query_start > interval '200 milliseconds'`,
  )
  return rows[0]?.n
}

test.runIf(onPostgres)(
  'calls in flight when the connections break fail, and are not sent again',
  async () => {
    const slow = store
      .scoped({ tenantId })
      .run(sql`insert into notes (tenant_id, body) select ${tenantId}, 'in flight' from pg_sleep(0.5)`)
    const outcome = slow.catch((err: unknown) => err)
    await eventually(async () => expect(await countSleeping()).toBe(1))
    proxy.cut()
    void proxy.mend()
    expect(await outcome).toBeInstanceOf(DatabaseUnavailable)
    // PostgreSQL finishes the statement without its client.
    await eventually(async () => expect(await countSleeping()).toBe(0))
    await eventually(() => expectAllWork())
    const rows = await store.scoped({ tenantId }).many(sql`select id from notes where body = 'in flight'`)
    expect(rows.length).toBeLessThanOrEqual(1)
  },
)

test.runIf(onPostgres)(
  'ping notices a frozen PostgreSQL within a second or two, and calls fail within seconds',
  async () => {
    await expectAllWork()
    proxy.freeze()
    const outcome = runAll(30)
    expect(await endsWithin(2_000, async () => expect(await store.ping()).toBe('down'))).toBe(true)
    expect(await endsWithin(6_000, async () => expectAllUnavailable(await outcome))).toBe(true)
    proxy.thaw()
    await eventually(() => expectAllWork())
  },
)

test.runIf(onPostgres)(
  'a commit without an answer fails sooner than a statement, so that a request with both ends within 5 s',
  async () => {
    await expectAllWork()
    const ended: string[] = []
    let statement: Promise<unknown> | undefined
    const commit = store.transaction({ tenantId }, async (db) => {
      await db.one(sql`select 1 as one`)
      proxy.freeze()
      statement = read().catch(() => ended.push('statement'))
    })
    await expect(commit).rejects.toBeInstanceOf(DatabaseUnavailable)
    ended.push('commit')
    await statement
    expect(ended).toEqual(['commit', 'statement'])
    proxy.thaw()
    await eventually(() => expectAllWork())
  },
)

test.runIf(onPostgres)('a commit fails sooner in a transaction that waited for its connection', async () => {
  await expectAllWork()
  const [released, frozen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended: string[] = []
  const transaction = (name: string, work: () => unknown) =>
    store
      .transaction({ tenantId }, async (db) => {
        await db.one(sql`select 1 as one`)
        await work()
      })
      .catch(() => ended.push(name))
  const prompt = transaction('prompt', () => frozen.promise)
  const others = Array.from({ length: 9 }, () => transaction('other', () => released.promise))
  await eventually(async () => expect(store.stats().busy).toBe(10))
  const late = transaction('late', () => {
    proxy.freeze()
    frozen.resolve()
  })
  await sleep(1000)
  released.resolve()
  await Promise.all([late, prompt, ...others])
  expect(ended.filter((name) => name !== 'other')).toEqual(['late', 'prompt'])
  proxy.thaw()
  await eventually(() => expectAllWork())
})

test.runIf(onPostgres)(
  'a statement that takes too long is ended by PostgreSQL, and holds up no other',
  async () => {
    /** True if fifty other reads ended while a slow statement ran. */
    const othersEndFirst = async (): Promise<boolean> => {
      const slow = store.scoped({ tenantId }).one(sql`select pg_sleep(20)`)
      const outcome = slow.catch((err: unknown) => err)
      await eventually(async () => expect(await countSleeping()).toBe(1))
      const others = Promise.all(Array.from({ length: 50 }, read)).then(() => 'the others')
      const first = await Promise.race([others, outcome])
      // If PostgreSQL did not end the statement, the statement would continue to sleep and then succeed.
      expect(await outcome).toBeInstanceOf(DatabaseUnavailable)
      return first === 'the others'
    }
    // Reads queued behind the slow statement never end first. A busy machine can be too slow for fifty reads, so the
    // test tries three times.
    expect((await othersEndFirst()) || (await othersEndFirst()) || (await othersEndFirst())).toBe(true)
  },
)

test.runIf(onPostgres)('connections that an administrator ends are replaced by the next calls', async () => {
  await runAll(10)
  await query(
    database.config.databaseUrl ?? '',
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'tenantry'`,
  )
  await eventually(() => expectAllWork())
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
