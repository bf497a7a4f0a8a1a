/**
 * A line of an export is a whole row as JSON. PostgreSQL writes and reads it, so numbers and texts stay exact, and a
 * new column needs no entry here. Columns that are local to an installation are null in a line, and the import sets
 * them.
 */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { ssoSetting } from '../../../access/tenant-settings.sql.ts'
import type { Db } from '../../../db/client.ts'
import { isLasting } from '../../../access/held-roles.sql.ts'
import { isOfTenants } from '../../../access/templates.sql.ts'
import { actAs, settingsOf } from '../../../db/scope.ts'

export interface PartRow {
  line: string
  /** The next batch continues after this key. */
  key: string
}

export interface Batch {
  tenantId: string
  /** The batch starts after this key; undefined for the first batch. */
  after: string | undefined
}

interface Part {
  table: string
  /** The role that may read seals, the queue for sealing, and audit keys. */
  role?: 'tenantry_seal'
  select: (batch: Batch) => Sql
  insert: (tenantId: string, lines: string) => Sql
}

interface Rows {
  /** The columns that identify a row `t` within its tenant. */
  key: string[]
  /** Rows per batch. */
  limit?: number
  from?: string
  /** The columns of a line; `own` is the row `t` without its local values. */
  line?: string
  /** Joins the tables in which the import looks up local values by the fields of a `line`. */
  join?: string
  /** The condition that selects the rows `t` to export. */
  kept?: string
  /** The condition that selects the lines to import. */
  where?: string
  /** SQL for each local column except the tenant's. */
  local?: Readonly<Record<string, string>>
}

/** A batch of rows after the key `after`, ordered by key: each with its key, and its row as a line of JSON. */
const batchOf = (rows: Sql, { key, line = 'own.*', limit = 1000 }: Rows, after: string | undefined): Sql => {
  const names = raw(key.map((name) => `t.${name}`).join(', '))
  const isAfter =
    after === undefined ? sql`true` : sql`(${names}) > (${join(JSON.parse(after) as unknown[])})`
  return sql`
    select json_build_array(${names})::text as key, (select to_json(l) from (select ${raw(line)}) as l)::text as line
    ${rows} and ${isAfter} order by ${names} limit ${limit}`
}

/** A row with some columns set to null. */
const without = (columns: string[], row: string): Sql =>
  sql`jsonb_populate_record(${raw(row)}, ${JSON.stringify(Object.fromEntries(columns.map((name) => [name, null])))}::jsonb)`

/** A table whose rows all belong to a tenant, which the column `tenant` names. */
const tenantTable = (table: string, rows: Rows, tenant = 'tenant_id') => ({
  table,
  select: ({ tenantId, after }: Batch) => {
    const own = without([tenant, ...Object.keys(rows.local ?? {})], 't')
    const from = sql`from ${raw(rows.from ?? `${table} t`)}, ${own} as own
      where t.${raw(tenant)} = ${tenantId} and ${raw(rows.kept ?? 'true')}`
    return batchOf(from, rows, after)
  },
  insert: (tenantId: string, lines: string) => {
    const local = Object.entries(rows.local ?? {}).map(([name, value]) => `, '${name}', ${value}`)
    return sql`
      insert into ${raw(table)} overriding system value
      select r.* from json_array_elements(${lines}::json) as line ${raw(rows.join ?? '')},
        jsonb_populate_record(json_populate_record(null::${raw(table)}, line),
          jsonb_build_object(${tenant}::text, ${tenantId}::text ${raw(local.join(''))})) as r
      ${raw(rows.where ?? '')} returning ${raw(tenant)}`
  },
})

/**
 * Columns of an account that the import resets. Sessions and factors are not exported. An imported account has no owner
 * until the person proves the mailbox here, because a file proves nothing.
 */
const freshAccount = {
  session_epoch: 0,
  proved_email: null,
  has_own_password: false,
  passkey_handle: null,
  passkey_declined_at: null,
  wrong_codes: 0,
  wrong_codes_until: null,
}

/** A Firebase hash needs its project's secret key, which is not exported: the person must set another password. */
const noPassword = JSON.stringify({ password_hash: '', password_scheme: 'none' })

/**
 * Accounts are exported with their users, one for each user. Account ids have no meaning in another installation, so
 * the import creates new ones.
 */
const accounts: Part = {
  table: 'accounts',
  select: ({ tenantId, after }) =>
    batchOf(
      sql`from users t join accounts a on a.id = t.account_id,
          ${without(['id', 'person', ...Object.keys(freshAccount)], 'a')} as travelling,
          jsonb_populate_record(travelling, case when a.password_hash like '$fbscrypt$%' then ${noPassword}::jsonb else '{}' end) as own
        where t.tenant_id = ${tenantId}`,
      { key: ['id'] },
      after,
    ),
  insert: (_tenantId, lines) => sql`
    insert into accounts overriding user value
    select r.* from json_array_elements(${lines}::json) as line,
      jsonb_populate_record(json_populate_record(null::accounts, line),
        ${JSON.stringify(freshAccount)}::jsonb || jsonb_build_object('person', gen_random_uuid())) as r
    returning id`,
}

/** Only public keys, which verify the seals and sign nothing. Keys of an earlier import already exist. */
const auditKeys: Part = {
  table: 'signing_keys',
  role: 'tenantry_seal',
  select: ({ after }) =>
    batchOf(
      sql`from signing_keys t where t.purpose = 'audit'`,
      { key: ['kid'], line: 't.kid, t.public_jwk, t.created_at', limit: 100 },
      after,
    ),
  insert: (_tenantId, lines) => sql`
    with wanted as (
      select kid, public_jwk, created_at from json_populate_recordset(null::signing_keys, ${lines}::json)
    ), added as (
      insert into signing_keys (kid, public_jwk, created_at, signs_from, retired_at, purpose)
      select kid, public_jwk, created_at, created_at, now(), 'audit' from wanted
      on conflict (kid) do nothing
      returning kid
    )
    select from wanted w
    where exists (select from added a where a.kid = w.kid)
      or exists (select from signing_keys k where k.kid = w.kid and k.public_jwk = w.public_jwk)`,
}

const sealed = { role: 'tenantry_seal' } as const

/** The parts in the order of the import, by file name. */
export const parts = {
  '01-tenant': tenantTable(
    'tenants',
    { key: ['id'], limit: 1, local: { deleted_at: 'null', imported_to: '0', founder_account_id: 'null' } },
    'id',
  ),
  '02-accounts': accounts,
  '03-users': tenantTable('users', {
    key: ['id'],
    from: 'users t join accounts a on a.id = t.account_id',
    line: 'own.*, a.email_folded',
    join: "join accounts a on a.email_folded = line ->> 'email_folded'",
    local: { account_id: 'a.id', status_behind: 'null::smallint' },
  }),
  // Keys are not exported. If an account had the id of a user, it would share that user's roles.
  '03b-service-accounts': tenantTable('service_accounts', {
    key: ['id'],
    join: "left join (select id as taken from users) as of_user on taken = (line ->> 'id')::bigint",
    where: 'where taken is null',
  }),
  '04-roles': tenantTable('roles', { key: ['id'] }),
  // Permissions are exported by their codes, which are public and the same in every installation.
  '05-role-permissions': tenantTable('role_permissions', {
    key: ['role_id', 'permission_id'],
    from: 'role_permissions t join permissions p on p.id = t.permission_id and p.removed_at is null',
    line: 'own.*, p.code as permission',
    join: "join permissions p on p.code = line ->> 'permission' and p.removed_at is null",
    local: { permission_id: 'p.id', platform_only: 'p.platform_only' },
  }),
  // Templates are exported by name. A role that is neither a template here nor the tenant's own becomes null and is
  // refused. The import omits an assignment without a holder, because a later user of that id would get the role. It
  // omits roles from groups, because it omits their mapping.
  '06-user-roles': tenantTable('user_roles', {
    key: ['user_id', 'role_id'],
    from: `user_roles t join (
        select id, null as template from roles where tenant_id = nullif(current_setting('app.tenant_id'), '')::uuid
        union all
        select id, name_folded from role_templates
      ) as r on r.id = t.role_id and t.source <> 'sso' and ${isLasting('t').text}`,
    line: `own.*, r.template, case when r.template is null then t.role_id end as own_role,
      case when t.assigned_by_tenant is null then t.assigned_by else 0 end as giver`,
    join: `join (select id from users union all select id from service_accounts) as holder
        on holder.id = (line ->> 'user_id')::bigint
      left join role_templates m on m.name_folded = line ->> 'template'
      left join (select id from roles) as o on o.id = (line ->> 'own_role')::bigint`,
    local: {
      role_id: 'coalesce(m.id, o.id)',
      id: "nextval('user_roles_id_seq')",
      assigned_by: "(line ->> 'giver')::bigint",
      assigned_by_tenant: 'null',
      assigned_by_account:
        "(select of_giver.account_id from users of_giver where of_giver.id = (line ->> 'giver')::bigint)",
    },
  }),
  // Secrets and earlier values are omitted. The declarations here decide which values apply. Enterprise sign-in is
  // omitted too: a required connection that is missing would lock out all users.
  '07-settings': tenantTable('tenant_settings', {
    key: ['key'],
    limit: 100,
    kept: `t.key <> '${ssoSetting}'`,
    where: `where line ->> 'key' <> '${ssoSetting}'`,
    local: { is_invalid: 'false' },
  }),
  '07b-user-settings': tenantTable('user_settings', {
    key: ['user_id', 'key'],
    limit: 500,
    local: { is_invalid: 'false' },
  }),
  // The import keeps the values of attributes that are declared here, and computes what filters compare.
  '07c-user-attributes': tenantTable('user_attributes', {
    key: ['user_id', 'key'],
    local: { folded: 'null::text', is_invalid: 'false' },
  }),
  '07d-tenant-attributes': tenantTable('tenant_attributes', {
    key: ['key'],
    local: { folded: 'null::text', is_invalid: 'false' },
  }),
  '08-notifications': tenantTable('notifications', { key: ['id'], limit: 500, local: { about: "''::text" } }),
  '08b-sendings': tenantTable('sendings', { key: ['id'], limit: 500 }),
  // The seals cover the exact text of `detail`, which the type json preserves in a line.
  // Applications have other ids here. The detail keeps the name.
  '09-audit-logs': tenantTable('audit_logs', { key: ['id'], local: { application_id: 'null::bigint' } }),
  // Records that no seal lists yet.
  '10-audit-unsealed': { ...tenantTable('audit_unsealed', { key: ['id'] }), ...sealed },
  // The lines are in the order of the chain, so their numbers rise along it.
  '11-audit-seals': {
    ...tenantTable('audit_seals', {
      key: ['sequence'],
      limit: 50,
      local: { number: "nextval('audit_seals_number_seq')" },
    }),
    ...sealed,
  },
  '12-audit-heads': { ...tenantTable('audit_heads', { key: ['tenant_id'], limit: 1 }), ...sealed },
  '13-audit-keys': auditKeys,
  '14-days': tenantTable('tenant_days', { key: ['day'] }),
} satisfies Record<string, Part>

export type PartName = keyof typeof parts

/** Runs in the role of the part, within a transaction. */
const inRoleOf = async <T>(db: Db, { role }: Part, work: () => Promise<T>): Promise<T> => {
  if (!role) return work()
  await actAs(db, role)
  const result = await work()
  await actAs(db, 'tenantry_app')
  return result
}

export const selectPartRows = (db: Db, name: PartName, batch: Batch) =>
  inRoleOf(db, parts[name], () => db.many<PartRow>(parts[name].select(batch)))

/** Returns the number of rows that exist afterwards. */
export const insertPartRows = (db: Db, name: PartName, tenantId: string, rows: string): Promise<number> =>
  inRoleOf(db, parts[name], () => db.run(parts[name].insert(tenantId, rows)))

/**
 * For the rest of the transaction, reads batches along their keys, and times in UTC. Without statistics, as after a
 * large import, PostgreSQL would sort the rest of a table for each batch and time out.
 */
export const readAlongKeys = (db: Db) =>
  db.run(
    settingsOf({
      enable_sort: 'off',
      enable_bitmapscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
      timezone: 'utc',
    }),
  )

/** The newest archive with audit records from this id on. It must be returned to the database first. */
export const selectArchiveFrom = (db: Db, id: number) =>
  db.one<{ name: string }>(
    sql`select archive as name from audit_archives where to_id > ${id} order by to_id desc limit 1`,
  )

export const selectNewestLog = (db: Db, tenantId: string) =>
  db.one<{ id: number }>(
    sql`select id from audit_logs where tenant_id = ${tenantId} order by id desc limit 1`,
  )

/** Stores which audit records the import added, so that no webhook delivers them. */
export const updateImportedTo = (db: Db, tenantId: string, id: number) =>
  db.run(sql`update tenants set imported_to = ${id} where id = ${tenantId}`)

export interface TenantRow {
  id: string
  slug: string
  name: string
}

export const selectTenantByName = (db: Db, name: string) =>
  db.one<TenantRow>(sql`
    select id, slug, name from tenants where (id::text = lower(${name}) or slug = ${name}) and deleted_at is null`)

export const selectMigrations = (db: Db) =>
  db.many<{ name: string }>(sql`select name from tenantry_migrations order by id`)

/**
 * Tenants with the id or slug of an imported tenant, and the conflicting field. Includes tenants that are being purged.
 */
export const selectConflictingTenants = (db: Db, { id, slug }: Pick<TenantRow, 'id' | 'slug'>) =>
  db.many<TenantRow & { is_removed: boolean }>(sql`
    select id, slug, name, deleted_at is not null as is_removed from tenants
    where id = ${id} or (slug = ${slug} and deleted_at is null)`)

/** The tombstone of an erased tenant that had this id here. */
export const selectTombstone = (db: Db, id: string) =>
  db.one<{ id: string }>(sql`select id from audit_tombstones where id = ${id}`)

/** The codes among these that roles of a tenant can have. */
export const selectKnownCodes = (db: Db, codes: string[]) =>
  db.many<{ code: string }>(sql`
    select code from permissions where code = any (${codes}) and removed_at is null and not platform_only`)

/** The names among these that templates have. */
export const selectKnownTemplates = (db: Db, folded: string[]) =>
  db.many<{ name: string }>(sql`
    select name_folded as name from role_templates m where name_folded = any (${folded}) and ${isOfTenants}`)

export const selectTemplateIds = (db: Db, folded: string[]) =>
  db.many<{ id: number }>(sql`
    select m.id from role_templates m where m.name_folded = any (${folded}) and ${isOfTenants} order by m.id`)

/** A role of the tenant in scope that has the name of a template. */
export const selectShadowingRole = (db: Db, tenantId: string) =>
  db.one<{ name: string }>(sql`
    select r.name from roles r
    join role_templates m on m.name_folded = r.name_folded
    where r.tenant_id = ${tenantId} and ${isOfTenants}
    limit 1`)

export const selectTakenEmails = (db: Db, folded: string[]) =>
  db.many<{ email: string }>(sql`
    select email_folded as email from accounts where email_folded = any (${folded}) order by email_folded`)
