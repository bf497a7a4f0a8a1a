/**
 * The plans of the statements that most requests run, at a size where a wrong one hurts: the statements of the stores
 * themselves, as the role of requests, in the scope of one tenant.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectCodesOfEnabledUser, selectCodesOfRole } from '../src/authority.store.ts'
import { selectCaller } from '../src/caller.store.ts'
import type { Statement } from '../src/db/batch.ts'
import { syncCatalogue } from '../src/db/catalogue.ts'
import type { Db } from '../src/db/client.ts'
import { openStore } from '../src/db/open.ts'
import { dbOver, scopeStatement } from '../src/db/scope.ts'
import { createTestDatabase, onPostgres, type TestDatabase } from '../src/db/test-database.ts'
import * as audit from '../src/features/audit/audit.store.ts'
import * as dashboard from '../src/features/dashboard/dashboard.store.ts'
import * as notifications from '../src/features/notifications/notifications.store.ts'
import * as roles from '../src/features/roles/roles.store.ts'
import * as sessions from '../src/features/sessions/sessions.store.ts'
import * as settings from '../src/features/settings/settings.store.ts'
import * as users from '../src/features/users/users.store.ts'
import { totalMax } from '../src/http/schemas.ts'

/** One tenant is large, and holds the greater part of all rows: a plan for it is tempted to read them all. */
const tenantId = randomUUID()
const sessionId = randomUUID()
const sizes = { tenants: 300, users: 40_000, records: 60_000 }

/** Users and records of each small tenant, and of the large one. Everything else follows from the number of users. */
const seed = `
do $seed$
declare
  tenant uuid;
  users_max int;
  records_max int;
  first_user bigint;
begin
  for number in 0..${sizes.tenants} loop
    tenant := case when number = 0 then '${tenantId}'::uuid else gen_random_uuid() end;
    users_max := case when number = 0 then ${sizes.users} else 30 end;
    records_max := case when number = 0 then ${sizes.records} else 100 end;
    perform set_config('role', 'tenantry_app', true), set_config('app.tenant_id', tenant::text, true);
    insert into tenants (id, name, slug, created_at, updated_at)
      values (tenant, 'Tenant ' || number, 'tenant-' || number, now(), now());
    with created as (
      insert into accounts (email, email_folded, password_hash)
      select name, name, 'none' from generate_series(1, users_max) n,
        lateral (select 'user' || n || '@' || number || '.example.com' as name) named
      returning id, email
    )
    insert into users (tenant_id, account_id, email, username, username_folded, nickname, search_folded, status,
      last_seen_on, created_at, updated_at)
    select tenant, id, email, split_part(email, '@', 1), split_part(email, '@', 1), '',
      split_part(email, '@', 1) || E'\\n' || email || E'\\n', case when id % 50 = 0 then 0 else 1 end,
      current_date - (id % 90)::int, now(), now()
    from created order by id;
    select min(id) into first_user from users where tenant_id = tenant;
    insert into roles (tenant_id, name, name_folded, created_at)
      select tenant, 'role ' || n, 'role ' || n, now() from generate_series(1, 6) n;
    insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
      select tenant, r.id, p.id, false from roles r, permissions p where r.tenant_id = tenant and not p.platform_only;
    insert into user_roles (tenant_id, user_id, role_id)
      select tenant, u.id, r.id from users u, (select min(id) as id from roles where tenant_id = tenant) r
      where u.tenant_id = tenant;
    insert into user_roles (tenant_id, user_id, role_id)
      select tenant, u.id, r.id from users u, (select max(id) as id from roles where tenant_id = tenant) r
      where u.tenant_id = tenant and u.id % 4 = 0;
    insert into sessions (tenant_id, id, user_id, rotated_at, created_at, expires_at)
      select tenant, gen_random_uuid(), id, now(), now(), now() + interval '1 day' from users
      where tenant_id = tenant and id % 10 = 0;
    insert into tenant_settings (tenant_id, key, value, updated_at)
      select tenant, 'setting.' || n, '1', now() from generate_series(1, 20) n;
    insert into notifications (tenant_id, user_id, title, is_read, created_at)
      select tenant, first_user + n % users_max, 'a notice', n % 3 > 0, now() from generate_series(1, records_max / 5) n;
    insert into audit_logs (tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
      select tenant, first_user + n % least(users_max, 1000), (array['user', 'role', 'setting', 'auth'])[1 + n % 4] ||
        (array['.create', '.update', '.delete', '.read', '.list'])[1 + n % 5],
        (array['user', 'role', 'setting', 'auth'])[1 + n % 4], n, '{}', '', '', '', now() - interval '1 minute' * (records_max - n)
      from generate_series(1, records_max) n;
    if number = 0 then
      insert into sessions (tenant_id, id, user_id, rotated_at, created_at, expires_at)
        values (tenant, '${sessionId}', first_user + 500, now(), now(), now() + interval '1 day');
    end if;
  end loop;
end $seed$`

/** Its plan stands in no other: it has to be noticed by what it reads. */
const slowFunction = `
create function count_titles(tenant uuid) returns bigint stable language plpgsql as $$
begin
  return (select count(*) from notifications where tenant_id = tenant and title <> '');
end $$`

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** The counts of 90 days, in 16 slots each; more than the largest page. */
const sortedMax = 90 * 16
/** Rows that a scan may pass by until its page is full; far below what the tenant has. */
const passedByMax = 5_000
/** Rows that a scan may give: more than any one filter finds, and half of what the tenant has. */
const readMax = 20_000

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** A node's type, and the rows it gave and passed by, in all its loops. */
const figuresOf = (node: PlanNode) => ({
  type: node['Node Type'],
  given: node['Actual Rows'] * node['Actual Loops'],
  passedBy: (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'],
  // What feeds it: a limit takes only the first of what a sort has read.
  fed: (node.Plans ?? []).reduce((total, child) => total + child['Actual Rows'] * child['Actual Loops'], 0),
})

const scanFaultsOf = (node: PlanNode, table: string): string[] => {
  const { type, given, passedBy } = figuresOf(node)
  if (type.endsWith('Seq Scan')) return [`reads all of ${table}`]
  if (passedBy > passedByMax) return [`passes by ${passedBy} rows of ${table}`]
  return given > readMax ? [`reads ${given} rows of ${table}`] : []
}

const faultsOf = (node: PlanNode, bound: Set<string>): string[] => {
  const table = node['Relation Name']
  if (table !== undefined) return bound.has(table) ? scanFaultsOf(node, table) : []
  const { type, fed } = figuresOf(node)
  return type.endsWith('Sort') && fed > sortedMax ? [`sorts ${fed} rows`] : []
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : `${value as string | number}`)
}

interface Reads {
  table: string
  scans: number
  rows: number
}

/** What this transaction has read so far, also within functions, which no plan shows. */
const readsSoFar = async (client: pg.Client): Promise<Reads[]> => {
  const { rows } = await client.query<Reads>(`
    select relname as table, seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables`)
  return rows
}

const readFaultsOf = (before: Reads[], after: Reads[], bound: Set<string>): string[] =>
  after.flatMap(({ table, scans, rows }) => {
    if (!bound.has(table)) return []
    const earlier = before.find((one) => one.table === table) ?? { scans: 0, rows: 0 }
    if (scans > earlier.scans) return [`reads all of ${table}`]
    return rows - earlier.rows > readMax ? [`reads ${rows - earlier.rows} rows of ${table}`] : []
  })

const scope = scopeStatement({ tenantId }, 'tenantry_app')

/** Executes what is prepared, as a request does; resolves with what is wrong with its plan. */
const executeOnce = async (client: pg.Client, args: string, bound: Set<string>): Promise<string[]> => {
  await client.query('begin')
  await client.query(scope)
  const before = await readsSoFar(client)
  const { rows } = await client.query(`explain (analyze, format json) execute hot${args}`)
  const after = await readsSoFar(client)
  await client.query('rollback')
  const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
  return [...nodes.flatMap((node) => faultsOf(node, bound)), ...readFaultsOf(before, after, bound)]
}

/** From the sixth execution on PostgreSQL may go over to one plan for all values: it is looked at as well. */
const executions = 6

/** Prepares and runs a statement; resolves with what is wrong with its plans. */
const explain = async (client: pg.Client, { text, values }: Statement, bound: Set<string>) => {
  const args = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
  const faults: string[] = []
  await client.query(`prepare hot as ${text}`)
  try {
    for (let execution = 0; execution < executions; execution++) {
      faults.push(...(await executeOnce(client, args, bound)))
    }
  } finally {
    await client.query('rollback')
    await client.query('deallocate hot')
  }
  return [...new Set(faults)]
}

const now = new Date()
const earlier = new Date(now.getTime() - 30 * 24 * 3_600_000)
const page = { limit: 20, offset: 0, max: totalMax }
const farBehind = { limit: 20, offset: audit.blockRecords }

/** A user in the middle of the large tenant, and a role that a quarter hold, found when the rows are there. */
let userId = 0
let roleId = 0

const auditFilters = {
  'of all kinds': () => ({}),
  'by user': () => ({ userId }),
  'by action': () => ({ action: 'user.update' }),
  'by resource': () => ({ resource: 'role' }),
  'by action and user': () => ({ action: 'user.update', userId }),
  'by resource and action': () => ({ resource: 'user', action: 'user.update' }),
}

/** What requests run most, each by its store. */
const hot: Record<string, (db: Db) => Promise<unknown>> = {
  'the caller': (db) => selectCaller(db, { tenantId, userId, sessionId }, now),
  'what a user holds': (db) => selectCodesOfEnabledUser(db, tenantId, userId),
  'what a role carries': (db) => selectCodesOfRole(db, tenantId, roleId),
  'a session to refresh': (db) => sessions.selectSessionForUpdate(db, tenantId, sessionId, userId),
  'the end of the sessions of a user': (db) =>
    sessions.deleteSessionRowsOfUser(db, tenantId, userId, sessionId),
  'a user': (db) => users.selectUser(db, tenantId, userId),
  'a user to change': (db) => users.selectUserForUpdate(db, tenantId, userId),
  'a page of users': (db) => users.selectUsers(db, tenantId, {}, page),
  'a page of users far behind': (db) => users.selectUsers(db, tenantId, {}, { ...page, offset: 30_000 }),
  'a page of the newest users': (db) => users.selectUsers(db, tenantId, { sort: '-id' }, page),
  'a page of the newest users far behind': (db) =>
    users.selectUsers(db, tenantId, { sort: '-id' }, { ...page, offset: 20_000 }),
  'a page of the newest users by status': (db) =>
    users.selectUsers(db, tenantId, { sort: '-id', status: 0 }, page),
  'the newest users whose names hold something rare': (db) =>
    users.selectUsers(db, tenantId, { sort: '-id', search: '39999' }, page),
  'users whose names hold something rare': (db) => users.selectUsers(db, tenantId, { search: '39999' }, page),
  'users whose names hold what none has': (db) => users.selectUsers(db, tenantId, { search: 'nobody' }, page),
  'a page of users by status': (db) => users.selectUsers(db, tenantId, { status: 0 }, page),
  'roles with permissions': (db) => roles.selectRoles(db, tenantId),
  'the roles of a user': (db) => roles.selectRolesOfUser(db, tenantId, userId),
  'the users who hold a role': (db) => users.selectUsersOfRole(db, tenantId, roleId, page),
  'the users who hold a role, far behind': (db) =>
    users.selectUsersOfRole(db, tenantId, roleId, { ...page, offset: 9000 }),
  'the number of users who hold a role': (db) => users.countUsersOfRole(db, tenantId, roleId, totalMax),
  'a role': (db) => roles.selectRole(db, tenantId, roleId),
  'the number of roles': (db) => dashboard.countRoles(db, tenantId, earlier),
  'how many were deleted': (db) => dashboard.countDeleted(db, tenantId, 'user.delete', earlier),
  'settings of a tenant': (db) => settings.selectTenantSettings(db, tenantId),
  'a setting by its key': (db) => settings.selectTenantSetting(db, tenantId, 'setting.3'),
  'a page of notifications': (db) => notifications.selectNotificationsOfUser(db, tenantId, userId, page),
  'the number of notifications': (db) => notifications.countNotificationsOfUser(db, tenantId, userId),
  'the unread count': (db) => notifications.countUnread(db, tenantId, userId),
  'the next records of an export': (db) =>
    audit.selectAuditLogsInRange(db, {
      tenantId,
      filter: {},
      range: { afterId: 0, lastId: Number.MAX_SAFE_INTEGER },
      limit: 1000,
    }),
  'where an export of some days begins': (db) =>
    audit.selectIdRange(db, tenantId, { from: earlier.toISOString(), to: now.toISOString() }),
  'a page of audit records between two moments': (db) =>
    audit.selectAuditLogsBetween(
      db,
      {
        tenantId,
        filter: { from: earlier.toISOString(), to: now.toISOString() },
        range: { afterId: 0, lastId: Number.MAX_SAFE_INTEGER },
      },
      page,
    ),
  'the number of audit records': (db) => audit.countAuditLogs(db, tenantId),
  'sign-ups and active users by day': (db) => dashboard.selectActivity(db, tenantId, 90, now),
  'the number of users at two moments': (db) => dashboard.countUsers(db, earlier, now),
  'records to be sealed': (db) => audit.selectUnsealedLogs(db, tenantId, 100),
  ...Object.fromEntries(
    Object.entries(auditFilters).flatMap(([name, filter]) => [
      [`a page of audit records ${name}`, (db: Db) => audit.selectAuditLogs(db, tenantId, filter(), page)],
      [
        `a page of audit records far behind ${name}`,
        (db: Db) => audit.selectAuditLogsFarBehind(db, tenantId, filter(), farBehind),
      ],
      [
        `the number of audit records ${name}`,
        (db: Db) => audit.countFilteredLogs(db, tenantId, filter(), totalMax),
      ],
    ]),
  ),
}

let database: TestDatabase
let client: pg.Client
let bound: Set<string>

const readIds = async () => {
  const { rows } = await client.query(
    `select s.user_id::int as user, (select max(id)::int from roles r where r.tenant_id = s.tenant_id) as role,
       array(select relname::text from pg_attribute join pg_class c on c.oid = attrelid
         where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'tenant_id') as tables
     from sessions s where s.id = $1`,
    [sessionId],
  )
  ;[userId, roleId, bound] = [rows[0].user, rows[0].role, new Set(rows[0].tables)]
}

describe.runIf(onPostgres)('in a tenant with most of all rows', () => {
  beforeAll(async () => {
    database = await createTestDatabase()
    const store = await openStore(database.config, {
      log: database.options.log,
      afterMigrate: syncCatalogue,
    })
    await store.close()
    client = new pg.Client({ connectionString: database.config.databaseUrl })
    await client.connect()
    await client.query(seed)
    // As if they were sealed, but for the newest: counted, and waiting no more.
    await client.query(
      `delete from audit_unsealed where tenant_id = $1 and id < (select max(id) - 100 from audit_unsealed where tenant_id = $1)`,
      [tenantId],
    )
    await client.query('vacuum (analyze)')
    await client.query(slowFunction)
    await client.query(`begin`)
    await client.query(scope)
    await readIds()
    await client.query('rollback')
  })
  afterAll(async () => {
    await client.end()
    await database.remove()
  })

  test.each(Object.entries(hot))('no plan reads or sorts all of it for %s', async (_what, run) => {
    const sent: Statement[] = []
    await run(
      dbOver(async (statement) => {
        sent.push(statement)
        return { command: '', rowCount: 0, rows: [] }
      }),
    )
    expect(sent).not.toEqual([])
    for (const statement of sent) expect(await explain(client, statement, bound)).toEqual([])
  })

  test.each([
    [
      'reads all of audit_logs',
      `select count(*) from audit_logs where tenant_id = $1 and detail::text <> ''`,
    ],
    [`sorts ${sizes.users} rows`, 'select id from users where tenant_id = $1 order by email limit 20'],
    [`reads ${sizes.users} rows of users`, 'select count(*) from users where tenant_id = $1'],
    [
      `passes by ${sizes.users} rows of users`,
      `select id from users where tenant_id = $1 and nickname <> '' order by id limit 20`,
    ],
    ['reads all of notifications', 'select count_titles($1)'],
  ])('a plan that %s is noticed', async (fault, text) => {
    expect(await explain(client, { text, values: [tenantId] }, bound)).toContain(fault)
  })
})
