import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from './client.ts'
import { sqlState } from './errors.ts'
import type { TestDatabase } from '../../test/test-database.ts'
import { createTestDatabase } from '../../test/test-database.ts'

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
  // The statement names no tenant, so only row-level security separates tenants.
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
})

async function createTenantWithNotes() {
  const id = randomUUID()
  const notes = await scopedTo(id).many<{ id: number }>(
    sql`insert into notes (tenant_id, body) select ${id}, 'note ' || n from generate_series(1, 20) n returning id`,
  )
  return { id, notes: notes.map((note) => note.id) }
}
