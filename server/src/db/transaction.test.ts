import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, Store } from './client.ts'
import { sqlState } from './errors.ts'
import type { TestDatabase } from './test-database.ts'
import { createTestDatabase, onPostgres } from './test-database.ts'

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

const insertNote = (tenantId: string, body: string) =>
  sql`insert into notes (tenant_id, body) values (${tenantId}, ${body})`
const bodies = async (tenantId: string) => {
  const rows = await store
    .scoped({ tenantId })
    .many<{ body: string }>(sql`select body from notes order by id`)
  return rows.map((row) => row.body)
}

test('a transaction that resolves is committed, with what its work returned', async () => {
  const tenantId = randomUUID()
  const result = await store.transaction({ tenantId }, async (db) => {
    await db.run(insertNote(tenantId, 'a'))
    await db.run(insertNote(tenantId, 'b'))
    return db.one(sql`select count(*) as n from notes`)
  })
  expect(result).toEqual({ n: 2 })
  expect(await bodies(tenantId)).toEqual(['a', 'b'])
})

test('a transaction that throws leaves nothing, and throws what its work threw', async () => {
  const tenantId = randomUUID()
  const mine = new Error('mine')
  const outcome = store.transaction({ tenantId }, async (db) => {
    await db.run(insertNote(tenantId, 'a'))
    throw mine
  })
  await expect(outcome).rejects.toBe(mine)
  expect(await bodies(tenantId)).toEqual([])
})

test('a failed statement undoes the ones before it', async () => {
  const tenantId = randomUUID()
  const outcome = store.transaction({ tenantId }, async (db) => {
    await db.run(insertNote(tenantId, 'a'))
    await db.run(insertNote(tenantId, 'a'))
  })
  expect(sqlState(await outcome.catch((err: unknown) => err))).toBe('23505')
  expect(await bodies(tenantId)).toEqual([])
})

test('a transaction whose work swallows the error of a statement fails instead of losing its writes', async () => {
  const tenantId = randomUUID()
  const outcome = store.transaction({ tenantId }, async (db) => {
    await db.run(insertNote(tenantId, 'a'))
    await db.run(insertNote(tenantId, 'a')).catch(() => {})
  })
  await expect(outcome).rejects.toThrow(/rolled back/)
  expect(await bodies(tenantId)).toEqual([])
})

test('a handle that is used after its transaction is refused', async () => {
  const tenantId = randomUUID()
  let leaked: Db | undefined
  await store.transaction({ tenantId }, async (db) => {
    leaked = db
  })
  await expect(leaked?.run(insertNote(tenantId, 'late'))).rejects.toThrow(/transaction that has ended/)
  expect(await bodies(tenantId)).toEqual([])
})

test('a transaction sees and writes only the tenant in scope', async () => {
  const [mine, other] = [randomUUID(), randomUUID()]
  await store.scoped({ tenantId: other }).run(insertNote(other, 'theirs'))
  const seen = await store.transaction({ tenantId: mine }, (db) => db.many(sql`select * from notes`))
  expect(seen).toEqual([])
  const smuggled = store.transaction({ tenantId: mine }, (db) => db.run(insertNote(other, 'smuggled')))
  expect(sqlState(await smuggled.catch((err: unknown) => err))).toBe('42501')
})

test('nothing of a scope is left on a connection after its transaction', async () => {
  const tenantId = randomUUID()
  const settings = sql`select current_user::text as role, current_setting('app.tenant_id', true) as tenant,
    current_setting('app.account_id', true) as account`
  await store.transaction({ tenantId, accountId: 7 }, (db) => db.one(settings), 'tenantry_purge')
  const next = await store.transaction({}, (db) => db.one(settings))
  expect(next).toEqual({ role: 'tenantry_app', tenant: '', account: '' })
})

test('the purge role reads and deletes, but writes nothing', async () => {
  const tenantId = randomUUID()
  await store.scoped({ tenantId }).run(insertNote(tenantId, 'a'))
  const write = store.transaction({ tenantId }, (db) => db.run(insertNote(tenantId, 'b')), 'tenantry_purge')
  expect(sqlState(await write.catch((err: unknown) => err))).toBe('42501')
  const deleted = await store.transaction(
    { tenantId },
    (db) => db.run(sql`delete from notes where tenant_id = ${tenantId}`),
    'tenantry_purge',
  )
  expect(deleted).toBe(1)
})

test.runIf(onPostgres)('a transaction that loses a deadlock runs again', async () => {
  const tenantId = randomUUID()
  await store.scoped({ tenantId }).run(insertNote(tenantId, 'a'))
  await store.scoped({ tenantId }).run(insertNote(tenantId, 'b'))
  let runs = 0
  const lockBoth = (bodiesInOrder: string[]) =>
    store.transaction({ tenantId }, async (db) => {
      runs++
      for (const body of bodiesInOrder) {
        await db.one(sql`select id from notes where body = ${body} for update`)
        await db.one(sql`select pg_sleep(0.3)`)
      }
    })
  await Promise.all([lockBoth(['a', 'b']), lockBoth(['b', 'a'])])
  expect(runs).toBeGreaterThan(2)
})

test('a hundred transactions at once all commit', async () => {
  const tenantId = randomUUID()
  await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      store.transaction({ tenantId }, (db) => db.run(insertNote(tenantId, `note ${n}`))),
    ),
  )
  expect(await bodies(tenantId)).toHaveLength(100)
  expect(store.stats()).toMatchObject({ busy: 0, waiting: 0 })
})
