/** What a database of an earlier version becomes. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { ownNames } from '../src/db/migrate.ts'
import { openStore } from '../src/db/open.ts'
import { createTestDatabase } from '../src/db/test-database.ts'
import { builtInTenant } from '../src/permissions.ts'

const migrations = join(import.meta.dirname, '../src/db/migrations')
const log = { info: () => {}, warn: () => {} }

test('audit records that were sealed before they were counted are counted by the upgrade', async () => {
  const database = await createTestDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'tenantry-upgrade-'))
  const before = (await ownNames(migrations)).filter((name) => name < '0005')
  for (const name of before) await copyFile(join(migrations, `${name}.sql`), join(dir, `${name}.sql`))
  const { id } = builtInTenant
  const old = await openStore(database.config, { log, dir })
  await old.scoped({}).run(sql`
    insert into tenants (id, name, slug, created_at, updated_at) values (${id}, 'x', 'x', now(), now())`)
  await old.scoped({ tenantId: id }).run(sql`
    insert into audit_logs (tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
    select ${id}::uuid, n % 2, 'a.b', 'a', '', '{}', '', '', '', now() from generate_series(1, 5000) n`)
  const seal = sql`delete from audit_unsealed where id <= 4999`
  await old.transaction({ tenantId: id }, (db) => db.run(seal), 'tenantry_seal')
  await old.close()

  const store = await openStore(database.config, { log })
  const blocks = sql`
    select first_id, last_id, count, earlier from audit_counts
    where user_id = -1 and action = 'a.b' and resource = '' order by first_id`
  const ofEach = sql`
    select count(distinct (user_id, action, resource)) as filters, sum(count)::bigint as count from audit_counts`
  const db = store.scoped({ tenantId: id })
  expect(await db.many(blocks)).toEqual([
    { first_id: 0, last_id: 4096, count: 4096, earlier: 0 },
    { first_id: 4097, last_id: 4999, count: 903, earlier: 4096 },
  ])
  expect(await db.many(ofEach)).toEqual([{ filters: 12, count: 8 * 4999 }])
  await store.close()
  await database.remove()
  await rm(dir, { recursive: true })
})

test('audit records of version 0.1 wait to be sealed after the upgrade, and so do those of a version beside', async () => {
  const database = await createTestDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'tenantry-upgrade-'))
  await copyFile(join(migrations, '0001-create-schema.sql'), join(dir, '0001-create-schema.sql'))
  const insertRecord = sql`
    insert into audit_logs (tenant_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
    values (${builtInTenant.id}, 'a.b', 'a', '', '{}', '', '', '', now())`
  const old = await openStore(database.config, { log, dir })
  await old.scoped({}).run(sql`
    insert into tenants (id, name, slug, created_at, updated_at) values (${builtInTenant.id}, 'x', 'x', now(), now())`)
  await old.scoped({ tenantId: builtInTenant.id }).run(insertRecord)
  await old.close()

  const store = await openStore(database.config, { log })
  const db = store.scoped({ tenantId: builtInTenant.id })
  expect(await db.many(sql`select id from audit_unsealed`)).toEqual([{ id: 1 }])
  await db.run(insertRecord)
  expect(await db.many(sql`select id from audit_unsealed order by id`)).toEqual([{ id: 1 }, { id: 2 }])
  await store.close()
  await database.remove()
  await rm(dir, { recursive: true })
})

test('users of an earlier version are counted after the upgrade, and so are those of a version beside', async () => {
  const database = await createTestDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'tenantry-upgrade-'))
  const earlier = ['0001-create-schema.sql', '0002-seal-audit.sql', '0003-import-tenants.sql']
  for (const name of earlier) await copyFile(join(migrations, name), join(dir, name))
  const insertUser = (name: string) => sql`
    with account as (
      insert into accounts (email, email_folded, password_hash) values (${name}, ${name}, '') returning id
    )
    insert into users (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
    select ${builtInTenant.id}::uuid, id, ${name}, ${name}, ${name}, ${name}, '2001-02-03', now() from account`
  const old = await openStore(database.config, { log, dir })
  await old.scoped({}).run(sql`
    insert into tenants (id, name, slug, created_at, updated_at) values (${builtInTenant.id}, 'x', 'x', now(), now())`)
  await old.scoped({ tenantId: builtInTenant.id }).run(insertUser('ada'))
  await old.close()

  const store = await openStore(database.config, { log })
  const db = store.scoped({ tenantId: builtInTenant.id })
  const counts = sql`select part, slot, enabled from user_counts order by part`
  const of = (enabled: number) => [
    { part: 'all', slot: 0, enabled },
    { part: 'block', slot: 0, enabled },
    { part: 'day', slot: 11_356, enabled },
  ]
  expect(await db.many(counts)).toEqual(of(1))
  await db.run(insertUser('bob'))
  expect(await db.many(counts)).toEqual(of(2))
  await store.close()
  await database.remove()
  await rm(dir, { recursive: true })
})

test('activity before it was counted is what users know of it: the day each was last seen', async () => {
  const database = await createTestDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'tenantry-upgrade-'))
  const before = (await ownNames(migrations)).filter((name) => name < '0007')
  for (const name of before) await copyFile(join(migrations, `${name}.sql`), join(dir, `${name}.sql`))
  const { id } = builtInTenant
  const old = await openStore(database.config, { log, dir })
  await old.scoped({}).run(sql`
    insert into tenants (id, name, slug, created_at, updated_at) values (${id}, 'x', 'x', now(), now())`)
  await old.scoped({ tenantId: id }).run(sql`
    with created as (
      insert into accounts (email, email_folded, password_hash)
      select n::text, n::text, '' from generate_series(1, 5) n returning id, email
    )
    insert into users (tenant_id, account_id, email, username, username_folded, search_folded, last_seen_on, created_at,
      updated_at)
    select ${id}::uuid, id, email, email, email, email,
      case email when '1' then null when '2' then date '2001-02-03' else date '2001-02-04' end, now(), now()
    from created`)
  await old.close()

  const store = await openStore(database.config, { log })
  const db = store.scoped({ tenantId: id })
  const counts = sql`
    select to_char(day, 'DD') as day, sum(users)::bigint as users from activity_counts group by day order by day`
  expect(await db.many(counts)).toEqual([
    { day: '03', users: 1 },
    { day: '04', users: 3 },
  ])
  await db.run(sql`update users set last_seen_on = '2001-02-05' where email = '2'`)
  expect(await db.many(counts)).toEqual([
    { day: '03', users: 1 },
    { day: '04', users: 3 },
    { day: '05', users: 1 },
  ])
  await store.close()
  await database.remove()
  await rm(dir, { recursive: true })
})
