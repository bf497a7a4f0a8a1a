/**
 * The transfer of a tenant includes every column and table, except listed ones. The test reads them from the database's
 * catalogue, because a forgotten column would be lost.
 */
import { isDeepStrictEqual } from 'node:util'
import sql, { raw, type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { keyWith, newTenant, ok, platformAdmin } from '../../../../test/factories.ts'
import { asTwin, forge } from '../../../../test/forged-exports.ts'
import { parts as service } from '../../../../test/harness.ts'
import { sealUnlessBroken } from '../../audit/audit/seal.service.ts'
import { writeDay } from '../dashboard/days.service.ts'
import { systemCtx } from '../../../start/parts.ts'
import { importTenant } from './import.service.ts'
import { parts, selectPartRows, type PartName } from './transfer.store.ts'

/** Columns that are not exported, each with the reason. */
const leftColumns: Record<string, string[]> = {
  // The private half of a key never leaves its installation; the import retires the key.
  signing_keys: ['private_pem', 'private_sealed', 'purpose', 'retired_at', 'signs_from'],
}

/** Tables of tenants that are not exported, each with the reason. */
const leftTables: string[] = [
  // Every user signs in again.
  'sessions',
  // Elevations belong to sessions. Eligibility, which carries no permission, is given anew.
  'eligible_roles',
  'elevations',
  // People of one installation decide, and its operator lets a policy begin.
  'approval_decisions',
  'approval_policies',
  'approvals',
  // Applications belong to one installation, and so does consent to them.
  'grants',
  // A link is valid for one installation.
  'invitations',
  // Staff belong to one installation. The records of support move with the audit log.
  'support_openings',
  'support_requests',
  'support_sessions',
  // The import notifies nobody.
  'limit_notices',
  // A key is valid for one installation, and its text stays with its users.
  'service_account_keys',
  // Expired records are deleted in their installation.
  'audit_leftovers',
  // A receiver expects one installation, whose key seals its secret.
  'webhook_deliveries',
  // Only the key of one installation decrypts its secrets. The export also leaves out earlier values of settings.
  'tenant_setting_secrets',
  'tenant_setting_versions',
  'setting_secret_reads',
  'webhook_leases',
  'webhooks',
  // A provider knows the addresses of one installation, and a domain is proved for one installation.
  'connections',
  'domains',
  'group_mappings',
  'scim_group_members',
  'scim_groups',
  'scim_users',
  'sso_attempts',
  'sso_exemptions',
  'sso_links',
  'sso_outcomes',
  'setup_guests',
  'setup_links',
  // A review is about one installation, whose chain seals its report.
  'reviews',
  'review_items',
]

interface Column {
  table: string
  name: string
  type: string
}

const catalogue = await service.store.scoped({}).many<Column>(sql`
  select c.relname as table, a.attname as name, t.typname as type
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped`)

const columnsOf = (table: string) => catalogue.filter((one) => one.table === table).map(({ name }) => name)

/**
 * The origin of a column's values. They are unchanged from the file (`asItIs`), derived from other columns (`derived`),
 * or set here (`here`: reset or looked up). The import compares other values with the rest of the file (`checked`), or
 * the audit chain covers them (`sealed`).
 */
type Judgement = 'asItIs' | 'derived' | 'here' | 'checked' | 'sealed'

/** docs/decisions/0055-moving-a-tenant.md has the reasons. */
const judgements: Record<string, Partial<Record<Judgement, string>>> = {
  tenants: {
    asItIs: 'status created_at updated_at',
    derived: 'name slug',
    here: 'id deleted_at imported_to founder_account_id',
  },
  accounts: {
    asItIs: 'password_scheme password_expired_at created_at updated_at language is_registered',
    checked: 'email password_hash',
    derived: 'email_folded',
    here: 'id person session_epoch proved_email has_own_password passkey_handle passkey_declined_at wrong_codes wrong_codes_until',
  },
  users: {
    asItIs:
      'nickname avatar status last_login_at last_ip last_seen_on previously_seen_on created_at updated_at',
    checked: 'id email username',
    derived: 'username_folded search_folded',
    here: 'tenant_id account_id status_behind',
  },
  service_accounts: {
    asItIs: 'name description status created_at last_used_at',
    checked: 'id',
    derived: 'name_folded',
    here: 'tenant_id',
  },
  roles: { asItIs: 'name description created_at', checked: 'id', derived: 'name_folded', here: 'tenant_id' },
  role_permissions: { checked: 'role_id', here: 'tenant_id permission_id platform_only' },
  user_roles: {
    asItIs: 'source assigned_at expires_at warn_at',
    checked: 'user_id',
    here: 'tenant_id role_id id assigned_by assigned_by_tenant assigned_by_account',
  },
  tenant_settings: { asItIs: 'key value version updated_at', here: 'tenant_id is_invalid' },
  user_settings: { asItIs: 'key value updated_at', checked: 'user_id', here: 'tenant_id is_invalid' },
  user_attributes: {
    asItIs: 'key value updated_at',
    checked: 'user_id',
    here: 'tenant_id folded is_invalid',
  },
  tenant_attributes: { asItIs: 'key value updated_at', here: 'tenant_id folded is_invalid' },
  notifications: {
    asItIs: 'title content type is_read created_at sender',
    checked: 'id user_id',
    here: 'tenant_id about',
  },
  sendings: {
    asItIs: `sender_tenant_id sender_id role_id recipient title content type
      total sent position last_id created_at`,
    checked: 'id user_id',
    here: 'tenant_id',
  },
  audit_logs: {
    asItIs: 'about_user_id on_behalf_of',
    checked: 'id',
    sealed: 'user_id action resource resource_id detail ip user_agent trace_id created_at',
    here: 'tenant_id application_id',
  },
  audit_unsealed: { asItIs: 'id', here: 'tenant_id' },
  audit_seals: { sealed: 'sequence record_ids digests hash newest_at statement', here: 'tenant_id number' },
  audit_heads: { sealed: 'statement', here: 'tenant_id' },
  signing_keys: {
    asItIs: 'created_at',
    checked: 'kid',
    derived: 'public_jwk',
    here: 'private_pem private_sealed purpose retired_at signs_from',
  },
  tenant_days: { asItIs: 'day users roles sign_ups active_users', derived: 'tenants', here: 'tenant_id' },
}

/** The columns of a table that have one of the judgements. */
const judged = (table: string, ...kinds: Judgement[]): string[] =>
  kinds.flatMap((kind) => judgements[table]?.[kind]?.split(/\s+/) ?? [])

/** A tenant with a row in each table. */
const fullTenant = async () => {
  const tenant = await newTenant()
  await tenant.role('user:read')
  ok(await tenant.admin.put('/settings/tenant/any', { value: [1.5, null, 'text'] }))
  ok(await tenant.admin.post('/notifications', { user_id: tenant.admin.userId, title: 'any' }))
  await keyWith(tenant.id, [])
  const root = await platformAdmin()
  const any = { schema: {}, scopes: ['user'] }
  ok(await root.put('/settings/definitions/moved.any', any))
  ok(await tenant.admin.put('/settings/user/moved.any', { value: 1 }))
  for (const subject of ['user', 'tenant']) {
    ok(await root.put(`/attributes/${subject}/moved`, { schema: { type: 'string' } }))
    const path = subject === 'user' ? `/users/${tenant.admin.userId}` : `/org/tenants/${tenant.id}`
    ok(await root.patch(`${path}/attributes`, { moved: 'Any' }, { tenant: tenant.id }))
  }
  await writeDay(service, tenant.id, '2020-01-31')
  await sealUnlessBroken(service, tenant.id)
  ok(await tenant.admin.put('/settings/tenant/any', { value: 'waits to be sealed' }))
  return tenant
}

const linesOf = (tenantId: string, name: PartName) =>
  service.store.transaction({ tenantId }, async (db) =>
    (await selectPartRows(db, name, { tenantId, after: undefined })).map(({ line }) => line),
  )

test('every part moves every column of its table', async () => {
  const tenant = await fullTenant()
  for (const [name, { table }] of Object.entries(parts)) {
    const [line = '{}'] = await linesOf(tenant.id, name as PartName)
    const fields = Object.keys(JSON.parse(line) as object)
    const left = leftColumns[table] ?? []
    const missing = columnsOf(table).filter((column) => !fields.includes(column))
    expect([name, missing.toSorted()]).toEqual([name, left.toSorted()])
  }
})

test('every column of the parts is judged: a new one fails here until somebody has', () => {
  const moved = [...new Set(Object.values(parts).map(({ table }) => table))]
  const found = Object.fromEntries(moved.map((table) => [table, columnsOf(table).toSorted()]))
  const all = (table: string) => judged(table, 'asItIs', 'checked', 'derived', 'here', 'sealed').toSorted()
  expect(Object.fromEntries(Object.keys(judgements).map((table) => [table, all(table)]))).toEqual(found)
})

/** A value of each column type that no export contains. */
const forgedValues: Record<string, unknown> = {
  text: 'forged',
  bytea: String.raw`\x666f72676564`,
  uuid: '00000000-0000-4000-8000-00000000f0e9',
  bool: true,
  int2: 7,
  // The value is above the counters of a test.
  int4: 7_000_007,
  int8: 7_000_007,
  timestamptz: '2031-02-03T04:05:06+00:00',
  jsonb: { forged: true },
}

/** The columns of a table whose values must not come from a file, each with a forged value. */
const forgedOf = (table: string): Record<string, unknown> => {
  const isOwn = (name: string) => judged(table, 'derived', 'here').includes(name)
  const own = catalogue.filter((one) => one.table === table && isOwn(one.name))
  return Object.fromEntries(own.map(({ name, type }) => [name, forgedValues[type] ?? type]))
}

/** The imported rows of a table. */
const importedRows = (
  { table, role }: { table: string; role?: 'tenantry_seal' },
  { tenantId, emails }: { tenantId: string; emails: string[] },
): Promise<Record<string, unknown>[]> => {
  const isImported: Record<string, Sql> = {
    tenants: sql`id = ${tenantId}`,
    accounts: sql`email = any (${emails})`,
    signing_keys: sql`purpose = 'audit'`,
  }
  return service.store.transaction(
    { tenantId },
    async (db) => {
      const where = isImported[table] ?? sql`tenant_id = ${tenantId}`
      const rows = await db.many<{ row: Record<string, unknown> }>(
        sql`select to_json(t) as row from ${raw(table)} t where ${where}`,
      )
      return rows.map(({ row }) => row)
    },
    role,
  )
}

test('no derived value and none of this installation is taken from a file', async () => {
  const tenant = await fullTenant()
  const emails: string[] = []
  const file = await forge(tenant, (rows, about) => {
    asTwin(rows, about)
    for (const [name, { table }] of Object.entries(parts)) {
      for (const row of rows[name] ?? []) {
        // A key with a known name is not inserted, so only its other columns can be forged.
        const jwk = row.public_jwk && { public_jwk: { ...row.public_jwk, kid: 'forged', forged: true } }
        Object.assign(row, forgedOf(table), jwk)
      }
    }
    for (const row of rows['03-users'] ?? []) emails.push(row.email)
  })
  const { tenant: moved, counts } = await importTenant(systemCtx(service, 'test'), file)
  for (const [partName, part] of Object.entries<{ table: string; role?: 'tenantry_seal' }>(parts)) {
    const { table, role } = part
    const found = await importedRows({ table, ...(role && { role }) }, { tenantId: moved.id, emails })
    expect([table, found.length >= (counts[partName] ?? 0)]).toEqual([table, true])
    const forged = Object.entries(forgedOf(table))
    const taken = found.flatMap((row) =>
      forged.filter(([column, value]) => isDeepStrictEqual(row[column], value)),
    )
    expect([table, taken]).toEqual([table, []])
  }
})

test('every table of a tenant moves, but those that stay behind', () => {
  const bound = catalogue.filter(({ name }) => name === 'tenant_id').map(({ table }) => table)
  const moved = Object.values(parts).map(({ table }) => table)
  expect(bound.filter((table) => !moved.includes(table)).toSorted()).toEqual(leftTables.toSorted())
})
