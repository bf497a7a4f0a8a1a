/*
 * The way of scopes and settings to the nodes of Citus (decision 0114). The coordinator passes on only `SET LOCAL`, and
 * only within `begin`; it connects to a node as the role of the transaction, and refuses a second role behind a write.
 * So the roles act through `tenantry_citus`, and `app.role` says for which. Its policies are made from theirs
 * (`rightsText`).
 */
import { createHash } from 'node:crypto'
import pg from 'pg'
import { send, type Settings, type Statement } from './batch.ts'
import { dbRoles, type DbRole } from './client.ts'
import { bounds, type Dialect } from './scope.ts'

/** The role that connects to the nodes. */
const nodeRole = 'tenantry_citus'

/**
 * Connects to the nodes itself in transactions of its own: PostgreSQL looks up a keyword in an index only under a policy
 * without conditions.
 */
const searchRole: DbRole = 'tenantry_search'

/** Whether the database has the extension. */
export const isCitus = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query(`select from pg_extension where extname = 'citus'`)).rows.length > 0

const connectingAs = (role: string) => (role === searchRole ? role : nodeRole)

/** Nothing in a scope takes part in a plan of the coordinator, so its text has no values to plan for. */
const scopeText = `select where concat(set_config('role', $1, true), set_config('citus.propagate_set_commands', 'local', true),
 set_config('citus.multi_shard_modify_mode', 'sequential', true),
 set_config('citus.all_modifications_commutative', 'on', true), ${bounds}) is null`
const roleText = `select where set_config('role', $1, true) is null`

const setLocal = (name: string, value: string): Statement => ({
  text: `set local ${name} = ${pg.escapeLiteral(value)}`,
  values: [],
})

/** The role itself is not passed on: the connection to a node has it. */
const settingsFor = ({ role, ...others }: Settings): Statement[] => [
  ...(role === undefined ? [] : [{ text: roleText, values: [nodeRole] }, setLocal('app.role', role)]),
  ...Object.entries(others).map(([name, value]) => setLocal(name, value)),
]

/** Sends a transaction of its own; its end leaves in the same flush, and takes it back after an error. */
const sendWhole: typeof send = async (client, statements, replyMs) => {
  const answered = send<never>(
    client,
    [{ text: 'begin', values: [], isSetting: true }, ...statements],
    replyMs,
  )
  const ended = send(client, [{ text: 'commit', values: [] }], replyMs)
  const [outcome] = await Promise.all([answered, ended])
  return outcome
}

/** The times of `isoTime`, whose `to_char` Citus refuses behind `returning`: there they come as they are. */
const isoCall = /coalesce\(to_char\((\S+) at time zone 'utc', '[^']*'\), ''\)/g

/** Statements whose times are formatted here, by their text. */
const returningTimes = new Map<string, string>()
const textsMax = 1000

function withoutFormat(text: string): string | undefined {
  const known = returningTimes.get(text)
  if (known !== undefined) return known === text ? undefined : known
  const place = text.lastIndexOf('returning ')
  const changed =
    place === -1
      ? text
      : text.slice(0, place) + text.slice(place).replaceAll(isoCall, (_, column: string) => column)
  if (returningTimes.size >= textsMax) returningTimes.clear()
  returningTimes.set(text, changed)
  return changed === text ? undefined : changed
}

const formatted = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? ''))

const computedText = 'select current_setting($1, true) as value'

export const citus: Dialect = {
  send: sendWhole,
  scope: ({ tenantId, accountId }, role) =>
    [
      { text: scopeText, values: [connectingAs(role)] },
      setLocal('app.role', role),
      ...(tenantId === undefined ? [] : [setLocal('app.tenant_id', tenantId)]),
      ...(accountId === undefined ? [] : [setLocal('app.account_id', String(accountId))]),
    ].map((statement) => ({ ...statement, isSetting: true })),
  expand(statement) {
    if (statement.settings) {
      return settingsFor(statement.settings).map((one) => ({
        ...one,
        isSetting: statement.isSetting ?? false,
      }))
    }
    const { onCitus = [statement], needsOwnConnection = false } = statement
    return onCitus.map(({ text, values }) => ({
      text: withoutFormat(text) ?? text,
      values,
      needsOwnConnection,
    }))
  },
  finish(statement, outcome) {
    if (withoutFormat(statement.text) === undefined) return outcome
    const rows = outcome.rows.map((row) =>
      Object.fromEntries(Object.entries(row as object).map(([name, value]) => [name, formatted(value)])),
    )
    return { ...outcome, rows: rows as typeof outcome.rows }
  },
  passSetting: async ({ computed }, run) => {
    if (computed === undefined) return
    const { rows } = await run({ text: computedText, values: [computed] })
    const value = rows[0]?.value
    if (value) await run(setLocal(computed, value))
  },
}

/** Tables that no other node needs. */
const localTables = ['tenantry_migrations']

interface Table {
  name: string
  is_bound: boolean
}

const tablesText = `
  select c.relname as name, a.attnum is not null as is_bound
  from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all ($1) and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
  order by 2, 1`

/** Reads the foreign keys of the tables that are not distributed yet. */
const referencesText = `
  select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint
  where contype = 'f' and conparentid = 0 and conrelid = any ($1::regclass[])`

/**
 * The rights of the node role: for each table and command the policies of the roles that act through it, each while
 * `app.role` names its role. A table without policies has only grants.
 */
const rightsText = `
  with granted as (
    select c.oid, c.relname, c.relrowsecurity, r.rolname, k.command
    from pg_class c, pg_roles r, unnest(array['select', 'insert', 'update', 'delete']) as k(command)
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and r.rolname = any ($1)
      and (has_table_privilege(r.oid, c.oid, k.command)
        or (k.command <> 'delete' and has_any_column_privilege(r.oid, c.oid, k.command)))
  ), conditions as (
    select g.relname, g.command,
      string_agg(format('(current_setting(''app.role'', true) = %L and %s)', g.rolname, coalesce(p.qual, 'true')), ' or '
        order by g.rolname, p.policyname) as seen,
      string_agg(format('(current_setting(''app.role'', true) = %L and %s)', g.rolname, coalesce(p.with_check, p.qual, 'true')), ' or '
        order by g.rolname, p.policyname) as written
    from granted g
    join pg_policies p on p.schemaname = 'public' and p.tablename = g.relname and g.rolname = any (p.roles)
      and p.cmd in ('ALL', upper(g.command))
    where g.relrowsecurity
    group by 1, 2
  )
  select text from (
    select 1 as place, format('grant %s on %I to ${nodeRole}', string_agg(distinct command, ', '), relname) as text
    from granted group by relname
    union all
    select 2, format('grant usage, select, update on sequence %s to ${nodeRole}', oid::regclass)
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
    union all
    -- A shard moves by logical replication as its owner, whom a forced policy would bind.
    select 2, format('alter table %I no force row level security', relname) from granted where relrowsecurity group by relname
    union all
    select 3, format('drop policy if exists node_%s on %I', command, relname) from conditions
    union all
    select 4, format('create policy node_%1$s on %2$I for %1$s to ${nodeRole} %3$s %4$s', command, relname,
      case when command <> 'insert' then format('using (%s)', seen) end,
      case when command in ('insert', 'update') then format('with check (%s)', written) end)
    from conditions
  ) as statements
  order by place, text`

/** The table whose comment says which rights the node role has. */
const marked = 'tenantry_migrations'

/**
 * Distributes the tables that are not distributed yet, and gives the node role its rights, in one transaction. Does
 * nothing when all is done. Needs the rights of the owner, and of a role that may create roles.
 */
export const distribute = async (
  client: pg.ClientBase,
  log: { info(message: string): void },
): Promise<void> => {
  const tables = (await client.query<Table>(tablesText, [localTables])).rows
  const rights = await rightsOf(client)
  if (tables.length === 0 && rights.mark === rights.known) return
  await requireNodes(client)
  log.info('distributing the tables over the nodes of Citus')
  await client.query('begin')
  try {
    // One connection to each node does all of it.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await distributeTables(client, tables)
    await createNodeRoles(client)
    for (const text of rights.statements) await client.query(text)
    await client.query(`comment on table ${marked} is ${pg.escapeLiteral(rights.mark)}`)
    await client.query('commit')
  } catch (err) {
    await client.query('rollback')
    throw new Error(`the tables cannot be distributed: ${(err as Error).message}`, { cause: err })
  }
}

/** Citus would put all shards on the coordinator, as "localhost", when it knows no node. */
const requireNodes = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query('select from pg_dist_node where shouldhaveshards limit 1')
  if (rows.length === 0) {
    throw new Error(
      'Citus knows no node for the tables of tenants: add workers by citus_add_node (docs/scaling.md)',
    )
  }
}

/** All tables of tenants lie together. */
const distributeText = `
  select create_distributed_table($1, 'tenant_id',
    colocate_with => coalesce((select logicalrelid::text from pg_dist_partition where partmethod = 'h' limit 1), 'default'))`

/** Tables of tenants refer to reference tables and to each other, so the references come last. */
const distributeTables = async (client: pg.ClientBase, tables: Table[]): Promise<void> => {
  const names = tables.map(({ name }) => name)
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(referencesText, [
    names,
  ])
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name, is_bound: isBound } of tables) {
    await client.query(isBound ? distributeText : 'select create_reference_table($1)', [name])
  }
  for (const { table, name, definition } of rows) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
}

/** The operator may have created them, with passwords. */
const createNodeRoles = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ name: string; logs_in: boolean; is_member: boolean }>(
    `select rolname as name, rolcanlogin as logs_in, pg_has_role(rolname, 'MEMBER') as is_member from pg_roles where rolname = any ($1)`,
    [[nodeRole, searchRole]],
  )
  const found = new Map(rows.map((row) => [row.name, row]))
  if (!found.has(nodeRole)) await client.query(`create role ${nodeRole} login nosuperuser nobypassrls`)
  if (!found.get(nodeRole)?.is_member) await client.query(`grant ${nodeRole} to current_user`)
  if (!found.get(searchRole)?.logs_in) await client.query(`alter role ${searchRole} login`)
}

/** The mark is made from the statements: another policy or grant of a migration makes another mark. */
const rightsOf = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ text: string }>(rightsText, [dbRoles])
  const statements = rows.map(({ text }) => text)
  const comment = await client.query<{ known: string | null }>(
    `select obj_description(to_regclass('public.${marked}'), 'pg_class') as known`,
  )
  const mark = createHash('sha256').update(statements.join('\n')).digest('hex')
  return { statements, mark, known: comment.rows[0]?.known }
}

/** The place of the tables, for the operator. */
export interface Placement {
  /** Tables of tenants, and tables that are whole on every node. */
  distributed: number
  reference: number
  /** Tables that should lie on the nodes and lie only on the coordinator. */
  local: string[]
  /** Whether the login can act as the role that connects to the nodes. */
  isMember: boolean
  /** The number of shards of each table of tenants. */
  shards: number
  /** Each node with shards of tenants, their number and their bytes; a node that does not answer has no size. */
  nodes: { name: string; shards: number; size: string | null }[]
}

/** Undefined without the extension. */
export const readPlacement = async (client: pg.ClientBase): Promise<Placement | undefined> => {
  if (!(await isCitus(client))) return undefined
  const local = await client.query<Table>(tablesText, [localTables])
  const tables = await client.query<Pick<Placement, 'distributed' | 'reference' | 'shards' | 'isMember'>>(`
    select count(*) filter (where partmethod = 'h')::int as distributed, count(*) filter (where partmethod = 'n')::int as reference,
      (select count(*) from pg_dist_shard where logicalrelid = to_regclass('public.users'))::int as shards,
      exists (select from pg_roles where rolname = '${nodeRole}' and pg_has_role(oid, 'MEMBER')) as "isMember"
    from pg_dist_partition`)
  const [counts] = tables.rows
  if (!counts) return undefined
  const nodes = counts.isMember ? await readNodes(client) : []
  return { ...counts, local: local.rows.map(({ name }) => name), nodes }
}

/** The coordinator asks the nodes for the sizes, as the role of requests. */
const readNodes = async (client: pg.ClientBase): Promise<Placement['nodes']> => {
  await client.query('begin')
  await client.query(`set local role ${nodeRole}`)
  const { rows } = await client.query<Placement['nodes'][number]>(`
    select nodename || ':' || nodeport as name, count(distinct shardid)::int as shards, pg_size_pretty(sum(shard_size)) as size
    from citus_shards where citus_table_type = 'distributed' group by 1 order by 1`)
  await client.query('commit')
  return rows
}
