import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dbRoles } from './client.ts'
import { inspectDatabase } from './inspect.ts'
import { migrate } from './migrate.ts'
import { openAccess, openStore } from './open.ts'
import type { TestDatabase } from '../../test/test-database.ts'
import { query } from '../../../lab/databases.ts'
import { createTestDatabase, onPostgres } from '../../test/test-database.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await database.remove()
})

const addMigration = (name: string, text: string) =>
  writeFile(join(database.options.dir, `${name}.sql`), text)
const countNotes = async () => {
  const store = await database.open()
  const row = await store.scoped({}).one(sql`select count(*) as n from notes`)
  await store.close()
  return row
}

test.runIf(onPostgres)('replicas that start together on an empty database all come up', async () => {
  const stores = await Promise.all(Array.from({ length: 4 }, () => database.open()))
  for (const store of stores) expect(await store.ping()).toBe('up')
  await Promise.all(stores.map((store) => store.close()))
})

test('two migrations, one after the other or at once, leave one schema', async () => {
  const access = await openAccess(database.config)
  const both = [migrate(access, database.options)]
  if (!onPostgres) await both[0]
  both.push(migrate(access, database.options))
  await Promise.all(both)
  await access.close()
  expect(await countNotes()).toEqual({ n: 0 })
})

test('a later migration is added to a database in use, and the hook runs after it at every start', async () => {
  await (await database.open()).close()
  await addMigration(
    '0002-add-colour',
    `alter table notes add column colour text default 'red; -- not the end'`,
  )
  const seen: unknown[] = []
  const afterMigrate = async (client: pg.ClientBase) => {
    const columns = await client.query(
      `select count(*)::int as n from information_schema.columns where table_name = 'notes' and column_name = 'colour'`,
    )
    seen.push(columns.rows[0])
  }
  for (let start = 0; start < 2; start++) {
    await (await openStore(database.config, { ...database.options, afterMigrate })).close()
  }
  expect(seen).toEqual([{ n: 1 }, { n: 1 }])
})

test('a migration that fails is rolled back whole, named, and can be mended', async () => {
  await addMigration('0002-break-things', 'create table half (id int); select 1 / 0')
  await expect(database.open()).rejects.toThrow(
    /^migration 0002-break-things failed and was rolled back: division by zero$/,
  )
  await addMigration('0002-break-things', 'create table half (id int)')
  expect(await countNotes()).toEqual({ n: 0 })
})

test.runIf(onPostgres)(
  'a migration that waits for a long transaction lets requests pass, and runs after it',
  async () => {
    const store = await database.open()
    const notes = () => store.scoped({}).one(sql`select count(*) as n from notes`)
    // A read locks the table against a change of its columns, as pg_dump does.
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const reading = store.transaction({}, async (db) => {
      await db.one(sql`select count(*) as n from notes`)
      await released
    })
    await addMigration(
      '0002-add-colour',
      `set local lock_timeout = '1s'; alter table notes add column colour text`,
    )
    const waits = Promise.withResolvers<string>()
    const log = { info: () => undefined, warn: waits.resolve }
    const access = await openAccess(database.config)
    const migrated = migrate(access, { ...database.options, log })
    expect(await waits.promise).toContain('0002-add-colour waits for a lock')
    expect(await notes()).toEqual({ n: 0 })
    release()
    await Promise.all([reading, migrated])
    const { migrations } = await inspectDatabase(database.config, database.options.dir)
    expect(migrations).toMatchObject({ pending: [] })
    await Promise.all([access.close(), store.close()])
  },
)

test('a database that is newer than the program is refused and not touched', async () => {
  await addMigration('0002-add-future', 'create table future (id int)')
  await (await database.open()).close()
  const dir = join(database.options.dir, 'older')
  await mkdir(dir)
  await expect(openStore(database.config, { ...database.options, dir })).rejects.toThrow(
    'the database is newer than this program (0001-create-notes, 0002-add-future): start a newer version',
  )
})

test('a database that begins with other migrations is refused and not touched', async () => {
  await (await database.open()).close()
  const dir = join(database.options.dir, 'other')
  await mkdir(dir)
  await writeFile(join(dir, '0001-create-things.sql'), 'create table things (id int)')
  const opened = openStore(database.config, { ...database.options, dir })
  await expect(opened).rejects.toThrow(
    'the database has the schema of an unreleased version (0001-create-notes), which this program cannot upgrade: ' +
      'start it with an empty database',
  )
  expect(await countNotes()).toEqual({ n: 0 })
})

test('a database whose migration was edited since is refused and not touched', async () => {
  await (await database.open()).close()
  const dir = join(database.options.dir, 'edited')
  await mkdir(dir)
  await writeFile(join(dir, '0001-create-notes.sql'), 'create table notes (id int, colour text)')
  await writeFile(join(dir, '0002-add-future.sql'), 'create table future (id int)')
  await expect(openStore(database.config, { ...database.options, dir })).rejects.toThrow(
    'the database has the schema of an unreleased version (0001-create-notes), which this program cannot upgrade: ' +
      'start it with an empty database',
  )
  expect(await countNotes()).toEqual({ n: 0 })
})

test('an inspection tells pending and unknown migrations and the rights of the login role', async () => {
  const before = await inspectDatabase(database.config, database.options.dir)
  expect(before.migrations).toEqual({ applied: [], pending: ['0001-create-notes'], unknown: [] })
  await (await database.open()).close()
  await addMigration('0002-add-future', 'create table future (id int)')
  const { migrations, login } = await inspectDatabase(database.config, database.options.dir)
  expect(migrations).toEqual({ applied: ['0001-create-notes'], pending: ['0002-add-future'], unknown: [] })
  expect(login?.missingRoles).toEqual([])
})

test.runIf(onPostgres)('a login role that owns nothing can start when nothing is pending', async () => {
  await (await database.open()).close()
  const url = new URL(database.config.databaseUrl ?? '')
  const login = `login_${url.pathname.slice(1)}`
  await query(url.href, `create role ${login} login password 'x'; grant ${dbRoles.join(', ')} to ${login}`)
  url.username = login
  const store = await database.open({ databaseUrl: url.href })
  expect(
    await store.scoped({}).one(sql`select session_user::text as login, current_user::text as role`),
  ).toEqual({
    login,
    role: 'tenantry_app',
  })
  await store.close()
  const { login: report } = await inspectDatabase(
    { ...database.config, databaseUrl: url.href },
    database.options.dir,
  )
  expect(report).toEqual({
    name: login,
    superuser: false,
    bypassesRowSecurity: false,
    missingRoles: [],
    mayMigrate: false,
  })
  await query(database.config.databaseUrl ?? '', `drop role ${login}`)
})
