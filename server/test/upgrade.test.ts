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
