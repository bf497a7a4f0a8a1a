/** The second lock: the database itself refuses a statement that forgets its tenant. */
import { insertApprovalRows, insertPolicies } from './approval-rows.ts'
import { insertReview } from './reviews.ts'
import { insertHookRows } from './hooks.ts'
import { insertConnectionRows } from './connection-rows.ts'
import { insertElevation } from './role-rows.ts'
import { insertSettingRows } from './setting-rows.ts'
import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../src/db/client.ts'
import { sqlState } from '../src/db/errors.ts'
import { settingsOf } from '../src/db/scope.ts'
import { builtInPermissions, builtInTenant } from '../src/access/permissions.ts'
import { dbRoles } from '../src/db/client.ts'
import { writeDay } from '../src/features/tenancy/dashboard/days.service.ts'
import { enterRemovedTenant } from '../src/features/tenancy/tenants/tenants.store.ts'
import { insertLeftover, sealRecords } from './audit-chain.ts'
import { consent, giveSession, newApplication } from './applications.ts'
import { keyWith, newTenant, nobodysId, platformAdmin, unique, type Tenant } from './factories.ts'
import { parts } from './harness.ts'
import { insertSupportRows } from './support.ts'

const { store } = parts

/** Every table with rows of tenants. A new one is added here, and all tests below then cover it. */
const boundTables = [
  'approval_decisions',
  'approval_policies',
  'approvals',
  'audit_heads',
  'audit_leftovers',
  'audit_logs',
  'audit_seals',
  'audit_unsealed',
  'connections',
  'domains',
  'elevations',
  'eligible_roles',
  'grants',
  'group_mappings',
  'invitations',
  'limit_notices',
  'notifications',
  'review_items',
  'reviews',
  'role_permissions',
  'roles',
  'scim_group_members',
  'scim_groups',
  'scim_users',
  'sendings',
  'service_account_keys',
  'service_accounts',
  'sessions',
  'setting_secret_reads',
  'setup_guests',
  'setup_links',
  'sso_attempts',
  'sso_exemptions',
  'sso_links',
  'sso_outcomes',
  'support_openings',
  'support_requests',
  'support_sessions',
  'tenant_attributes',
  'tenant_days',
  'tenant_setting_secrets',
  'tenant_setting_versions',
  'tenant_settings',
  'user_attributes',
  'user_roles',
  'user_settings',
  'users',
  'webhook_deliveries',
  'webhook_leases',
  'webhooks',
]
/** Tables whose rows requests cannot change. They may insert into some of them. */
const appendOnly = [
  'audit_heads',
  'audit_leftovers',
  'audit_logs',
  'audit_seals',
  'audit_unsealed',
  'tenant_days',
]
const writable = boundTables.filter((table) => !appendOnly.includes(table))

interface Inhabited {
  tenant: Tenant
  db: Db
  roleId: number
  userId: number
  accountId: number
}

let a: Inhabited
let b: Inhabited

/** A tenant with at least one row in every table. */
const inhabit = async (): Promise<Inhabited> => {
  const tenant = await newTenant()
  const { id, admin } = tenant
  await admin.put('/settings/tenant/color', { value: 'red' })
  await admin.post('/notifications', { user_id: admin.userId, title: 'Hello' })
  await admin.post('/invitations', { email: `${unique()}@example.com` })
  const { userId: accountId } = await keyWith(id, [])
  await insertHookRows(tenant)
  await insertSettingRows(tenant)
  await insertConnectionRows(tenant)
  await insertSupportRows(tenant)
  await consent(admin, await newApplication({ is_third_party: true }))
  await insertReview(tenant)
  await sealRecords(id)
  await insertLeftover(tenant)
  await writeDay(parts, id, '2026-01-31')
  const { id: roleId } = await tenant.role('setting:read')
  await insertElevation(admin, roleId)
  await insertApprovalRows(tenant)
  await insertPolicies(id, ['global.change'])
  return { tenant, db: store.scoped({ tenantId: id }), roleId, userId: admin.userId, accountId }
}

beforeAll(async () => {
  a = await inhabit()
  b = await inhabit()
})

/** The SQLSTATE with which the database refuses a statement, or the number of rows that it changed or found. */
const outcome = (statement: Promise<number | unknown[]>): Promise<string | number> =>
  statement.then(
    (done) => (typeof done === 'number' ? done : done.length),
    (err: unknown) => sqlState(err) ?? String(err),
  )

/** Insufficient privilege, also of a row that a policy refuses. */
const denied = '42501'
const noSuchReference = '23503'

const tenantsIn = async (db: Db, table: string): Promise<(string | null)[]> => {
  const rows = await db.many<{ tenant_id: string }>(sql`select distinct tenant_id from ${raw(table)}`)
  return rows.map((row) => row.tenant_id)
}

/** Runs `work` in a transaction, and rolls it back. */
const undone = async (tenantId: string, work: (db: Db) => Promise<void>): Promise<void> => {
  const enough = new Error('enough')
  const run = store.transaction({ tenantId }, async (db) => {
    await work(db)
    throw enough
  })
  await expect(run).rejects.toBe(enough)
}

describe('row-level security', () => {
  test('is enabled and forced on every table with a tenant_id, each of which is listed here', async () => {
    const rows = await a.db.many<{ name: string; enabled: boolean; forced: boolean }>(sql`
      select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced
      from pg_class c
      join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'f', 'm', 'v')
      order by 1`)
    expect(rows).toEqual(boundTables.map((name) => ({ name, enabled: true, forced: true })))
  })

  test.each(boundTables)(
    'shows only rows of the tenant in scope to a select without where: %s',
    async (table) => {
      expect(await tenantsIn(a.db, table)).toEqual([a.tenant.id])
      expect(await tenantsIn(b.db, table)).toEqual([b.tenant.id])
    },
  )

  test.each(boundTables)(
    'shows nothing, and lets nothing in, without a tenant in scope: %s',
    async (table) => {
      const unscoped = store.scoped({})
      expect(await tenantsIn(unscoped, table)).toEqual([])
      const insert = sql`insert into ${raw(table)} (tenant_id) values (${a.tenant.id})`
      expect(await outcome(unscoped.run(insert))).toBe(denied)
    },
  )

  test.each(boundTables)('refuses a row of another tenant: %s', async (table) => {
    const insert = sql`insert into ${raw(table)} (tenant_id) values (${b.tenant.id})`
    expect(await outcome(a.db.run(insert))).toBe(denied)
  })

  test.each(writable)('refuses to move a row to another tenant: %s', async (table) => {
    expect(await outcome(a.db.run(sql`update ${raw(table)} set tenant_id = ${b.tenant.id}`))).toBe(denied)
  })

  test.each(writable)('changes and deletes nothing of another tenant without where: %s', async (table) => {
    const count = sql`select count(*)::int as n from ${raw(table)}`
    const [before, others] = [await a.db.one<{ n: number }>(count), await b.db.one<{ n: number }>(count)]
    await undone(a.tenant.id, async (db) => {
      expect(await db.run(sql`update ${raw(table)} set tenant_id = tenant_id`)).toBe(before?.n)
      expect(await db.run(sql`delete from ${raw(table)} where tenant_id = ${b.tenant.id}`)).toBe(0)
      expect(await db.run(sql`delete from ${raw(table)}`)).toBe(before?.n)
      await db.run(settingsOf({ 'app.tenant_id': b.tenant.id }))
      expect(await db.one(count)).toEqual(others)
    })
  })

  test('shows a login the users and sessions of one account, lets it end those sessions, and nothing else', async () => {
    const account = await a.db.one<{ id: number }>(
      sql`select account_id as id from users where id = ${a.userId}`,
    )
    const accountId = account?.id ?? 0
    const login = store.scoped({ accountId })
    expect(await login.many(sql`select id from users`)).toEqual([{ id: a.userId }])
    expect(await outcome(login.run(sql`update users set nickname = 'x'`))).toBe(denied)
    expect(await login.many(sql`select user_id from sessions`)).toEqual([{ user_id: a.userId }])
    expect(await outcome(login.run(sql`update sessions set account_epoch = 0`))).toBe(denied)
    expect(
      await outcome(login.run(sql`insert into sessions (tenant_id) select tenant_id from sessions`)),
    ).toBe(denied)
    expect(await login.run(sql`delete from sessions where tenant_id = ${b.tenant.id}`)).toBe(0)
    // The statement sees consents only by their resource, and four settings of all tenants.
    expect(await login.many(sql`select id from grants`)).toEqual([])
    const keys = ['auth.passwords', 'auth.sso', 'auth.unregistered_applications', 'auth.ways']
    expect(await login.many(sql`select key from tenant_settings where key <> all (${keys}::text[])`)).toEqual(
      [],
    )
    expect(
      await login.many(sql`select user_id from sso_exemptions where account_id <> ${accountId}`),
    ).toEqual([])
    // Invitations are seen by the address of a person who has proved the mailbox.
    expect(await login.many(sql`select id from invitations`)).toEqual([])
    expect(
      await login.many(
        sql`select id from support_sessions where ${accountId} not in (account_id, actor_account_id)`,
      ),
    ).toEqual([])
    const seen = [
      'support_sessions',
      'users',
      'sessions',
      'grants',
      'tenant_settings',
      'invitations',
      'sso_exemptions',
    ]
    for (const table of boundTables.filter((name) => !seen.includes(name))) {
      expect([table, await outcome(tenantsIn(login, table))]).toEqual([table, denied])
    }
  })

  test('shows a login what hangs on one application or resource in all tenants, and nothing else', async () => {
    const [application, other] = [await newApplication(), await newApplication()]
    const resourceId = nobodysId - application.id
    for (const { tenant } of [a, b]) {
      const member = await tenant.member()
      await consent(member, application, { resourceId })
      await giveSession(member, { applicationId: application.id })
    }
    const seenWith = (settings: Record<string, string>, table: string) =>
      store.transaction(
        {},
        async (db) => {
          await db.run(settingsOf(settings))
          return tenantsIn(db, table)
        },
        'tenantry_login',
      )
    const both = expect.arrayContaining([a.tenant.id, b.tenant.id])
    expect(await seenWith({ 'app.application_id': String(application.id) }, 'sessions')).toEqual(both)
    expect(await seenWith({ 'app.resource_id': String(resourceId) }, 'grants')).toEqual(both)
    const none = { 'app.application_id': String(other.id), 'app.resource_id': String(resourceId - 1) }
    for (const table of ['sessions', 'grants']) expect(await seenWith(none, table)).toEqual([])
  })

  test('shows a login the invitations of one address in all tenants, and nothing else', async () => {
    const email = `${unique('invited')}@example.com`
    for (const { tenant } of [a, b]) await tenant.admin.post('/invitations', { email })
    const seenAs = (address: string) =>
      store.transaction(
        {},
        async (db) => {
          await db.run(settingsOf({ 'app.email_folded': address }))
          const rows = await db.many<{ email: string }>(sql`select email from invitations`)
          return rows.map((row) => row.email)
        },
        'tenantry_login',
      )
    expect(await seenAs(email)).toEqual([email, email])
    expect(await seenAs(`x${email}`)).toEqual([])
  })

  test('shows a login no further column of them', async () => {
    const login = store.scoped({ accountId: 1 })
    expect(await outcome(login.many(sql`select email from users`))).toBe(denied)
    expect(await outcome(login.many(sql`select generation from sessions`))).toBe(denied)
    expect(await outcome(login.many(sql`select token_hash from invitations`))).toBe(denied)
    expect(await outcome(login.many(sql`select password_hash from accounts`))).toBe(denied)
  })

  test('lets the role that purges see nothing of a tenant that is not removed', async () => {
    // The rotation of secret keys rewrites the secrets of all tenants, sealed as they are; leftovers have expired.
    const reached = ['tenant_setting_secrets', 'audit_leftovers']
    for (const table of boundTables.filter((name) => !reached.includes(name))) {
      const seen = await store.transaction(
        { tenantId: a.tenant.id },
        async (db) => {
          await enterRemovedTenant(db, a.tenant.id)
          return db.many(sql`select 1 from ${raw(table)} where tenant_id = ${a.tenant.id}`)
        },
        'tenantry_purge',
      )
      expect([table, seen]).toEqual([table, []])
    }
  })
})

describe('the role that purges', () => {
  const asPurge = <T>(work: (db: Db) => Promise<T>) =>
    store.transaction({ tenantId: a.tenant.id }, work, 'tenantry_purge')

  test('deletes no living tenant', async () => {
    expect(await asPurge((db) => db.run(sql`delete from tenants where id = ${a.tenant.id}`))).toBe(0)
  })

  test('reads no password hash', async () => {
    const reading = asPurge((db) => db.many(sql`select password_hash from accounts`))
    await expect(reading).rejects.toThrow('permission denied for table accounts')
  })
})

describe('the role of a scope', () => {
  test.each(dbRoles)(
    'is no owner, no superuser and bound by row-level security, and cannot log in: %s',
    async (role) => {
      const row = await store.transaction(
        { tenantId: a.tenant.id },
        (db) =>
          db.one(sql`
            select current_user::text as name, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
              exists (select from pg_class c where pg_has_role(current_user, c.relowner, 'member')) as owns,
              exists (select from pg_auth_members m where m.member = r.oid) as is_member
            from pg_roles r where rolname = current_user`),
        role,
      )
      const no = { rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false }
      expect(row).toEqual({ name: role, ...no, rolcreatedb: false, owns: false, is_member: false })
    },
  )

  test.each([...appendOnly, 'audit_tombstones'])(
    'can neither change nor delete rows of %s',
    async (table) => {
      const { db } = a
      const column = table === 'audit_tombstones' ? 'id' : 'tenant_id'
      expect(await outcome(db.run(sql`update ${raw(table)} set ${raw(column)} = ${a.tenant.id}`))).toBe(
        denied,
      )
      expect(await outcome(db.run(sql`delete from ${raw(table)}`))).toBe(denied)
      expect(await outcome(db.run(sql`truncate ${raw(table)}`))).toBe(denied)
    },
  )

  test.each(['audit_logs', 'audit_seals', 'audit_tombstones'])(
    'the role that seals can change or delete nothing of %s',
    async (table) => {
      const asSealer = (statement: ReturnType<typeof sql>) =>
        outcome(store.transaction({ tenantId: a.tenant.id }, (db) => db.run(statement), 'tenantry_seal'))
      const column = table === 'audit_tombstones' ? 'id' : 'tenant_id'
      expect(await asSealer(sql`update ${raw(table)} set ${raw(column)} = ${a.tenant.id}`)).toBe(denied)
      expect(await asSealer(sql`delete from ${raw(table)}`)).toBe(denied)
    },
  )

  test('the role of requests sees only token keys, and the one that seals only audit keys', async () => {
    const purposes = (role: 'tenantry_app' | 'tenantry_seal') =>
      store.transaction(
        {},
        async (db) => {
          await db.run(sql`
            insert into signing_keys (kid, public_jwk, private_pem, created_at, signs_from, purpose)
            values (${randomUUID()}, '{}', '', '2000-01-01', '2000-01-01',
              ${role === 'tenantry_app' ? 'access' : 'audit'})`)
          const rows = await db.many<{ purpose: string }>(
            sql`select distinct purpose from signing_keys order by 1`,
          )
          throw new Error(rows.map(({ purpose }) => purpose).join(' '))
        },
        role,
      )
    await expect(purposes('tenantry_app')).rejects.toThrow(/^access id refresh$/)
    await expect(purposes('tenantry_seal')).rejects.toThrow(/^audit$/)
  })

  test('can neither write the permission catalogue nor change the schema or its policies', async () => {
    const { db } = a
    expect(await outcome(db.run(sql`update permissions set platform_only = false`))).toBe(denied)
    // The scope of the built-in tenant writes the product's part of the catalogue.
    const builtIn = store.scoped({ tenantId: builtInTenant.id })
    const widen = sql`
      insert into template_permissions (template_id, permission_id, platform_only) values (4, 1, false)`
    for (const scope of [db, builtIn]) {
      expect(await outcome(scope.run(widen))).toBe(denied)
      expect(await outcome(scope.run(sql`update role_templates set is_builtin = false`))).toBe(denied)
      expect(await scope.run(sql`update permissions set name = '' where id < 1000`)).toBe(0)
      expect(await scope.run(sql`delete from role_templates where is_builtin`)).toBe(0)
      expect(await scope.run(sql`delete from template_permissions where permission_id < 1000`)).toBe(0)
    }
    const product = sql`
      insert into permissions (id, code, name, module, description, platform_only)
      values (1999, 'a:b', '', 'a', '', false)`
    expect(await outcome(db.run(product))).toBe(denied)
    expect(await outcome(db.run(sql`alter table users disable row level security`))).toBe(denied)
    expect(await outcome(db.run(sql`drop policy tenant_scope on users`))).toBe(denied)
    expect(await outcome(db.run(sql`create table public.mine (id int)`))).toBe(denied)
    expect(await outcome(db.run(sql`delete from tenants`))).toBe(denied)
  })

  test('is gone with its statement: the next one runs in a scope of its own', async () => {
    const scopes = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? a : b))
    const seen = await Promise.all(scopes.map(({ db }) => tenantsIn(db, 'users')))
    expect(seen).toEqual(scopes.map(({ tenant }) => [tenant.id]))
  })
})

describe('a reference across tenants', () => {
  /** Rows of tenant A that refer to rows of tenant B. */
  const references: Record<string, () => ReturnType<typeof sql>> = {
    'a permission for a role': () => sql`
      insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
      values (${a.tenant.id}, ${b.roleId}, 1, false)`,
    'a session of a user': () => sql`
      insert into sessions (tenant_id, id, user_id, account_id, rotated_at, created_at, expires_at)
      values (${a.tenant.id}, ${randomUUID()}, ${b.userId}, 1, now(), now(), now())`,
    'a key for a service account': () => sql`
      insert into service_account_keys (tenant_id, account_id, name, prefix, secret_hash, created_by, created_at)
      values (${a.tenant.id}, ${b.accountId}, 'x', 'x', sha256('x'), 1, now())`,
    'a notification for a user': () => sql`
      insert into notifications (tenant_id, user_id, title, created_at)
      values (${a.tenant.id}, ${b.userId}, 'x', now())`,
  }

  test.each(Object.keys(references))('the schema refuses %s of another tenant', async (name) => {
    const statement = references[name]?.() ?? sql``
    expect(await outcome(a.db.run(statement))).toBe(noSuchReference)
  })

  test('a role of another tenant for a user is stored, and gives nothing', async () => {
    const member = await a.tenant.member()
    await a.db.run(sql`
      insert into user_roles (tenant_id, user_id, role_id) values (${a.tenant.id}, ${member.userId}, ${b.roleId})`)
    expect((await member.get('/settings/tenant')).status).toBe(403)
    const { data } = await member.get(`/rbac/users/${member.userId}/roles`)
    expect(data).toMatchObject([{ name: 'member' }])
  })

  test('the schema refuses the role platform-admin for a user outside the built-in tenant', async () => {
    const insert = sql`
      insert into user_roles (tenant_id, user_id, role_id) values (${a.tenant.id}, ${a.userId}, 1)`
    expect(await outcome(a.db.run(insert))).toBe('23514')
  })

  test('the schema refuses a platform-only permission for a role outside the built-in tenant', async () => {
    const insert = (isPlatform: boolean) => sql`
      insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
      values (${a.tenant.id}, ${a.roleId}, 5, ${isPlatform})`
    expect(await outcome(a.db.run(insert(true)))).toBe('23514')
    expect(await outcome(a.db.run(insert(false)))).toBe(noSuchReference)
  })
})

describe('the schema', () => {
  test('has tenant_id first in every key, and in every reference, of a tenant-bound table', async () => {
    const rows = await a.db.many<{ name: string }>(sql`
      select c.conname as name
      from pg_constraint c
      join pg_attribute t on t.attrelid = c.conrelid and t.attname = 'tenant_id'
      where c.contype in ('p', 'u', 'f') and c.connamespace = 'public'::regnamespace
        and t.attnum <> c.conkey[1]
      union all
      select i.indexrelid::regclass::text
      from pg_index i
      join pg_attribute t on t.attrelid = i.indrelid and t.attname = 'tenant_id'
      join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
      where i.indisunique and t.attnum <> i.indkey[0]
      order by 1`)
    // References to tables that belong to no tenant: the account of a user, the catalogue of permissions, applications.
    expect(rows.map(({ name }) => name)).toEqual([
      'grants_application_id_fkey',
      'role_permissions_permission_id_platform_only_fkey',
      'sessions_application_id_fkey',
      'sessions_resource_id_fkey',
      'users_account_id_email_fkey',
    ])
  })

  test('holds the catalogue of permissions that the program knows', async () => {
    const rows = await a.db.many(sql`
      select id, code, name, module, description, platform_only from permissions where id < 1000 order by id`)
    expect(rows).toEqual(builtInPermissions)
    const root = await platformAdmin()
    const listed = await root.get('/rbac/permissions')
    const publicly = builtInPermissions.map(({ id, code, name, module, description }) => {
      return { id, code, name, module, description }
    })
    expect(listed.data).toEqual(publicly)
  })

  test('holds the built-in tenant', async () => {
    const row = await a.db.one(sql`select name, slug, status from tenants where id = ${builtInTenant.id}`)
    expect(row).toEqual({ name: 'Default', slug: 'default', status: 1 })
  })
})
