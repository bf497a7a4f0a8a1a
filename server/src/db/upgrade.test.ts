/** A database of an earlier version comes out of its upgrade with the same permissions for the same users. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase, onCitus } from '../../test/test-database.ts'
import { syncCatalogue } from '../access/catalogue.store.ts'
import { migrate, ownNames } from './migrate.ts'
import { openAccess } from './open.ts'

const database = await createTestDatabase()
const dir = await mkdtemp(join(tmpdir(), 'tenantry-upgrade-'))
afterAll(async () => {
  await database.remove()
  await rm(dir, { recursive: true, force: true })
})

/** Copies the migrations before a number into the folder. */
const takeMigrationsBefore = async (number: string): Promise<void> => {
  for (const name of (await ownNames()).filter((one) => one < number)) {
    await copyFile(join(import.meta.dirname, 'migrations', `${name}.sql`), join(dir, `${name}.sql`))
  }
}

const builtIn = '00000000-0000-4000-8000-000000000001'
const other = '00000000-0000-4000-8000-000000000002'

/** Two tenants with copies of the system roles and one own role each; every user holds all roles of the tenant. */
const earlier = `
  insert into permissions values (1, 'user:read', '', 'user', '', false), (5, 'tenant:read', '', 'tenant', '', true);
  insert into tenants (id, name, slug, created_at, updated_at)
    values ('${builtIn}', 'Default', 'default', now(), now()), ('${other}', 'Other', 'other', now(), now());
  alter table roles no force row level security;
  alter table role_permissions no force row level security;
  alter table users no force row level security;
  alter table sessions no force row level security;
  alter table user_roles no force row level security;
  insert into roles (tenant_id, name, name_folded, is_system, created_at)
    select t.id, n, n, n <> 'own', now() from tenants t, unnest(array['viewer', 'own', 'platform-admin', 'admin', 'member']) n
    where n <> 'platform-admin' or t.id = '${builtIn}';
  insert into role_permissions select tenant_id, id, 1, false from roles;
  insert into role_permissions select tenant_id, id, 5, true from roles where name = 'own' and tenant_id = '${builtIn}';
  insert into accounts (email, email_folded, password_hash) values ('a', 'a', ''), ('b', 'b', '');
  insert into users (tenant_id, account_id, email, username, username_folded, search_folded, created_at, updated_at)
    select case email when 'a' then '${builtIn}'::uuid else '${other}'::uuid end, id, email, email, email, email, now(), now()
    from accounts;
  insert into user_roles select u.tenant_id, u.id, r.id from users u join roles r using (tenant_id);
  insert into sessions (tenant_id, id, user_id, rotated_at, created_at, expires_at)
    select tenant_id, gen_random_uuid(), id, '2026-01-31', '2026-01-30', now() from users;
  alter table roles force row level security;
  alter table role_permissions force row level security;
  alter table users force row level security;
  alter table sessions force row level security;
  alter table user_roles force row level security`

// No version before role templates ran on Citus.
test.skipIf(onCitus)(
  'system roles become templates, own roles keep permissions and holders, and sessions get their account',
  async () => {
    const access = await openAccess(database.config)
    const { log } = database.options
    await takeMigrationsBefore('0007')
    await migrate(access, { log, dir })
    const client = await access.connect()
    await client.query(earlier)
    await client.end()

    await migrate(access, { log, afterMigrate: syncCatalogue })

    const upgraded = await access.connect()
    // As a superuser on PostgreSQL and on the embedded database, whom row-level security does not bind.
    const held = await upgraded.query<{ held: string }>(`
    select email || ' ' || coalesce(m.name, r.name) || ' ' || coalesce(array_length(array(
      select permission_id from role_permissions p where p.tenant_id = r.tenant_id and p.role_id = r.id), 1)::text, '') as held
    from user_roles h
    join users u on u.tenant_id = h.tenant_id and u.id = h.user_id
    left join roles r on r.tenant_id = h.tenant_id and r.id = h.role_id and r.id > 1000
    left join role_templates m on m.id = h.role_id`)
    expect(held.rows.map((row) => row.held.trim()).toSorted()).toEqual([
      'a admin',
      'a member',
      'a own 2',
      'a platform-admin',
      'a viewer',
      'b admin',
      'b member',
      'b own 1',
      'b viewer',
    ])
    const { rows } = await upgraded.query('select name from roles')
    expect(rows).toEqual([{ name: 'own' }, { name: 'own' }])
    const sessions = await upgraded.query(`
    select count(distinct sign_in_id)::int as sign_ins, bool_and(s.account_id = u.account_id) as is_right,
      bool_and(last_used_at = rotated_at and account_epoch = 0 and amr = '{pwd}') as is_filled
    from sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id`)
    expect(sessions.rows).toEqual([{ sign_ins: 2, is_right: true, is_filled: true }])
    await upgraded.end()
    await access.close()
  },
)
