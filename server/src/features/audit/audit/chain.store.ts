import sql, { type Sql } from 'sql-template-tag'
import { amongIds, isoTime } from '../../../db/columns.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'

/**
 * The first `limit` tenants with waiting records, after the tenant `after`, and the lowest record id that is not
 * archived. Reads one row of each tenant, however many records wait.
 */
export const selectWaitingTenants = (db: Db, after: string, limit: number) =>
  db.many<{ tenant_id: string; floor: number }>(
    sql`
    with recursive waiting as (
      (select tenant_id from audit_unsealed where tenant_id > ${after} order by tenant_id limit 1)
      union all
      select (select u.tenant_id from audit_unsealed u where u.tenant_id > w.tenant_id order by u.tenant_id limit 1)
      from waiting w
      where w.tenant_id is not null
    )
    select tenant_id, (select coalesce(max(to_id), 0) from audit_archives) as floor
    from waiting where tenant_id is not null limit ${limit}`,
  )

const chainKey = (tenantId: Sql): Sql => sql`hashtext('tenantry seal'), hashtext(${tenantId})`

const isFree = sql`pg_try_advisory_xact_lock(${chainKey(sql`tenant_id::text`)})`

/**
 * Locks the chain of one tenant until the transaction ends: the first with waiting records that no other process seals.
 * Ordering by id makes PostgreSQL use the index: its statistics are stale under a backlog of millions.
 */
export const lockOneTenant = (db: Db, ids: string[]) =>
  db.one<{ tenant_id: string }>(
    sql`
    with waiting as materialized (
      select tenant_id from unnest(${ids}::uuid[]) as named (tenant_id),
        lateral (select from audit_unsealed u where u.tenant_id = named.tenant_id order by u.id limit 1) first
      order by tenant_id
    )
    select tenant_id from waiting where ${isFree} limit 1`,
  )

/**
 * The waiting record with the lowest id, over all tenants; ids follow the order of writing. Reads one row of each
 * tenant, however many records wait.
 */
export const selectOldestUnsealed = (db: Db) =>
  db.one<{ tenant_id: string; id: number }>(
    sql`
    with recursive waiting as (
      (select tenant_id, id from audit_unsealed order by tenant_id, id limit 1)
      union all
      select further.tenant_id, further.id
      from waiting w, lateral (
        select u.tenant_id, u.id from audit_unsealed u where u.tenant_id > w.tenant_id order by u.tenant_id, u.id limit 1
      ) further
    )
    select tenant_id, id from waiting order by id limit 1`,
  )

/** Waits for the lock of a tenant's chain, and holds it until the transaction ends. */
export const lockChain = (db: TransactionDb, tenantId: string): void =>
  db.send(sql`select pg_advisory_xact_lock(${chainKey(sql`${tenantId}`)})`)

export interface SealRow {
  sequence: number
  record_ids: number[]
  digests: Buffer
  statement: string
}

export interface NewSeal extends SealRow {
  hash: Buffer
  /** The time of the newest of the records. */
  newestAt: string | undefined
}

/**
 * Adds a seal and the new head, and removes the records from the queue. A sealer holds a shared lock from the seal's
 * number to the commit. `lockNumbers` waits for that lock.
 */
export const insertSeal = (db: TransactionDb, tenantId: string, seal: NewSeal, head: string): void => {
  db.send(sql`select pg_advisory_xact_lock_shared(hashtext('tenantry seal numbers'))`)
  db.send(sql`
    with sealed as (
      insert into audit_seals (tenant_id, sequence, record_ids, digests, hash, newest_at, statement)
      values (${tenantId}, ${seal.sequence}, ${seal.record_ids}, ${seal.digests}, ${seal.hash}, ${seal.newestAt},
        ${seal.statement})
    ), extended as (${upsertedHead(tenantId, head)})
    delete from audit_unsealed where tenant_id = ${tenantId} and id = any (${seal.record_ids})`)
}

const upsertedHead = (tenantId: string, statement: string): Sql => sql`
  insert into audit_heads (tenant_id, statement) values (${tenantId}, ${statement})
  on conflict (tenant_id) do update set statement = excluded.statement`

export const upsertHead = (db: TransactionDb, tenantId: string, statement: string): void =>
  db.send(upsertedHead(tenantId, statement))

/** Both ends of a chain, read at one moment. */
export interface ChainEnds {
  head: string | null
  /** The sequence of the last stored seal. */
  last: number | null
  hash: Buffer | null
}

export const selectChainEnds = (db: Db, tenantId: string) =>
  db.one<ChainEnds>(sql`
    select h.statement as head, s.sequence as last, s.hash
    from (values (${tenantId}::uuid)) as t(tenant_id)
    left join audit_heads h on h.tenant_id = t.tenant_id
    left join lateral (
      select sequence, hash from audit_seals where tenant_id = t.tenant_id order by sequence desc limit 1
    ) s on true`)

/** Ids of records after `afterId` and up to `upToId`, in order. */
export const selectLogIds = (
  db: Db,
  tenantId: string,
  { afterId, upToId, limit }: { afterId: number; upToId: number; limit: number },
) =>
  db.many<{ id: number }>(sql`
    select id from audit_logs
    where tenant_id = ${tenantId} and id > ${afterId} and id <= ${upToId}
    order by id
    limit ${limit}`)

/** The ids that wait to be sealed, among `ids`. */
export const selectUnsealedIds = (db: Db, tenantId: string, ids: number[]) =>
  db.many<{ id: number }>(
    sql`select id from audit_unsealed where tenant_id = ${tenantId} and id = any (${ids})`,
  )

/** The ids that a seal after `sequence` lists, among `ids`. */
export const selectSealedIdsAfter = (db: Db, tenantId: string, sequence: number, ids: number[]) =>
  db.many<{ id: number }>(sql`
    select id from (
      select unnest(record_ids) as id from audit_seals where tenant_id = ${tenantId} and sequence > ${sequence}
    ) sealed
    where id = any (${ids})`)

/** The ids of expired records that an archive still has, among `ids`. */
export const selectLeftoverIds = (db: Db, tenantId: string, ids: number[]) =>
  db.many<{ id: number }>(
    sql`select id from audit_leftovers where tenant_id = ${tenantId} and id = any (${ids})`,
  )

/**
 * Counts waiting records, and finds the first waiting id without a record. All waiting records are at or above the
 * floor.
 */
export const selectWaiting = (db: Db, tenantId: string, floor: number) =>
  db.one<{ count: number; missing: number | null }>(sql`
    select count(*) as count, min(u.id) filter (where l.id is null) as missing
    from audit_unsealed u left join audit_logs l on l.tenant_id = u.tenant_id and l.id = u.id and l.id >= ${floor}
    where u.tenant_id = ${tenantId}`)

/** Whether the log is partitioned (db/audit-partitions.ts). */
export const selectIsPartitioned = async (db: Db): Promise<boolean> =>
  (await db.one(sql`select from pg_class where oid = 'audit_logs'::regclass and relkind = 'p'`)) !== undefined

export const selectTombstone = (db: Db, tenantId: string) =>
  db.one<{ statement: string }>(sql`select statement from audit_tombstones where id = ${tenantId}`)

export const insertTombstone = (db: Db, tenantId: string, statement: string, now: Date) =>
  db.run(sql`
    insert into audit_tombstones (id, statement, erased_at) values (${tenantId}, ${statement}, ${now})`)

export const selectRemoved = (db: Db, tenantId: string) =>
  db.one<{ removed_at: string }>(sql`
    select ${isoTime('deleted_at')} as removed_at from tenants where id = ${tenantId} and deleted_at is not null`)

export const selectTenants = (db: Db) =>
  db.many<{ id: string; slug: string }>(
    sql`select id, slug from tenants where deleted_at is null order by slug`,
  )

/** Whether a tenant setting is a valid retention. */
const isRetention = sql`
  key = 'audit.retention_days'
  and case when jsonb_typeof(value) = 'number' then value::numeric between 30 and 36500 else false end`

/** Tenants whose records expire. Runs in a transaction of `tenantry_purge`. */
export const selectExpiringTenants = (db: Db) =>
  db.many<{ id: string }>(sql`
    select t.id from tenant_settings s join tenants t on t.id = s.tenant_id
    where t.deleted_at is null and ${isRetention}`)

/**
 * Sets the tenant's expired records as the scope of `tenantry_purge`, by the tenant's setting and the database's clock.
 * Returns the day before which the records were written. Returns undefined, and sets no scope, when the tenant keeps
 * records for ever.
 */
export const enterExpired = (db: Db, tenantId: string) =>
  db.one<{ before: Date }>(sql`
    select set_config('app.expired_before',
      date_trunc('day', now() - make_interval(days => value::int), 'UTC')::text, true)::timestamptz as before
    from tenant_settings
    where tenant_id = ${tenantId} and ${isRetention}`)

/** The first seals in order, each with its number of records, and whether all these records have expired. */
export const selectFirstSeals = (
  db: Db,
  tenantId: string,
  before: Date,
  { first, last, limit }: { first: number; last: number; limit: number },
) =>
  db.many<{ records: number; expired: boolean }>(sql`
    select cardinality(record_ids) as records, newest_at < ${before} as expired
    from audit_seals
    where tenant_id = ${tenantId} and sequence between ${first} and ${last}
    order by sequence
    limit ${limit}`)

/** Returns the number of deleted rows. Runs in a transaction of `tenantry_purge`. */
export const deleteLogRows = (db: Db, tenantId: string, ids: number[]) =>
  db.run(sql`delete from audit_logs where tenant_id = ${tenantId} and ${amongIds(sql`id`, ids)}`)

/** Notes the records that `deleteLeftovers` must delete. Runs in a transaction of `tenantry_purge`. */
export const insertLeftovers = (db: Db, tenantId: string, ids: number[]) =>
  db.run(sql`
    insert into audit_leftovers (tenant_id, id) select ${tenantId}::uuid, unnest(${ids}::bigint[])
    on conflict do nothing`)

/** Some expired records that an archive still has. Runs in a transaction of `tenantry_purge`. */
export const selectLeftovers = (db: Db, limit: number) =>
  db.many<{ tenant_id: string; ids: number[] }>(sql`
    select tenant_id, to_json(array_agg(id)) as ids from (
      select tenant_id, id from audit_leftovers order by tenant_id, id limit ${limit}
    ) waiting group by tenant_id`)

/** Sets the leftovers of a tenant, which retention has noted, as the scope of `tenantry_purge`. */
export const enterLeftovers = (db: Db, tenantId: string) =>
  db.run(sql`
    select set_config('app.tenant_id', ${tenantId}, true), set_config('app.expired_before', now()::text, true)
    from audit_leftovers where tenant_id = ${tenantId} limit 1`)

export const deleteLeftoverRows = (db: Db, tenantId: string, ids: number[]) =>
  db.run(sql`delete from audit_leftovers where tenant_id = ${tenantId} and id = any (${ids})`)

/** Returns the number of deleted rows. Runs in a transaction of `tenantry_purge`. */
export const deleteSealRows = (db: Db, tenantId: string, { first, last }: { first: number; last: number }) =>
  db.run(sql`
    delete from audit_seals where tenant_id = ${tenantId} and sequence between ${first} and ${last}`)
