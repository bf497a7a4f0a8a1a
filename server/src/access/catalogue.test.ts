import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInTemplates } from './built-in-templates.ts'
import { builtInPermissions, permissions } from './permissions.ts'
import { syncCatalogue } from './catalogue.store.ts'
import { openAccess, openStore } from '../db/open.ts'
import type { TestDatabase } from '../../test/test-database.ts'
import { createTestDatabase } from '../../test/test-database.ts'

let database: TestDatabase
let client: pg.Client
let end: () => Promise<void>

beforeAll(async () => {
  database = await createTestDatabase()
  const store = await openStore(database.config, { log: database.options.log, afterMigrate: syncCatalogue })
  await store.close()
  const access = await openAccess(database.config)
  client = await access.connect()
  end = async () => {
    await client.end()
    await access.close()
  }
})
afterAll(async () => {
  await end()
  await database.remove()
})

/** Each entry is `template permission`, such as `admin 1`. */
const held = async (): Promise<string[]> => {
  const { rows } = await client.query<{ held: string }>(
    `select name || ' ' || permission_id as held from role_templates m join template_permissions on template_id = m.id`,
  )
  return rows.map((row) => row.held).toSorted()
}

const expected = builtInTemplates
  .flatMap((template) =>
    builtInPermissions.filter((one) => template.holds(one)).map(({ id }) => `${template.name} ${id}`),
  )
  .toSorted()

test('a permission that is new reaches the system roles', async () => {
  // Simulates an earlier version of the service, which lacks permission 2 and names permission 3 differently.
  await client.query('delete from template_permissions where permission_id = 2')
  await client.query('delete from permissions where id = 2')
  await client.query(`update permissions set name = 'as it was called' where id = 3`)
  await syncCatalogue(client)
  expect(await held()).toEqual(expected)
  const { rows } = await client.query(`select name from permissions where id in (2, 3) order by id`)
  expect(rows).toEqual(permissions.filter(({ id }) => id === 2 || id === 3).map(({ name }) => ({ name })))
})

test('a start changes neither a template of the product nor a permission that a template has of the product', async () => {
  await client.query(`
    insert into permissions values (1000, 'invoice:read', 'Read invoices', 'invoice', '', false);
    insert into role_templates (id, name, name_folded, created_at) values (100, 'Clerk', 'clerk', now());
    insert into template_permissions values (2, 1000, false), (100, 1000, false), (100, 1, false);
    delete from template_permissions where template_id = 2 and permission_id = 1`)
  await syncCatalogue(client)
  expect(await held()).toEqual([...expected, 'Clerk 1', 'Clerk 1000', 'admin 1000'].toSorted())
})

test('a start is refused when the product has a code that this version builds in, and says so', async () => {
  await client.query(`
    delete from template_permissions where permission_id = 2;
    delete from permissions where id = 2;
    insert into permissions values (1001, 'user:create', 'Make users', 'user', '', false)`)
  const message =
    'this version builds in permissions that the product has defined: user:create. ' +
    'Start the version before, and delete them there'
  await expect(syncCatalogue(client)).rejects.toThrow(message)
  await client.query('update permissions set removed_at = now() where id = 1001')
  await syncCatalogue(client)
  expect(await held()).toContain('admin 2')
})
