/** After an upgrade the users of an earlier version's database have the same permissions. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/test-database.ts'
import { syncCatalogue } from '../access/catalogue.store.ts'
import { migrate, ownNames } from './migrate.ts'
import { openAccess } from './open.ts'

const database = await createTestDatabase()
const dir = await mkdtemp(join(tmpdir(), 'tenantry-upgrade-'))
afterAll(async () => {
  await database.remove()
  await rm(dir, { recursive: true, force: true })
})

/** The last migration of the first release. No older version can be upgraded. */
const firstRelease = '0011-secure-rows'

const copyMigrationsOfFirstRelease = async (): Promise<void> => {
  for (const name of (await ownNames()).filter((one) => one <= firstRelease)) {
    await copyFile(join(import.meta.dirname, 'migrations', `${name}.sql`), join(dir, `${name}.sql`))
  }
}

const builtIn = '00000000-0000-4000-8000-000000000001'
const other = '00000000-0000-4000-8000-000000000002'

/**
 * Two tenants, each with a user, a session and a role of its own. The catalogue has one permission and two templates.
 */
const earlier = [
  `insert into permissions values (1, 'user:read', '', 'user', '', false)`,
  `insert into role_templates (id, name, name_folded, is_builtin, created_at)
    values (2, 'admin', 'admin', true, now()), (4, 'member', 'member', true, now())`,
  `insert into tenants (id, name, slug, created_at, updated_at)
    values ('${builtIn}', 'Default', 'default', now(), now()), ('${other}', 'Other', 'other', now(), now())`,
  `insert into accounts (email, email_folded, password_hash, password_scheme, created_at, updated_at)
    values ('a', 'a', '', 'bcrypt', now(), now()), ('b', 'b', '', 'bcrypt', now(), now())`,
  ...[
    [builtIn, 1, 2],
    [other, 2, 4],
  ].flatMap(([tenant, account, template]) => [
    `insert into users (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
      select '${tenant}', id, email, email, email, email, now(), now() from accounts where id = ${account}`,
    `insert into roles (tenant_id, id, name, name_folded, created_at) overriding system value
      values ('${tenant}', 1001, 'own', 'own', now())`,
    `insert into role_permissions values ('${tenant}', 1001, 1, false)`,
    `insert into user_roles values ('${tenant}', ${account}, 1001), ('${tenant}', ${account}, ${template})`,
    `insert into sessions (tenant_id, id, user_id, account_id, account_epoch, amr, ip, user_agent, rotated_at, created_at,
        last_used_at, expires_at)
      values ('${tenant}', gen_random_uuid(), ${account}, ${account}, 0, '{pwd}', '', '', now(), now(), now(), now())`,
  ]),
]

test('a database of the first release keeps its users, their roles and their sessions', async () => {
  const access = await openAccess(database.config)
  const { log } = database.options
  await copyMigrationsOfFirstRelease()
  await migrate(access, { log, dir })
  // Connects as a superuser on PostgreSQL and on the embedded database. Row-level security does not restrict the
  // connection.
  const client = await access.connect()
  for (const statement of earlier) await client.query(statement)
  await client.end()

  await migrate(access, { log, afterMigrate: syncCatalogue })

  const upgraded = await access.connect()
  const held = await upgraded.query<{ held: string }>(`
    select concat_ws(' ', u.email, coalesce(m.name, r.name), (
      select string_agg(p.code, ' ') from role_permissions rp join permissions p on p.id = rp.permission_id
      where rp.tenant_id = r.tenant_id and rp.role_id = r.id)) as held
    from user_roles h
    join users u on u.tenant_id = h.tenant_id and u.id = h.user_id
    join sessions s on s.tenant_id = u.tenant_id and s.user_id = u.id and s.account_id = u.account_id
    left join roles r on r.tenant_id = h.tenant_id and r.id = h.role_id
    left join role_templates m on m.id = h.role_id
    order by 1`)
  expect(held.rows.map((row) => row.held)).toEqual([
    'a admin',
    'a own user:read',
    'b member',
    'b own user:read',
  ])
  await upgraded.end()
  await access.close()
})
