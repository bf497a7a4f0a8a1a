/**
 * Archives: other PostgreSQL servers that keep old partitions of the audit log (docs/scaling.md). On the primary, a
 * moved partition is a foreign table of `postgres_fdw`. The table `audit_archives` lists them. The oldest partitions
 * move first, and return last.
 */
import pg from 'pg'
import { copyAll, setTextForm, type OnProgress } from './archive-copy.ts'
import {
  awayName,
  connectRoles,
  makeForeign,
  makeTable,
  one,
  requireExtension,
  requireVersion,
  secureTable,
  type ArchiveConnections,
} from './archive-servers.ts'
import { selectLastId, selectPartitions, whenFree, type Partition } from './audit-partitions.ts'
import { asOwner, inRole, type DatabaseConfig } from './open.ts'

const named = pg.escapeIdentifier

interface MovedPartition {
  partition: string
  records: number
}

/**
 * Reads as tenantry_seal: row-level security hides unsealed records from every other role, even from the owner of the
 * tables.
 */
const isWaiting = async (primary: pg.Client, to: number): Promise<boolean> => {
  await primary.query('set role tenantry_seal')
  try {
    return (await one(primary, `select from audit_unsealed where id < ${to} limit 1`)) !== undefined
  } finally {
    await primary.query('reset role')
  }
}

/** True if all records of a partition are sealed, and no later record can enter it. */
const isClosed = async (primary: pg.Client, { to }: Partition): Promise<boolean> =>
  (await selectLastId(primary)) >= to && !(await isWaiting(primary, to))

/** Swaps a partition in a transaction that holds its lock. Retries while others read the log. */
const exchange = (primary: pg.Client, work: () => Promise<void>): Promise<void> =>
  whenFree(
    primary,
    { begin: 'savepoint exchange', undo: 'rollback to savepoint exchange', tries: 200 },
    async () => {
      await primary.query('lock table audit_logs in access exclusive mode')
      await work()
    },
  )

const boundsOf = ({ from, to }: Partition): string => `for values from (${from ?? 'minvalue'}) to (${to})`

/** Moves one closed partition to an archive. Interruption and repetition do no harm. */
const moveOne = async (
  connections: ArchiveConnections,
  partition: Partition,
  onProgress: OnProgress,
): Promise<MovedPartition> => {
  const { primary, remote, archive } = connections
  const { name } = partition
  await makeTable(primary, remote, name)
  await secureTable(connections, name)
  await copyAll(primary, remote, name, onProgress)
  await makeForeign(connections, name)
  await primary.query('begin')
  // Retention and purges wait for this lock, but writers and readers do not.
  await primary.query(`lock table ${named(name)} in share row exclusive mode`)
  if (!(await isClosed(primary, partition))) {
    throw new Error(`${name} got records while it was copied: try again`)
  }
  const records = await copyAll(primary, remote, name, onProgress)
  const ages = await one<{ oldest: Date | null; newest: Date | null }>(
    primary,
    `select min(created_at) as oldest, max(created_at) as newest from ${named(name)}`,
  )
  await exchange(primary, async () => {
    await primary.query(`alter table audit_logs detach partition ${named(name)}`)
    await primary.query(
      `alter table audit_logs attach partition ${named(awayName(name))} ${boundsOf(partition)}`,
    )
    await primary.query('insert into audit_archives values ($1, $2, $3, $4, $5)', [
      partition.to,
      name,
      archive.name,
      ages?.oldest ?? new Date(0),
      ages?.newest ?? new Date(0),
    ])
  })
  await primary.query('commit')
  await finishMove(primary, name)
  return { partition: name, records }
}

/**
 * Drops the local table, which is no longer part of the log. The next move completes a move that was interrupted before
 * this step.
 */
const finishMove = async (primary: pg.Client, name: string): Promise<void> => {
  await primary.query(`drop table if exists ${named(name)}`)
  await primary.query(`analyze ${named(awayName(name))}`)
}

/** A partition that an archive keeps. */
export interface ArchivedPartition {
  to: number
  partition: string
  archive: string
}

const selectArchived = async (primary: pg.Client): Promise<ArchivedPartition[]> => {
  const { rows } = await primary.query<{ to: string; partition: string; archive: string }>(
    'select to_id as "to", partition, archive from audit_archives order by to_id',
  )
  return rows.map((row) => ({ ...row, to: Number(row.to) }))
}

/** The archived partitions, for a login that need not own the schema. */
export const readArchived = (config: DatabaseConfig): Promise<ArchivedPartition[]> =>
  asOwner(config, (client) => inRole(client, 'tenantry_app', () => selectArchived(client)))

/** The tables that the server lacks, among `tables`. */
export const selectMissing = async (client: pg.Client, tables: string[]): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as wanted (name) where to_regclass(format('public.%I', name)) is null`,
    [tables],
  )
  return rows.map(({ name }) => name)
}

/** True if every record of a partition was written before the moment. */
const isBefore = async (primary: pg.Client, { name }: Partition, moment: Date): Promise<boolean> => {
  const newest = await one<{ at: Date | null }>(primary, `select max(created_at) as at from ${named(name)}`)
  return newest?.at !== null && newest?.at !== undefined && newest.at < moment
}

/** Completes interrupted moves. Returns the id below which all records are archived. */
const finishMoves = async (primary: pg.Client): Promise<number> => {
  const archived = await selectArchived(primary)
  const tables = archived.map(({ partition }) => partition)
  const missing = await selectMissing(primary, tables)
  for (const table of tables.filter((name) => !missing.includes(name))) await finishMove(primary, table)
  return archived.at(-1)?.to ?? 0
}

/** Moves the partitions whose records were all written before a moment, the oldest first. Yields each. */
export async function* movePartitions(
  connections: ArchiveConnections,
  before: Date,
  onProgress: OnProgress,
): AsyncGenerator<MovedPartition> {
  const { primary, remote } = connections
  await Promise.all([setTextForm(primary), setTextForm(remote)])
  await requireVersion(connections)
  await requireExtension(connections)
  await connectRoles(connections)
  const floor = await finishMoves(primary)
  for (const partition of (await selectPartitions(primary)).filter(({ to }) => to > floor)) {
    if (!(await isClosed(primary, partition)) || !(await isBefore(primary, partition, before))) return
    yield await moveOne(connections, partition, onProgress)
  }
}

/** Adds a constraint for the partition's bounds, so that PostgreSQL reads no rows to attach it. */
const boundTable = async (primary: pg.Client, { name, from, to }: Partition): Promise<void> => {
  const bounds = named(`${name}_bounds`)
  const least = from === undefined ? '' : `id >= ${from} and `
  await primary.query(`alter table ${named(name)} drop constraint if exists ${bounds}`)
  await primary.query(`alter table ${named(name)} add constraint ${bounds} check (${least}id < ${to})`)
}

/**
 * Returns an archive's newest partition to the database. Returns undefined if another archive has the newest archived
 * partition.
 */
export const bringBack = async (
  connections: ArchiveConnections,
  onProgress: OnProgress,
): Promise<MovedPartition | undefined> => {
  const { primary, remote, archive } = connections
  await Promise.all([setTextForm(primary), setTextForm(remote)])
  const last = (await selectArchived(primary)).at(-1)
  if (!last || last.archive !== archive.name) return undefined
  const { partition: name } = last
  const range = (await selectPartitions(primary)).find(({ to }) => to === last.to)
  if (!range) throw new Error(`${name} is no partition of the log`)
  await makeTable(remote, primary, name)
  await boundTable(primary, { ...range, name })
  await copyAll(remote, primary, name, onProgress)
  // Deletions at the archive wait for this lock or fail. Their callers repeat them.
  await remote.query('begin')
  await remote.query(`lock table ${named(name)} in share mode`)
  const records = await copyAll(remote, primary, name, onProgress)
  await primary.query('begin')
  await exchange(primary, async () => {
    await primary.query(`alter table audit_logs detach partition ${named(awayName(name))}`)
    await primary.query(`alter table audit_logs attach partition ${named(name)} ${boundsOf(range)}`)
    await primary.query('delete from audit_archives where to_id = $1', [last.to])
  })
  await primary.query('commit')
  await remote.query('rollback')
  await primary.query(`alter table ${named(name)} drop constraint ${named(`${name}_bounds`)}`)
  await primary.query(`drop foreign table if exists ${named(awayName(name))}`)
  await remote.query(`drop table if exists ${named(name)}`)
  return { partition: name, records }
}
