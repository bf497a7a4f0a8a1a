/**
 * Partitions of the audit log by ranges of its ids, which increase with time (docs/scaling.md). PostgreSQL forbids
 * foreign partitions below a unique key. Each partition therefore has a primary key of its own, and the whole table
 * has none.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { dbRoles } from './client.ts'
import { sqlState } from './errors.ts'

const named = pg.escapeIdentifier
type Client = Pick<pg.ClientBase, 'query'>

/** The most ids that requests use while `partitionAuditLog` runs. The first partition ends above them. */
const drawnMeanwhileMax = 10_000_000
/**
 * The longest wait for an exclusive lock on the log, because requests queue behind it. After a pause it tries again.
 */
const lockMs = 100
const pauseMs = 200

export interface Partition {
  name: string
  /** The first id. Undefined for the oldest partition. */
  from: number | undefined
  /** The first id above the partition. */
  to: number
}

/** The statements that begin and undo an attempt, and the number of attempts. */
interface Attempt {
  begin: string
  undo: string
  tries: number
}

/** Runs statements that need an exclusive lock on the audit log. Retries while others hold a lock on it. */
export const whenFree = async <T>(
  client: Client,
  { begin, undo, tries }: Attempt,
  work: () => Promise<T>,
): Promise<T> => {
  for (let left = tries - 1; ; left -= 1) {
    await client.query(begin)
    try {
      await client.query(`set local lock_timeout = ${lockMs}`)
      return await work()
    } catch (err) {
      await client.query(undo)
      // 55P03: the lock was not free.
      if (sqlState(err) !== '55P03' || left === 0) throw err
      await sleep(pauseMs)
    }
  }
}

/** Retries in transactions of their own. */
const inMoment = async (client: Client, work: () => Promise<void>): Promise<void> => {
  await whenFree(client, { begin: 'begin', undo: 'rollback', tries: 100 }, async () => {
    await client.query(`select pg_advisory_xact_lock(hashtext('tenantry audit partitions'))`)
    await work()
  })
  await client.query('commit')
}

const boundsText = `
  select c.relname as name,
    substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \\('?(\\d+)$$)::bigint as "from",
    substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('?(\\d+)$$)::bigint as "to"
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'public.audit_logs'::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  order by "to"`

/** The partitions in order. Omits `audit_logs_rest`, which takes all other ids. */
export const selectPartitions = async (client: Client): Promise<Partition[]> => {
  const { rows } = await client.query<{ name: string; from: string | null; to: string }>(boundsText)
  return rows.map(({ name, from, to }) => ({
    name,
    from: from === null ? undefined : Number(from),
    to: Number(to),
  }))
}

/** The highest id in use. */
export const selectLastId = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ last: string | null }>(
    `select pg_sequence_last_value(pg_get_serial_sequence('public.audit_logs', 'id')::regclass) as last`,
  )
  return Number(rows[0]?.last ?? 0)
}

const create = async (client: Client, name: string, bounds: string): Promise<void> => {
  await client.query(`create table ${named(name)} partition of audit_logs ${bounds}`)
  await client.query(`alter table ${named(name)} add primary key (tenant_id, id)`)
}

const nameOf = (from: number): string => `audit_logs_from_${from}`

const addRange = (client: Client, from: number, to: number): Promise<void> =>
  create(client, nameOf(from), `for values from (${from}) to (${to})`)

/** The end and the width of the last partition. Undefined if the partition before it has no id yet. */
const findLastInUse = async (client: Client): Promise<{ end: number; width: number } | undefined> => {
  const [last, before] = (await selectPartitions(client)).toReversed()
  if (!last || !before || (await selectLastId(client)) < before.to) return undefined
  return { end: last.to, width: last.to - before.to }
}

/** True if `addPartitions` has work. Any role that uses the sequence may ask. */
export const needsPartition = async (client: Client): Promise<boolean> =>
  (await findLastInUse(client)) !== undefined

/** Adds partitions until the newest one has no id yet. Each is as wide as the one before. Returns their number. */
export const addPartitions = async (client: Client): Promise<number> => {
  for (let made = 0; ; made += 1) {
    const last = await findLastInUse(client)
    if (!last) return made
    // Imported ids can be far higher. Those are in `audit_logs_rest`, and the next range begins above them.
    const { rows } = await client.query<{ highest: string | null }>(
      'select max(id) as highest from audit_logs_rest',
    )
    const from = Math.max(last.end, Number(rows[0]?.highest ?? 0) + 1)
    await inMoment(client, () => addRange(client, from, from + last.width))
  }
}

interface Index {
  name: string
  text: string
}

/**
 * Moves the indexes, row-level security and grants to the partitioned table. No role reaches a partition directly.
 */
const moveRights = async (client: Client, old: string): Promise<void> => {
  const indexes = await client.query<Index>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as text
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = '${old}'::regclass and not i.indisprimary`,
  )
  for (const { name, text } of indexes.rows) {
    await client.query(`alter index ${named(name)} rename to ${named(name.replace('audit_logs', old))}`)
    await client.query(text.replace(` public.${old} `, ' public.audit_logs '))
  }
  await client.query('alter table audit_logs enable row level security')
  await client.query('alter table audit_logs force row level security')
  const policies = await client.query<{ text: string }>(
    `select format('create policy %I on audit_logs for %s to %s', policyname, cmd, array_to_string(roles, ', '))
       || coalesce(' using (' || replace(qual, '${old}', 'audit_logs') || ')', '')
       || coalesce(' with check (' || with_check || ')', '') as text
     from pg_policies where schemaname = 'public' and tablename = '${old}'`,
  )
  const grants = await client.query<{ give: string; take: string }>(
    `select format('grant %s on audit_logs to %I', privilege_type, grantee) as give,
       format('revoke %s on ${old} from %I', privilege_type, grantee) as take
     from information_schema.role_table_grants
     where table_schema = 'public' and table_name = '${old}' and grantee = any ($1)`,
    [dbRoles],
  )
  for (const { text } of policies.rows) await client.query(text)
  await client.query(`alter table ${old} no force row level security`)
  await client.query(`alter table ${old} disable row level security`)
  for (const { give, take } of grants.rows) {
    await client.query(give)
    await client.query(take)
  }
}

/**
 * Before version 17, PostgreSQL has no identity columns in partitions. So requests use a sequence, and imports raise
 * it.
 */
const moveSequence = async (client: Client, start: number): Promise<void> => {
  await client.query(`create sequence audit_logs_ids as bigint owned by audit_logs.id start ${start}`)
  await client.query(`alter table audit_logs alter id set default nextval('audit_logs_ids')`)
  await client.query('grant usage on sequence audit_logs_ids to tenantry_app')
  await client.query('grant usage, update on sequence audit_logs_ids to tenantry_import')
}

/** The number of partitions made in advance. Some dozen partitions do not slow PostgreSQL's planning. */
const madeAtOnce = 2

/**
 * Turns the audit log into a partitioned table, as the owner of the schema. The existing table becomes the first
 * partition without a copy. First reads all its rows to check the partition's bound, while requests continue.
 */
export const partitionAuditLog = async (client: Client, width: number): Promise<void> => {
  const firstEnd = (await selectLastId(client)) + drawnMeanwhileMax
  await inMoment(client, async () => {
    await client.query('alter table audit_logs drop constraint if exists audit_logs_bounds')
    await client.query(
      `alter table audit_logs add constraint audit_logs_bounds check (id < ${firstEnd}) not valid`,
    )
  })
  await client.query('alter table audit_logs validate constraint audit_logs_bounds')
  const old = 'audit_logs_first'
  await inMoment(client, async () => {
    await client.query('lock table audit_logs in access exclusive mode')
    await client.query(`alter table audit_logs rename to ${old}`)
    await client.query(`alter index audit_logs_pkey rename to ${old}_pkey`)
    await client.query(`alter table ${old} alter id drop identity`)
    await client.query(`create table audit_logs (like ${old} including defaults) partition by range (id)`)
    await moveSequence(client, firstEnd)
    await moveRights(client, old)
    await client.query(
      `alter table audit_logs attach partition ${old} for values from (minvalue) to (${firstEnd})`,
    )
    await client.query(`alter table ${old} drop constraint audit_logs_bounds`)
    for (let n = 0; n < madeAtOnce; n += 1) {
      await addRange(client, firstEnd + n * width, firstEnd + (n + 1) * width)
    }
    // An import can raise the ids far. This partition takes such ids, so that no request fails.
    await create(client, 'audit_logs_rest', 'default')
  })
  await client.query('analyze audit_logs')
}
