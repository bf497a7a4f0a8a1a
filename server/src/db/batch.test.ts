import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from './client.ts'
import { openLane } from './lane.ts'
import { sqlState, violatesForeignKey, violatesUnique } from './errors.ts'
import type { TestDatabase } from '../../test/test-database.ts'
import { query } from '../../../lab/databases.ts'
import { createTestDatabase, onPostgres } from '../../test/test-database.ts'

let database: TestDatabase
let store: Store

beforeAll(async () => {
  database = await createTestDatabase()
  store = await database.open()
})
afterAll(async () => {
  await store.close()
  await database.remove()
})

const scopedTo = (tenantId: string) => store.scoped({ tenantId })
const insertNote = (tenantId: string, body: string) =>
  sql`insert into notes (tenant_id, body) values (${tenantId}, ${body}) returning id`
const stateOf = (promise: Promise<unknown>) => promise.then(() => 'none', sqlState)

test('a statement that fails changes nothing', async () => {
  const tenantId = randomUUID()
  const half = sql`insert into notes (tenant_id, body)
    select ${tenantId}, (1 / (2 - n))::text from generate_series(0, 2) n returning body`
  expect(await stateOf(scopedTo(tenantId).run(half))).toBe('22012')
  expect(await scopedTo(tenantId).many(sql`select body from notes`)).toEqual([])
})

test('a duplicate and a broken reference are recognised by the name of their constraint', async () => {
  const tenantId = randomUUID()
  await scopedTo(tenantId).run(insertNote(tenantId, 'once'))
  const duplicate = await scopedTo(tenantId)
    .run(insertNote(tenantId, 'once'))
    .catch((err: unknown) => err)
  expect(violatesUnique(duplicate, 'notes_tenant_id_body_key')).toBe(true)
  expect(violatesUnique(duplicate, 'notes_pkey')).toBe(false)
  const orphan = await scopedTo(tenantId)
    .run(sql`insert into comments (tenant_id, note_id) values (${tenantId}, ${-1})`)
    .catch((err: unknown) => err)
  expect(violatesForeignKey(orphan, 'comments_note_fkey')).toBe(true)
  expect(violatesUnique(orphan, 'comments_note_fkey')).toBe(false)
})

test('counts and ids are numbers, timestamps are dates, and a change returns the number of rows', async () => {
  const tenantId = randomUUID()
  const db = scopedTo(tenantId)
  expect(
    await db.run(sql`insert into notes (tenant_id, body) values (${tenantId}, 'a'), (${tenantId}, 'b')`),
  ).toBe(2)
  expect(await db.run(sql`update notes set body = 'c' where body = 'no such'`)).toBe(0)
  const time = new Date('2026-02-03T04:05:06.789Z')
  expect(
    await db.one(
      sql`select count(*) as n, ${time}::timestamptz as time, ${['x', 'y"']}::text[] as list from notes`,
    ),
  ).toEqual({ n: 2, time, list: ['x', 'y"'] })
})

test('lists of texts come back as they were sent', async () => {
  const lists = [
    [],
    ['a'],
    ['user:read', 'a b'],
    ['', ' '],
    ['NULL', null],
    ['a,b', '{c}'],
    ['"', '\\', "'"],
    ['é', '語'],
  ]
  for (const list of lists) {
    expect(await scopedTo(randomUUID()).one(sql`select ${list}::text[] as list`)).toEqual({ list })
  }
  expect(await scopedTo(randomUUID()).one(sql`select array[['a'], ['b']]::text[] as list`)).toEqual({
    list: [['a'], ['b']],
  })
})

test('a value that cannot be encoded fails alone and leaves the connection usable', async () => {
  const db = scopedTo(randomUUID())
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const outcomes = await Promise.allSettled([
    db.one(sql`select 1 as a`),
    db.one(sql`select ${circle}::jsonb as b`),
    db.one(sql`select 3 as c`),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('more distinct statements than a connection keeps prepared all run, again and again', async () => {
  const db = scopedTo(randomUUID())
  for (let round = 0; round < 2; round++) {
    const rows = await Promise.all(
      Array.from({ length: 900 }, (_, n) => db.one<{ n: number }>(raw(`select ${n} as n`))),
    )
    expect(rows.map((row) => row?.n)).toEqual(Array.from({ length: 900 }, (_, n) => n))
  }
  const prepared = await db.one<{ n: number }>(sql`select count(*) as n from pg_prepared_statements`)
  expect(prepared?.n).toBeLessThanOrEqual(500)
})

test.runIf(onPostgres)(
  'a change of a table does not break the statements that were prepared before it',
  async () => {
    const tenantId = randomUUID()
    const statement = sql`select * from notes`
    await Promise.all(Array.from({ length: 20 }, () => scopedTo(tenantId).many(statement)))
    await query(database.config.databaseUrl ?? '', 'alter table notes add column added text')
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => scopedTo(tenantId).many(statement)))
    expect(outcomes).toHaveLength(20)
  },
)

test.runIf(onPostgres)('the statements of one turn reach PostgreSQL by one write', async () => {
  const clients: pg.Client[] = []
  class Kept extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super(config)
      clients.push(this)
    }
  }
  const lane = openLane({ connectionString: database.config.databaseUrl, pipeline: true, Client: Kept })
  const select = (n: number) => lane.send([{ text: 'select $1::int as n', values: [n] }], 4000)
  await select(0)
  const { stream } = (clients[0] as unknown as { connection: { stream: Writable } }).connection
  let writes = 0
  for (const name of ['_write', '_writev'] as const) {
    const write = stream[name]?.bind(stream) as (...given: unknown[]) => void
    stream[name] = (...given: unknown[]) => {
      writes += 1
      write(...given)
    }
  }
  await Promise.all(Array.from({ length: 10 }, (_, n) => select(n)))
  expect(writes).toBe(1)
  await lane.close()
})

// A pooler in transaction mode removes prepared statements in this way.
test.runIf(onPostgres)(
  'statements that vanish from their session are sent again, and from then on prepared with each batch',
  async () => {
    const own = await createTestDatabase()
    let opened = await own.open()
    const tenantId = randomUUID()
    const db = {
      one: <Row>(statement: Sql) => opened.scoped({ tenantId }).one<Row>(statement),
      run: (statement: Sql) => opened.scoped({ tenantId }).run(statement),
    }
    const prepared = raw(
      `select count(*) as n from pg_prepared_statements where statement like 'select ''kept''%'`,
    )
    const readKept = () => Promise.all(Array.from({ length: 20 }, () => db.one(raw(`select 'kept'`))))
    try {
      await readKept()
      expect((await db.one<{ n: number }>(prepared))?.n).toBeGreaterThan(0)
      for (let round = 0; round < 3; round++) {
        await readKept()
        await db.run(raw('deallocate all'))
        const work = opened.transaction({ tenantId }, async (within) => {
          await within.run(raw('deallocate all'))
          return within.run(insertNote(tenantId, `round ${round}`))
        })
        expect(await work).toBe(1)
      }
      await opened.close()
      opened = await own.open()
      await readKept()
      expect(await db.one(prepared)).toEqual({ n: 0 })
    } finally {
      await opened.close()
      await own.remove()
    }
  },
)
