import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/client.ts'
import { exactTime } from '../../db/columns.ts'

/** A row as one line of JSON, written by the database so that no number or text is changed on the way. */
export interface PartRow {
  line: string
  /** Where the next batch goes on. */
  key: string
}

/** One table of a tenant on its way out and in. Rows hold no tenant: it is the one in scope. */
export interface PartStore {
  /** How many rows a batch holds. */
  limit: number
  /** The first batch is after this key. */
  first: string
  /** In the order of the keys, those after one. */
  select: (page: { tenantId: string; after: string; limit: number }) => Sql
  /** Inserts a JSON array of rows. */
  insert: (tenantId: string, rows: string) => Sql
}

const tenant: PartStore = {
  limit: 1,
  first: '',
  select: ({ tenantId, after }) => sql`
    select id::text as key, json_build_object('name', name, 'slug', slug, 'status', status,
      'created_at', ${exactTime('created_at')}, 'updated_at', ${exactTime('updated_at')})::text as line
    from tenants where id = ${tenantId} and id::text > ${after}`,
  insert: (tenantId, rows) => sql`
    insert into tenants (id, name, slug, status, created_at, updated_at)
    select ${tenantId}::uuid, name, slug, status, created_at, updated_at
    from jsonb_to_recordset(${rows}::jsonb)
      as r(name text, slug text, status smallint, created_at timestamptz, updated_at timestamptz)`,
}

/** By their users: each has exactly one in a tenant. Their ids mean nothing outside, and are given anew. */
const accounts: PartStore = {
  limit: 1000,
  first: '0',
  select: ({ tenantId, after, limit }) => sql`
    select u.id::text as key, json_build_object('email', a.email, 'email_folded', a.email_folded,
      'password_hash', a.password_hash, 'password_scheme', a.password_scheme,
      'created_at', ${exactTime('a.created_at')}, 'updated_at', ${exactTime('a.updated_at')})::text as line
    from users u join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id > ${after}::bigint
    order by u.id limit ${limit}`,
  insert: (_tenantId, rows) => sql`
    insert into accounts (email, email_folded, password_hash, password_scheme, created_at, updated_at)
    select email, email_folded, password_hash, password_scheme, created_at, updated_at
    from jsonb_to_recordset(${rows}::jsonb) as r(email text, email_folded text, password_hash text,
      password_scheme text, created_at timestamptz, updated_at timestamptz)`,
}

const users: PartStore = {
  limit: 1000,
  first: '0',
  select: ({ tenantId, after, limit }) => sql`
    select u.id::text as key, json_build_object('id', u.id, 'email_folded', a.email_folded, 'email', u.email,
      'username', u.username, 'username_folded', u.username_folded, 'nickname', u.nickname, 'avatar', u.avatar,
      'search_folded', u.search_folded, 'status', u.status, 'last_login_at', ${exactTime('u.last_login_at')},
      'last_seen_on', u.last_seen_on, 'created_at', ${exactTime('u.created_at')},
      'updated_at', ${exactTime('u.updated_at')})::text as line
    from users u join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id > ${after}::bigint
    order by u.id limit ${limit}`,
  insert: (tenantId, rows) => sql`
    insert into users (tenant_id, id, account_id, email, username, username_folded, nickname, avatar, search_folded,
      status, last_login_at, last_seen_on, created_at, updated_at)
    overriding system value
    select ${tenantId}::uuid, r.id, a.id, r.email, r.username, r.username_folded, r.nickname, r.avatar,
      r.search_folded, r.status, r.last_login_at, r.last_seen_on, r.created_at, r.updated_at
    from jsonb_to_recordset(${rows}::jsonb) as r(id bigint, email_folded text, email text, username text,
      username_folded text, nickname text, avatar text, search_folded text, status smallint,
      last_login_at timestamptz, last_seen_on date, created_at timestamptz, updated_at timestamptz)
    join accounts a on a.email_folded = r.email_folded`,
}

const roles: PartStore = {
  limit: 1000,
  first: '0',
  select: ({ tenantId, after, limit }) => sql`
    select id::text as key, json_build_object('id', id, 'name', name, 'name_folded', name_folded,
      'description', description, 'is_system', is_system, 'created_at', ${exactTime('created_at')})::text as line
    from roles where tenant_id = ${tenantId} and id > ${after}::bigint order by id limit ${limit}`,
  insert: (tenantId, rows) => sql`
    insert into roles (tenant_id, id, name, name_folded, description, is_system, created_at)
    overriding system value
    select ${tenantId}::uuid, id, name, name_folded, description, is_system, created_at
    from jsonb_to_recordset(${rows}::jsonb) as r(id bigint, name text, name_folded text, description text,
      is_system boolean, created_at timestamptz)`,
}

/** Permissions by their codes, which are public and mean the same everywhere. */
const rolePermissions: PartStore = {
  limit: 1000,
  first: '0 0',
  select: ({ tenantId, after, limit }) => sql`
    select role_id || ' ' || permission_id as key,
      json_build_object('role_id', role_id, 'permission', code)::text as line
    from role_permissions rp join permissions p on p.id = rp.permission_id
    where tenant_id = ${tenantId} and (role_id, permission_id) > (${pairOf(after)})
    order by role_id, permission_id limit ${limit}`,
  insert: (tenantId, rows) => sql`
    insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
    select ${tenantId}::uuid, r.role_id, p.id, p.platform_only
    from jsonb_to_recordset(${rows}::jsonb) as r(role_id bigint, permission text)
    join permissions p on p.code = r.permission`,
}

const pairOf = (key: string): Sql => {
  const [first, second] = key.split(' ')
  return sql`${first}::bigint, ${second}::bigint`
}

const userRoles: PartStore = {
  limit: 1000,
  first: '0 0',
  select: ({ tenantId, after, limit }) => sql`
    select user_id || ' ' || role_id as key,
      json_build_object('user_id', user_id, 'role_id', role_id)::text as line
    from user_roles
    where tenant_id = ${tenantId} and (user_id, role_id) > (${pairOf(after)})
    order by user_id, role_id limit ${limit}`,
  insert: (tenantId, rows) => sql`
    insert into user_roles (tenant_id, user_id, role_id)
    select ${tenantId}::uuid, user_id, role_id
    from jsonb_to_recordset(${rows}::jsonb) as r(user_id bigint, role_id bigint)`,
}

const settings: PartStore = {
  limit: 100,
  first: '',
  select: ({ tenantId, after, limit }) => sql`
    select key, json_build_object('key', key, 'value', value, 'updated_at', ${exactTime('updated_at')})::text as line
    from tenant_settings where tenant_id = ${tenantId} and key > ${after} order by key limit ${limit}`,
  insert: (tenantId, rows) => sql`
    insert into tenant_settings (tenant_id, key, value, updated_at)
    select ${tenantId}::uuid, r ->> 'key', r -> 'value', (r ->> 'updated_at')::timestamptz
    from jsonb_array_elements(${rows}::jsonb) as r`,
}

const notifications: PartStore = {
  limit: 500,
  first: '0',
  select: ({ tenantId, after, limit }) => sql`
    select id::text as key, json_build_object('id', id, 'user_id', user_id, 'title', title, 'content', content,
      'type', type, 'is_read', is_read, 'created_at', ${exactTime('created_at')})::text as line
    from notifications where tenant_id = ${tenantId} and id > ${after}::bigint order by id limit ${limit}`,
  insert: (tenantId, rows) => sql`
    insert into notifications (tenant_id, id, user_id, title, content, type, is_read, created_at)
    overriding system value
    select ${tenantId}::uuid, id, user_id, title, content, type, is_read, created_at
    from jsonb_to_recordset(${rows}::jsonb) as r(id bigint, user_id bigint, title text, content text, type text,
      is_read boolean, created_at timestamptz)`,
}

/** The detail as the text it was written as: the seals are about that. */
const auditLogs: PartStore = {
  limit: 1000,
  first: '0',
  select: ({ tenantId, after, limit }) => sql`
    select id::text as key, json_build_object('id', id, 'user_id', user_id, 'action', action, 'resource', resource,
      'resource_id', resource_id, 'detail', detail::text, 'ip', ip, 'user_agent', user_agent, 'trace_id', trace_id,
      'created_at', ${exactTime('created_at')})::text as line
    from audit_logs where tenant_id = ${tenantId} and id > ${after}::bigint order by id limit ${limit}`,
  insert: (tenantId, rows) => sql`
    insert into audit_logs (tenant_id, id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id,
      created_at)
    overriding system value
    select ${tenantId}::uuid, id, user_id, action, resource, resource_id, detail::json, ip, user_agent, trace_id,
      created_at
    from jsonb_to_recordset(${rows}::jsonb) as r(id bigint, user_id bigint, action text, resource text,
      resource_id text, detail text, ip text, user_agent text, trace_id text, created_at timestamptz)`,
}

/** Records that no seal is about yet: the next one will be. */
const auditUnsealed: PartStore = {
  limit: 1000,
  first: '0',
  select: ({ tenantId, after, limit }) => sql`
    select id::text as key, json_build_object('id', id)::text as line
    from audit_unsealed where tenant_id = ${tenantId} and id > ${after}::bigint order by id limit ${limit}`,
  insert: (tenantId, rows) => sql`
    insert into audit_unsealed (tenant_id, id)
    select ${tenantId}::uuid, id from jsonb_to_recordset(${rows}::jsonb) as r(id bigint)`,
}

const auditSeals: PartStore = {
  limit: 50,
  first: '0',
  select: ({ tenantId, after, limit }) => sql`
    select sequence::text as key, json_build_object('sequence', sequence, 'record_ids', record_ids,
      'digests', encode(digests, 'hex'), 'hash', encode(hash, 'hex'), 'newest_at', ${exactTime('newest_at')},
      'statement', statement)::text as line
    from audit_seals where tenant_id = ${tenantId} and sequence > ${after}::bigint order by sequence limit ${limit}`,
  insert: (tenantId, rows) => sql`
    insert into audit_seals (tenant_id, sequence, record_ids, digests, hash, newest_at, statement)
    select ${tenantId}::uuid, sequence, record_ids, decode(digests, 'hex'), decode(hash, 'hex'), newest_at, statement
    from jsonb_to_recordset(${rows}::jsonb) as r(sequence bigint, record_ids bigint[], digests text, hash text,
      newest_at timestamptz, statement text)`,
}

const auditHeads: PartStore = {
  limit: 1,
  first: '',
  select: ({ tenantId, after }) => sql`
    select tenant_id::text as key, json_build_object('statement', statement)::text as line
    from audit_heads where tenant_id = ${tenantId} and tenant_id::text > ${after}`,
  insert: (tenantId, rows) => sql`
    insert into audit_heads (tenant_id, statement)
    select ${tenantId}::uuid, statement from jsonb_to_recordset(${rows}::jsonb) as r(statement text)`,
}

/** The public halves alone: they verify the seals, and sign nothing. Those that came along earlier are here already. */
const auditKeys: PartStore = {
  limit: 100,
  first: '',
  select: ({ after, limit }) => sql`
    select kid as key, json_build_object('kid', kid, 'public_jwk', public_jwk,
      'created_at', ${exactTime('created_at')})::text as line
    from signing_keys where purpose = 'audit' and kid > ${after} order by kid limit ${limit}`,
  insert: (_tenantId, rows) => sql`
    with wanted as (
      select * from jsonb_to_recordset(${rows}::jsonb) as r(kid text, public_jwk jsonb, created_at timestamptz)
    ), added as (
      insert into signing_keys (kid, public_jwk, created_at, retired_at, purpose)
      select kid, public_jwk, created_at, now(), 'audit' from wanted
      on conflict (kid) do nothing
      returning kid
    )
    select from wanted w
    where exists (select from added a where a.kid = w.kid)
      or exists (select from signing_keys k where k.kid = w.kid and k.public_jwk = w.public_jwk)`,
}

/** In the order they are imported in; by the names of the files. */
export const partStores = {
  '01-tenant': tenant,
  '02-accounts': accounts,
  '03-users': users,
  '04-roles': roles,
  '05-role-permissions': rolePermissions,
  '06-user-roles': userRoles,
  '07-settings': settings,
  '08-notifications': notifications,
  '09-audit-logs': auditLogs,
  '10-audit-unsealed': auditUnsealed,
  '11-audit-seals': auditSeals,
  '12-audit-heads': auditHeads,
  '13-audit-keys': auditKeys,
} as const satisfies Record<string, PartStore>

export type PartName = keyof typeof partStores

/** Seals are the business of a role of their own, as is what waits for one; so are the keys that sign them. */
const roleOf = (name: PartName) =>
  ['10-audit-unsealed', '11-audit-seals', '12-audit-heads', '13-audit-keys'].includes(name)
    ? 'tenantry_seal'
    : 'tenantry_app'

/** Runs in the role that the part belongs to, within a transaction. */
const inRoleOf = async <T>(db: Db, name: PartName, work: () => Promise<T>): Promise<T> => {
  if (roleOf(name) === 'tenantry_app') return work()
  await takeRole(db, 'tenantry_seal')
  const result = await work()
  await takeRole(db, 'tenantry_app')
  return result
}

const takeRole = (db: Db, role: 'tenantry_app' | 'tenantry_seal') =>
  db.run(sql`select set_config('role', ${role}, true)`)

export const selectPartRows = (
  db: Db,
  name: PartName,
  page: { tenantId: string; after: string; limit: number },
) => inRoleOf(db, name, () => db.many<PartRow>(partStores[name].select(page)))

/** Returns how many of the rows are there now. */
export const insertPartRows = async (
  db: Db,
  name: PartName,
  tenantId: string,
  rows: string,
): Promise<number> => {
  const count = await inRoleOf(db, name, () => db.run(partStores[name].insert(tenantId, rows)))
  if (name === '09-audit-logs') await deleteUnsealedRows(db, tenantId, rows)
  return count
}

/** Every record that is inserted is noted as waiting for its seal; which of these do is a part of its own. */
const deleteUnsealedRows = async (db: Db, tenantId: string, rows: string) => {
  await takeRole(db, 'tenantry_seal')
  await db.run(sql`
    delete from audit_unsealed
    where tenant_id = ${tenantId} and id in (select id from jsonb_to_recordset(${rows}::jsonb) as r(id bigint))`)
  await takeRole(db, 'tenantry_app')
}

/**
 * For the rest of the transaction batches are read along their keys. While statistics are missing, as after a large
 * import, PostgreSQL would sort the whole rest of a table for each batch, beyond any limit of time.
 */
export const readAlongKeys = (db: Db) =>
  db.run(sql`
    select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`)

export interface TenantRow {
  id: string
  slug: string
  name: string
}

/** By id or slug. */
export const selectTenantByName = (db: Db, name: string) =>
  db.one<TenantRow>(sql`
    select id, slug, name from tenants where (id::text = lower(${name}) or slug = ${name}) and deleted_at is null`)

export const selectMigrations = (db: Db) =>
  db.many<{ name: string }>(sql`select name from tenantry_migrations order by id`)

/** Tenants in the way of an imported one, and what of it they have; also one that is being purged. */
export const selectTenantsInTheWay = (db: Db, { id, slug }: Pick<TenantRow, 'id' | 'slug'>) =>
  db.many<TenantRow & { is_removed: boolean }>(sql`
    select id, slug, name, deleted_at is not null as is_removed from tenants
    where id = ${id} or (slug = ${slug} and deleted_at is null)`)

/** Whether a tenant of this id was erased here: what is left says so for good. */
export const selectTombstone = (db: Db, id: string) =>
  db.one<{ id: string }>(sql`select id from audit_tombstones where id = ${id}`)

export const selectTakenEmails = (db: Db, folded: string[]) =>
  db.many<{ email: string }>(sql`
    select email_folded as email from accounts where email_folded = any (${folded}) order by email_folded`)

const tablesWithIds = ['users', 'roles', 'notifications', 'audit_logs'] as const

/** Ids given from now on come after those of the tenant. Throws when one is none. */
export const raiseIds = async (db: Db, tenantId: string) => {
  for (const table of tablesWithIds) {
    const bounds = await db.one<{ low: number | null; high: number | null }>(
      sql`select min(id) as low, max(id) as high from ${raw(table)} where tenant_id = ${tenantId}`,
    )
    if (!bounds?.high) continue
    if (Number(bounds.low) < 1) throw new Error(`the ids of ${table} are not all greater than 0`)
    await db.run(sql`select raise_ids(${table}, ${bounds.high})`)
  }
}
