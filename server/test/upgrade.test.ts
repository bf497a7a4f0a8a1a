/** What a database of an earlier version becomes. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openStore } from '../src/db/open.ts'
import { createTestDatabase } from '../src/db/test-database.ts'
import { builtInTenant } from '../src/permissions.ts'

const migrations = join(import.meta.dirname, '../src/db/migrations')
const log = { info: () => {}, warn: () => {} }

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
