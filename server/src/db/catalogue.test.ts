import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtInTenant, permissions, systemRoles } from '../permissions.ts'
import { syncCatalogue } from './catalogue.ts'
import { openAccess, openStore } from './open.ts'
import type { TestDatabase } from './test-database.ts'
import { createTestDatabase } from './test-database.ts'

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

/** What the system roles of each tenant hold, as the database has it: `tenant role permission`. */
const held = async (): Promise<string[]> => {
  const { rows } = await client.query<{ held: string }>(`
    select tenant_id || ' ' || r.name || ' ' || permission_id as held
    from roles r join role_permissions p using (tenant_id) where p.role_id = r.id and is_system`)
  return rows.map((row) => row.held).toSorted()
}

const expectedIn = (tenants: string[]): string[] =>
  tenants
    .flatMap((tenant) =>
      systemRoles
        .filter(({ platformOnly }) => !platformOnly || tenant === builtInTenant.id)
        .flatMap((role) =>
          permissions.filter(({ code }) => role.holds(code)).map(({ id }) => `${tenant} ${role.name} ${id}`),
        ),
    )
    .toSorted()

test('a permission that is new reaches the system roles of all tenants, in as many statements for many as for one', async () => {
  const added = await client.query<{ id: string }>(`
    insert into tenants (id, name, slug, created_at, updated_at)
    select gen_random_uuid(), 'Tenant ' || n, 'tenant-' || n, now(), now() from generate_series(1, 50) n
    returning id`)
  const tenants = [builtInTenant.id, ...added.rows.map(({ id }) => id)]
  // An earlier version: without one permission, with another name for a second one.
  await client.query('delete from role_permissions where permission_id = 2')
  await client.query('delete from permissions where id = 2')
  await client.query(`update permissions set name = 'as it was called' where id = 3`)
  const sent: unknown[] = []
  const counting = new Proxy(client, {
    get: (target, name) =>
      name === 'query'
        ? (...args: [string]) => {
            sent.push(args)
            return target.query(...args)
          }
        : Reflect.get(target, name),
  })
  await syncCatalogue(counting)
  expect(sent.length).toBeLessThan(10)
  expect(await held()).toEqual(expectedIn(tenants))
  const { rows } = await client.query(`select name from permissions where id in (2, 3) order by id`)
  expect(rows).toEqual(permissions.filter(({ id }) => id === 2 || id === 3).map(({ name }) => ({ name })))
})
