/** Statements of docs/scaling.md: the schema can be distributed by tenant, and its audit log partitioned. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { query as onServer } from '../../lab/databases.ts'
import { parts } from './harness.ts'
import { ask, createStores, run, start } from './programs.ts'
import { eventually } from './waits.ts'

/** Tables of the installation, without a tenant_id. A new one is added here. */
const tablesOfInstallation = [
  'account_devices',
  'account_links',
  'accounts',
  'application_secrets',
  'applications',
  'audit_archives',
  'audit_tombstones',
  'authorization_codes',
  'attribute_removals',
  'attributes',
  'catalogue_removals',
  'challenges',
  'connection_secrets',
  'device_codes',
  'device_keys',
  'domain_owners',
  'email_code_guesses',
  'email_codes',
  'factors',
  'flag_overrides',
  'flags',
  'global_setting_secrets',
  'global_setting_versions',
  'global_settings',
  'hash_keys',
  'identities',
  'interactions',
  'logout_queue',
  'mail_counts',
  'mail_queue',
  'mail_texts',
  'permissions',
  'provider_attempts',
  'providers',
  'recovery_codes',
  'resources',
  'role_templates',
  'secret_keys',
  'setting_definitions',
  'sign_ins',
  'sign_ups',
  'signing_keys',
  'spent_challenges',
  'template_permissions',
  'template_counter',
  'tenantry_migrations',
  'tenants',
  'token_issuers',
  'webhook_secrets',
]
interface Key {
  table: string
  name: string
  columns: string[]
}

interface Reference extends Key {
  target: string
  target_columns: string[]
  on_update: string
}

const db = parts.store.scoped({})

const columnsOf = (relation: string, numbers: string) =>
  `(select array_agg(a.attname::text order by n.place) from unnest(${numbers}) with ordinality n(number, place)
    join pg_attribute a on a.attrelid = ${relation} and a.attnum = n.number)`

const query = <Row>(text: string) => db.many<Row>(sql([text]))

const selectTables = () =>
  query<{ table: string; is_bound: boolean }>(`
    select c.relname as table, exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as is_bound
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`)

/** Indexes, not only constraints: a unique index binds as well. */
const selectUniqueKeys = () =>
  query<Key>(`
    select t.relname as table, k.relname as name, ${columnsOf('t.oid', 'i.indkey::smallint[]')} as columns
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class k on k.oid = i.indexrelid
    where i.indisunique and t.relnamespace = 'public'::regnamespace
    order by 1, 2`)

const selectReferences = () =>
  query<Reference>(`
    select t.relname as table, f.conname as name, ${columnsOf('f.conrelid', 'f.conkey')} as columns,
      r.relname as target, ${columnsOf('f.confrelid', 'f.confkey')} as target_columns, f.confupdtype as on_update
    from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class r on r.oid = f.confrelid
    where f.contype = 'f' and t.relnamespace = 'public'::regnamespace
    order by 1, 2`)

/** Both sides have the tenant at the same place of the key. */
const staysInTenant = ({ columns, target_columns: targets }: Reference): boolean =>
  columns.includes('tenant_id') && targets[columns.indexOf('tenant_id')] === 'tenant_id'

describe('a schema that is distributed by tenant_id', () => {
  let bound: string[]
  let others: string[]
  let keys: Key[]
  let references: Reference[]
  beforeAll(async () => {
    const tables = await selectTables()
    bound = tables.filter(({ is_bound: isBound }) => isBound).map(({ table }) => table)
    others = tables.filter(({ is_bound: isBound }) => !isBound).map(({ table }) => table)
    keys = (await selectUniqueKeys()).filter(({ table }) => bound.includes(table))
    references = await selectReferences()
  })

  test('every table has a tenant_id, or is listed here as one of few that have none', () => {
    expect(others).toEqual(tablesOfInstallation.toSorted())
  })

  test('every table of tenants has a primary key, and every unique key of it contains tenant_id', () => {
    expect(keys.filter(({ columns }) => !columns.includes('tenant_id'))).toEqual([])
    for (const table of bound) expect(keys.map((key) => key.table)).toContain(table)
  })

  test('every foreign key of a table of tenants stays within the tenant, or leads to a table of the installation', () => {
    const own = references.filter(({ table }) => bound.includes(table))
    expect(own.length).toBeGreaterThan(10)
    const stray = own.filter((key) => !tablesOfInstallation.includes(key.target) && !staysInTenant(key))
    expect(stray).toEqual([])
  })

  test('no table of the installation depends on a table of tenants', () => {
    expect(
      references.filter(({ table, target }) => !bound.includes(table) && bound.includes(target)),
    ).toEqual([])
  })

  test('no trigger, no function of ours and no subquery in a policy is in the way', async () => {
    const found = await query<{ name: string }>(`
      select tgname::text as name from pg_trigger t where not tgisinternal
        and not exists (select from pg_depend d where d.objid = t.tgfoid and d.deptype = 'e')
      union all
      select proname from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all
      select policyname from pg_policies where schemaname = 'public' and concat(qual, ' ', with_check) ~* '\\mselect\\M'`)
    expect(found).toEqual([])
    const policies = await query<{ name: string }>(
      `select policyname as name from pg_policies where schemaname = 'public'`,
    )
    expect(policies.length).toBeGreaterThan(20)
  })

  test('no foreign key changes the tenant of a row', () => {
    const unsettled = references.filter((key) => key.on_update !== 'a' && key.columns.includes('tenant_id'))
    expect(unsettled).toEqual([])
  })
})

const isOnServices = process.env['DATABASE_URL'] !== undefined && process.env['REDIS_URL'] !== undefined

describe.runIf(isOnServices)('tenantry audit partition', () => {
  test('partitions the log of a running service, which then writes, lists, seals and verifies as before', async () => {
    const stores = await createStores()
    const url = stores.env['DATABASE_URL'] ?? ''
    const program = await start(stores.env)
    const account = {
      email: `${randomUUID()}@example.com`,
      username: 'ada',
      password: 'correct horse battery',
    }
    const { body } = await ask(program, 'POST /auth/register', { body: account })
    const caller = { token: body.data.access_token as string }
    const change = async (value: number) =>
      (await ask(program, 'PUT /settings/tenant/color', { ...caller, body: { value } })).status
    expect(await change(1)).toBe(200)

    const partition = () => run(['audit', 'partition', '--width', '1000'], stores.env)
    const first = await partition()
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout.split('\n')).toEqual([
      'the audit log is partitioned',
      expect.stringMatching(/^audit_logs_first: ids from the first to \d+$/),
      expect.stringMatching(/^audit_logs_from_\d+: ids from \d+ to \d+$/),
      expect.stringMatching(/^audit_logs_from_\d+: ids from \d+ to \d+$/),
      '',
    ])

    expect([await change(2), await change(3)]).toEqual([200, 200])
    const { data } = (await ask(program, 'GET /audit/logs?resource=setting', caller)).body
    expect([data.total, data.items.map((item: { action: string }) => item.action)]).toEqual([
      3,
      ['setting.update', 'setting.update', 'setting.create'],
    ])
    // The first partition holds the old records; later ones begin ten million ids on.
    expect(data.items[0].id - data.items[2].id).toBeGreaterThan(9_000_000)
    const names = [
      'audit_logs_first',
      'audit_logs_rest',
      ...(first.stdout.match(/audit_logs_from_\d+/g) ?? []),
    ]
    for (const name of names) {
      const direct = onServer(url, `set role tenantry_app; select from ${name}`)
      await expect(direct).rejects.toThrow('permission denied')
    }
    await eventually(async () => expect((await onServer(url, 'select from audit_unsealed')).rowCount).toBe(0))
    expect(await program.end('SIGINT')).toBe(0)
    const verified = await run(['audit', 'verify'], stores.env)
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('4 records')])
    const migrated = await run(['migrate'], stores.env)
    expect([migrated.code, migrated.stdout]).toEqual([
      0,
      'all migrations have run: the database is up to date\n',
    ])
    await stores.remove()
  })
})
