/** Prepares an archive in PostgreSQL: the foreign server, the roles, and the tables on both servers. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Archive } from '../config/config-values.ts'
import { Refusal } from '../errors/refusal.ts'
import { sqlState } from './errors.ts'

const named = pg.escapeIdentifier
const text = pg.escapeLiteral

/** Prefix of a foreign server's name. PostgreSQL's messages begin with that name when the archive is unreachable. */
const serverPrefix = 'tenantry_archive_'

/** The owner's connections to the primary and to the archive. */
export interface ArchiveConnections {
  primary: pg.Client
  remote: pg.Client
  archive: Archive
}

/**
 * Privileges of the service's roles in an archive. A deletion locks its rows first, which needs the privilege to
 * update. No policy permits an update.
 */
const rights = {
  tenantry_app: 'select',
  tenantry_purge: 'select, delete, update',
  tenantry_seal: 'select',
} as const

const roleThere = (role: string, database: string): string => `${role}_of_${database}`

export const one = async <T extends pg.QueryResultRow>(
  client: pg.Client,
  statement: string,
): Promise<T | undefined> => (await client.query<T>(statement)).rows[0]

const versionOf = async (client: pg.Client): Promise<number> =>
  Number((await one<{ server_version_num: string }>(client, 'show server_version_num'))?.server_version_num)

export const requireVersion = async ({ primary, remote, archive }: ArchiveConnections): Promise<void> => {
  const [own, other] = [await versionOf(primary), await versionOf(remote)]
  if (Math.floor(other / 10_000) >= Math.floor(own / 10_000)) return
  throw new Refusal([
    `the archive ${archive.name} is an older PostgreSQL than the database: upgrade it first`,
  ])
}

export const requireExtension = async ({ primary }: ArchiveConnections): Promise<void> => {
  try {
    await primary.query('create extension if not exists postgres_fdw')
  } catch (err) {
    if (sqlState(err) !== '42501') throw err
    const { user } = primary
    throw new Refusal([
      'the database needs postgres_fdw: run as superuser there: create extension postgres_fdw; ' +
        `grant usage on foreign data wrapper postgres_fdw to ${named(user ?? '')}`,
    ])
  }
}

const databaseOf = ({ url }: Archive): string => new URL(url).pathname.slice(1)

const makeServer = async ({ primary, archive }: ArchiveConnections): Promise<void> => {
  const { hostname, port, searchParams } = new URL(archive.url)
  const tls = searchParams.get('sslmode')
  await primary.query(
    `create server if not exists ${named(serverPrefix + archive.name)} foreign data wrapper postgres_fdw options (
       host ${text(hostname.replace(/^\[(.*)\]$/, '$1'))}, port ${text(port || '5432')}, dbname ${text(databaseOf(archive))},
       connect_timeout '2', keepalives_idle '5', keepalives_interval '2', keepalives_count '2', tcp_user_timeout '4000',
       fetch_size '1000', application_name 'tenantry'${tls === null ? '' : `, sslmode ${text(tls)}`})`,
  )
}

/** The roles that read an archive: the service's roles, and the owner, for statistics. */
const rightsWith = ({ primary }: ArchiveConnections): [role: string, right: string][] => [
  ...Object.entries(rights),
  [primary.user ?? '', 'select'],
]

/** Creates a role in the archive with a new password, which only the primary database stores. */
const connectRole = async ({ primary, remote, archive }: ArchiveConnections, role: string): Promise<void> => {
  const server = serverPrefix + archive.name
  const mapping = `select from pg_user_mappings where srvname = ${text(server)} and usename = ${text(role)}`
  if (await one(primary, mapping)) return
  const other = roleThere(role, databaseOf(archive))
  const password = text(randomBytes(24).toString('hex'))
  const isKnown = await one(remote, `select from pg_roles where rolname = ${text(other)}`)
  await remote.query(`${isKnown ? 'alter' : 'create'} role ${named(other)} login password ${password}`)
  await remote.query(`grant usage on schema public to ${named(other)}`)
  // If the archive asks for no password, only a superuser can declare that none is needed.
  const isSuperuser = await one(primary, 'select from pg_roles where rolname = current_user and rolsuper')
  const lax = isSuperuser ? `, password_required 'false'` : ''
  await primary.query(
    `create user mapping for ${named(role)} server ${named(server)} options (user ${text(other)}, password ${password}${lax})`,
  )
}

export const connectRoles = async (connections: ArchiveConnections): Promise<void> => {
  await makeServer(connections)
  for (const [role] of rightsWith(connections)) await connectRole(connections, role)
}

/** The declarations of a table's columns. */
const columnsOf = async (client: pg.Client, table: string): Promise<string> =>
  (
    await one<{ columns: string }>(
      client,
      `select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
         || case when a.attcollation <> t.typcollation and a.attcollation <> 0
              then format(' collate %I', (select collname from pg_collation where oid = a.attcollation)) else '' end
         || case when a.attnotnull then ' not null' else '' end, ', ' order by a.attnum) as columns
       from pg_attribute a join pg_type t on t.oid = a.atttypid
       where a.attrelid = ${text(`public.${table}`)}::regclass and a.attnum > 0 and not a.attisdropped`,
    )
  )?.columns ?? ''

/**
 * Creates a partition's table with the columns and indexes of the table on the source. No role of the service writes to
 * it.
 */
export const makeTable = async (source: pg.Client, target: pg.Client, table: string): Promise<void> => {
  await target.query(`create table if not exists ${named(table)} (${await columnsOf(source, table)})`)
  const { rows } = await source.query<{ definition: string; isPrimary: boolean }>(
    `select case when i.indisprimary then pg_get_constraintdef(k.oid) else pg_get_indexdef(i.indexrelid) end as definition,
       i.indisprimary as "isPrimary"
     from pg_index i left join pg_constraint k on k.conindid = i.indexrelid and k.contype = 'p'
     where i.indrelid = ${text(`public.${table}`)}::regclass`,
  )
  const hasKey = await one(
    target,
    `select from pg_index where indrelid = ${text(`public.${table}`)}::regclass and indisprimary`,
  )
  for (const { definition, isPrimary } of rows) {
    if (!isPrimary) {
      await target.query(definition.replace(/^create index (?=\S)/i, 'create index if not exists '))
    } else if (!hasKey) {
      await target.query(`alter table ${named(table)} add ${definition}`)
    }
  }
}

/** In an archive row-level security binds the service's roles as well. None of them can change a record. */
export const secureTable = async (connections: ArchiveConnections, table: string): Promise<void> => {
  const { remote, archive } = connections
  await remote.query(`alter table ${named(table)} enable row level security`)
  for (const [role, right] of rightsWith(connections)) {
    const other = named(roleThere(role, databaseOf(archive)))
    await remote.query(`grant ${right} on ${named(table)} to ${other}`)
    for (const command of right.split(', ')) {
      const policy = named(`${role}_${command}`)
      await remote.query(`drop policy if exists ${policy} on ${named(table)}`)
      const bound = command === 'update' ? 'using (true) with check (false)' : 'using (true)'
      await remote.query(`create policy ${policy} on ${named(table)} for ${command} to ${other} ${bound}`)
    }
  }
}

export const awayName = (table: string): string => `${table}_away`

export const makeForeign = async ({ primary, archive }: ArchiveConnections, table: string): Promise<void> => {
  await primary.query(`drop foreign table if exists ${named(awayName(table))}`)
  await primary.query(
    `create foreign table ${named(awayName(table))} (${await columnsOf(primary, table)})
     server ${named(serverPrefix + archive.name)} options (table_name ${text(table)})`,
  )
}
