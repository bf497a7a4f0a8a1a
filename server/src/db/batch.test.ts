import { randomUUID } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from './client.ts'
import { sqlState, violatesForeignKey, violatesUnique } from './errors.ts'
import type { TestDatabase } from './test-database.ts'
import { createTestDatabase, onPostgres, onServer } from './test-database.ts'

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

const jobs = 30_000
const inFlight = 500

test('30,000 mixed jobs on shared connections never see a row of another tenant, nor the reply to another job', async () => {
  const tenants = await Promise.all(Array.from({ length: 50 }, createTenantWithNotes))
  const any = <T>(list: T[]) => list[Math.floor(Math.random() * list.length)] as T
  const wrong: string[] = []
  const seen = { own: 0, foreign: 0, failed: 0, unscoped: 0 }

  async function expectState(promise: Promise<unknown>, wanted: string) {
    const state = await stateOf(promise)
    if (state === wanted) seen.failed++
    else wrong.push(`${state} instead of ${wanted}`)
  }
  async function readUnscoped() {
    const row = await store.scoped({}).one<{ n: number }>(sql`select count(*) as n from notes`)
    if (row?.n === 0) seen.unscoped++
    else wrong.push(`${row?.n} rows without a scope`)
  }
  // No tenant in the statement: only row-level security separates.
  async function readOne() {
    const [reader, owner] = [any(tenants), Math.random() < 0.5 ? any(tenants) : undefined]
    const note = any((owner ?? reader).notes)
    const marker = randomUUID()
    const row = await scopedTo(reader.id).one<{ tenant_id: string; marker: string; scope: string }>(
      sql`select tenant_id, ${marker} as marker, current_setting('app.tenant_id') as scope
          from notes where id = ${note}`,
    )
    if (!row) {
      if (owner && owner !== reader) seen.foreign++
      else wrong.push('own row not found')
    } else if (`${row.tenant_id} ${row.marker} ${row.scope}` === `${reader.id} ${marker} ${reader.id}`) {
      seen.own++
    } else {
      wrong.push(`${reader.id} got ${JSON.stringify(row)}`)
    }
  }
  function runJob() {
    const kind = Math.random()
    if (kind < 0.1) {
      return expectState(scopedTo(any(tenants).id).one(sql`select 1 / (${0})::int as x`), '22012')
    }
    if (kind < 0.15) {
      return expectState(store.scoped({}).one(raw(`select from ${'x'.repeat(kind * 1e3)} y z`)), '42601')
    }
    if (kind < 0.2) return readUnscoped()
    if (kind < 0.25) return expectState(scopedTo('no uuid').one(sql`select id from notes`), '22P02')
    return readOne()
  }

  for (let done = 0; done < jobs; done += inFlight) {
    await Promise.all(Array.from({ length: inFlight }, runJob))
  }
  expect(wrong).toEqual([])
  expect(seen.own + seen.foreign + seen.failed + seen.unscoped).toBe(jobs)
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(1_000)
}, 120_000)

async function createTenantWithNotes() {
  const id = randomUUID()
  const notes = await scopedTo(id).many<{ id: number }>(
    sql`insert into notes (tenant_id, body) select ${id}, 'note ' || n from generate_series(1, 20) n returning id`,
  )
  return { id, notes: notes.map((note) => note.id) }
}

test('a statement in scope runs as tenantry_app, which is neither superuser nor exempt from row-level security', async () => {
  const role = await scopedTo(randomUUID()).one(
    sql`select rolname, rolsuper, rolbypassrls from pg_roles where rolname = current_user`,
  )
  expect(role).toEqual({ rolname: 'tenantry_app', rolsuper: false, rolbypassrls: false })
})

test('a select without any condition sees only the tenant in scope', async () => {
  const [mine, other] = [randomUUID(), randomUUID()]
  await scopedTo(mine).run(insertNote(mine, 'mine'))
  await scopedTo(other).run(insertNote(other, 'theirs'))
  expect(await scopedTo(mine).many(sql`select body from notes`)).toEqual([{ body: 'mine' }])
})

test('a row cannot be written into another tenant', async () => {
  expect(await stateOf(scopedTo(randomUUID()).run(insertNote(randomUUID(), 'smuggled')))).toBe('42501')
})

test('nothing can be written without a tenant in scope', async () => {
  expect(await stateOf(store.scoped({}).run(insertNote(randomUUID(), 'stray')))).toBe('42501')
})

test('a statement that fails changes nothing', async () => {
  const tenantId = randomUUID()
  const half = sql`insert into notes (tenant_id, body)
    select ${tenantId}, (1 / (2 - n))::text from generate_series(0, 2) n`
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

test('counts and ids come as numbers, timestamps as dates, and the number of changed rows is told', async () => {
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
}, 60_000)

test.runIf(onPostgres)(
  'a change of a table does not break the statements that were prepared before it',
  async () => {
    const tenantId = randomUUID()
    const statement = sql`select * from notes`
    await Promise.all(Array.from({ length: 20 }, () => scopedTo(tenantId).many(statement)))
    await onServer(database.config.databaseUrl ?? '', 'alter table notes add column added text')
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => scopedTo(tenantId).many(statement)))
    expect(outcomes).toHaveLength(20)
  },
)

// What a pooler in transaction mode does to a session, done to the session itself.
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
