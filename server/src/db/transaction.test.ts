import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db, Store, TransactionDb } from './client.ts'
import { sqlState } from './errors.ts'
import type { TestDatabase } from '../../test/test-database.ts'
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

const insertNote = (tenantId: string, body: string) =>
  sql`insert into notes (tenant_id, body) values (${tenantId}, ${body})`
const bodies = async (tenantId: string) => {
  const rows = await store
    .scoped({ tenantId })
    .many<{ body: string }>(sql`select body from notes order by id`)
  return rows.map((row) => row.body)
}

test('a transaction that resolves is committed, and returns the result of its work', async () => {
  const tenantId = randomUUID()
  const result = await store.transaction({ tenantId }, async (db) => {
    await db.run(insertNote(tenantId, 'a'))
    await db.run(insertNote(tenantId, 'b'))
    return db.one(sql`select count(*) as n from notes`)
  })
  expect(result).toEqual({ n: 2 })
  expect(await bodies(tenantId)).toEqual(['a', 'b'])
})

test('a transaction whose work throws leaves nothing, and throws the same error', async () => {
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

test('a statement that is sent without waiting is committed with its transaction', async () => {
  const tenantId = randomUUID()
  await store.transaction({ tenantId }, async (db) => {
    db.send(insertNote(tenantId, 'a'))
    await db.run(insertNote(tenantId, 'b'))
    db.send(insertNote(tenantId, 'c'))
  })
  expect(await bodies(tenantId)).toEqual(['a', 'b', 'c'])
})

describe('the failure of a statement that was sent without waiting', () => {
  const unhandled: unknown[] = []
  const note = (err: unknown) => unhandled.push(err)
  beforeAll(() => process.on('unhandledRejection', note))
  afterAll(() => process.off('unhandledRejection', note))
  const duplicate = async (tenantId: string, rest: (db: TransactionDb) => Promise<unknown>) => {
    const outcome = store.transaction({ tenantId }, async (db) => {
      await db.run(insertNote(tenantId, 'a'))
      db.send(insertNote(tenantId, 'a'))
      return rest(db)
    })
    const result = await outcome.then(
      () => 'committed',
      (err: unknown) => sqlState(err) ?? err,
    )
    await setImmediate()
    expect(unhandled).toEqual([])
    return result
  }

  test('fails the transaction with its own error, and undoes the statements before it', async () => {
    const tenantId = randomUUID()
    expect(await duplicate(tenantId, async () => 'done')).toBe('23505')
    expect(await bodies(tenantId)).toEqual([])
  })

  test('is the error of the transaction when a later statement is refused because of it', async () => {
    const tenantId = randomUUID()
    expect(await duplicate(tenantId, (db) => db.run(insertNote(tenantId, 'b')))).toBe('23505')
    expect(await duplicate(tenantId, async (db) => db.send(insertNote(tenantId, 'b')))).toBe('23505')
    expect(await bodies(tenantId)).toEqual([])
  })

  test('fails the transaction although the error of a later statement was caught', async () => {
    const tenantId = randomUUID()
    const rest = (db: TransactionDb) => db.run(insertNote(tenantId, 'b')).catch(() => {})
    expect(await duplicate(tenantId, rest)).toBe('23505')
    expect(await bodies(tenantId)).toEqual([])
  })

  test('gives way to the error that the work throws', async () => {
    const tenantId = randomUUID()
    const mine = new Error('mine')
    expect(await duplicate(tenantId, () => Promise.reject(mine))).toBe(mine)
    expect(await bodies(tenantId)).toEqual([])
  })

  test('leaves a connection on which the next transaction works', async () => {
    const tenantId = randomUUID()
    await duplicate(tenantId, async () => 'done')
    await store.transaction({ tenantId }, async (db) => db.send(insertNote(tenantId, 'a')))
    expect(await bodies(tenantId)).toEqual(['a'])
  })
})

test('nothing is committed when a statement that nobody waits for cannot be encoded', async () => {
  const tenantId = randomUUID()
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  const outcome = store.transaction({ tenantId }, async (db) => {
    await db.run(insertNote(tenantId, 'a'))
    db.send(sql`insert into notes (tenant_id, body) values (${tenantId}, ${circular})`)
  })
  await expect(outcome).rejects.toThrow(TypeError)
  expect(await bodies(tenantId)).toEqual([])
})

test('a handle that sends after its transaction throws', async () => {
  const tenantId = randomUUID()
  let leaked: TransactionDb | undefined
  await store.transaction({ tenantId }, async (db) => {
    leaked = db
  })
  expect(() => leaked?.send(insertNote(tenantId, 'late'))).toThrow(/transaction that has ended/)
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
  let locks = 0
  const bothHoldOne = Promise.withResolvers<void>()
  const lockBoth = (bodiesInOrder: string[]) =>
    store.transaction({ tenantId }, async (db) => {
      runs++
      for (const body of bodiesInOrder) {
        await db.one(sql`select id from notes where tenant_id = ${tenantId} and body = ${body} for update`)
        if (++locks === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
      }
    })
  await Promise.all([lockBoth(['a', 'b']), lockBoth(['b', 'a'])])
  expect(runs).toBeGreaterThan(2)
})

test.runIf(onPostgres)(
  'a transaction runs again when a statement that nobody waits for loses a deadlock',
  async () => {
    const tenantId = randomUUID()
    await store.scoped({ tenantId }).run(insertNote(tenantId, 'a'))
    await store.scoped({ tenantId }).run(insertNote(tenantId, 'b'))
    let [runs, holders] = [0, 0]
    const bothHold = Promise.withResolvers<void>()
    const change = (first: string, second: string) =>
      store.transaction({ tenantId }, async (db) => {
        runs++
        await db.one(sql`select id from notes where tenant_id = ${tenantId} and body = ${first} for update`)
        if (++holders === 2) bothHold.resolve()
        await bothHold.promise
        db.send(sql`select id from notes where tenant_id = ${tenantId} and body = ${second} for update`)
        db.send(insertNote(tenantId, `by ${first}`))
      })
    await Promise.all([change('a', 'b'), change('b', 'a')])
    expect(runs).toBeGreaterThan(2)
    expect((await bodies(tenantId)).toSorted()).toEqual(['a', 'b', 'by a', 'by b'])
  },
)

test.runIf(onPostgres)('a single statement that loses a deadlock runs again', async () => {
  const tenantId = randomUUID()
  await store.scoped({ tenantId }).run(insertNote(tenantId, 'a'))
  await store.scoped({ tenantId }).run(insertNote(tenantId, 'b'))
  const lock = (body: string) =>
    sql`select id from notes where tenant_id = ${tenantId} and body = ${body} for update`
  const waiters = sql`
    select count(*)::int as waiting from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and locktype = 'transactionid' and not granted`
  const firstLocked = Promise.withResolvers<void>()
  let singleEnded = false
  const locksBoth = store.transaction({ tenantId }, async (db) => {
    await db.one(lock('a'))
    firstLocked.resolve()
    // If the transaction's work runs again, the other statement may have ended.
    await expect.poll(async () => singleEnded || store.scoped({}).one(waiters)).not.toEqual({ waiting: 0 })
    await db.one(lock('b'))
  })
  // The statement locks b, waits for a, and detects the deadlock first.
  const locksBothToo = sql`
    select id from notes where tenant_id = ${tenantId} and body in ('a', 'b') order by body desc for update`
  const single = firstLocked.promise
    .then(() => store.scoped({ tenantId }).run(locksBothToo))
    .finally(() => (singleEnded = true))
  expect(await Promise.all([single, locksBoth])).toEqual([2, undefined])
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
