import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseUnavailable } from './errors.ts'
import { databaseFolder, openEmbedded } from './embedded.ts'
import { vacuumAndCheckpoint } from './maintenance.ts'
import { openPool } from './pool.ts'
import { createStore } from './store.ts'
import type { TestDatabase } from '../../test/test-database.ts'
import { createTestDatabase } from '../../test/test-database.ts'

let database: TestDatabase
const embedded = { databaseUrl: undefined }
const tenantId = '00000000-0000-4000-8000-00000000000a'

beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await database.remove()
})

const countNotes = sql`select count(*) as n from notes`

test('writes are there after closing and opening again', async () => {
  const first = await database.open(embedded)
  await first.scoped({ tenantId }).run(sql`insert into notes (tenant_id, body) values (${tenantId}, 'kept')`)
  await first.close()
  const second = await database.open(embedded)
  expect(await second.scoped({ tenantId }).one(countNotes)).toEqual({ n: 1 })
  await second.close()
})

test('the folder is readable only by the owner of the process', async () => {
  await rm(database.config.dataDir, { recursive: true })
  await (await database.open(embedded)).close()
  expect((await stat(database.config.dataDir)).mode & 0o777).toBe(0o700)
})

test('the next start mends a first start that was killed half-way', async () => {
  await rm(databaseFolder(database.config.dataDir), { recursive: true })
  const unfinished = join(database.config.dataDir, 'postgres-being-created')
  await mkdir(unfinished, { recursive: true })
  await writeFile(join(unfinished, 'PG_VERSION'), '18')
  const store = await database.open(embedded)
  expect(await store.scoped({ tenantId }).one(countNotes)).toEqual({ n: 0 })
  await store.close()
  expect(await readdir(database.config.dataDir)).not.toContain('postgres-being-created')
})

test('a process killed during writes frees the folder and loses no acknowledged write', async () => {
  await (await database.open(embedded)).close()
  const url = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
  const script = `
    import sql from 'sql-template-tag'
    import { openStore } from ${url('./open.ts')}
    const [config, options] = ${JSON.stringify([{ dataDir: database.config.dataDir }, { dir: database.options.dir }])}
    const store = await openStore(config, { ...options, log: console })
    const { scoped } = store
    for (let n = 1; ; n++) {
      await scoped({ tenantId: '${tenantId}' }).run(
        sql\`insert into notes (tenant_id, body) values (\${'${tenantId}'}, \${'note ' + n})\`)
      process.stdout.write(n + '\\n')
    }`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
    if (output.length > 5_000) child.kill('SIGKILL')
  })
  await once(child, 'close')
  const acknowledged = Number(output.split('\n').at(-2))
  expect(acknowledged).toBeGreaterThan(500)
  const store = await database.open(embedded)
  const row = await store.scoped({ tenantId }).one<{ n: number }>(countNotes)
  expect(row?.n).toBeGreaterThanOrEqual(acknowledged)
  await store.close()
})

test('a statement beside its transaction fails after a bounded wait, and corrupts nothing', async () => {
  await (await database.open(embedded)).close()
  const engine = await openEmbedded(database.config.dataDir)
  const limits = { connections: 1, waiting: 10, waitMs: 300, replyMs: 5_000 }
  const close = () => engine.close()
  const store = createStore({ engine: 'embedded', connection: engine.connection, lanes: 0, limits, close })
  const insert = sql`insert into notes (tenant_id, body) values (${tenantId}, 'a note')`
  const outcome = store.transaction({ tenantId }, async (db) => {
    await db.run(insert)
    await store.scoped({ tenantId }).run(insert)
  })
  const err = await outcome.catch((caught: unknown) => caught)
  expect(err).toBeInstanceOf(DatabaseUnavailable)
  expect((err as Error).message).toMatch(/not sent on its own handle/)
  expect(await store.scoped({ tenantId }).one(countNotes)).toEqual({ n: 0 })
  await store.close()
})

test('housekeeping clears out old rows and log', async () => {
  const store = await database.open(embedded)
  const db = store.scoped({ tenantId })
  await db.run(
    sql`insert into notes (tenant_id, body) select ${tenantId}, 'n' || n from generate_series(1, 20000) n`,
  )
  for (let round = 0; round < 10; round++) await db.run(sql`update notes set body = body || 'x'`)
  await store.close()
  const engine = await openEmbedded(database.config.dataDir)
  const pool = openPool(engine.connection, { connections: 1, waiting: 9, waitMs: 5_000, replyMs: 5_000 })
  const query = (text: string) => pool.lend(async (client) => (await client.query(text)).rows[0] as unknown)
  await query(`update notes set body = body || 'y'`)
  await vacuumAndCheckpoint(pool)
  expect(
    await query('select n_dead_tup::int as dead from pg_stat_user_tables where relname = $$notes$$'),
  ).toEqual({
    dead: 0,
  })
  expect(
    await query(
      'select pg_current_wal_lsn() - checkpoint_lsn < 1000000 as recent from pg_control_checkpoint()',
    ),
  ).toEqual({
    recent: true,
  })
  await pool.close()
  await engine.close()
  const log = await readdir(join(databaseFolder(database.config.dataDir), 'pg_wal'))
  expect(log.length).toBeLessThan(80) // segments of 1 MiB
})

test('a crash of the database thread fails every call at once instead of hanging, and frees the folder', async () => {
  const engine = await openEmbedded(database.config.dataDir)
  const limits = { connections: 1, waiting: 10, waitMs: 100_000, replyMs: 100_000 }
  const store = createStore({
    engine: 'embedded',
    connection: engine.connection,
    lanes: 0,
    limits,
    close: engine.close,
  })
  expect(await store.ping()).toBe('up')
  const nonsense = Buffer.from([0, 0, 0, 9, 1, 2, 3, 4, 5])
  const intruder = engine.connection.stream?.()
  intruder?.on('error', () => {}).write(nonsense)
  // If calls waited until their limits, they would exceed the test's timeout.
  for (let call = 0; call < 3; call++) {
    await expect(store.scoped({}).one(sql`select 1`)).rejects.toBeInstanceOf(DatabaseUnavailable)
  }
  expect(await store.ping()).toBe('down')
  await store.close()
  await (await openEmbedded(database.config.dataDir)).close()
})
