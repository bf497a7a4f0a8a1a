import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { amongIds, takesLong } from '../../../db/columns.ts'
import { settingsOf } from '../../../db/scope.ts'
import type { AuditPosition } from './audit.schemas.ts'
import type { SealRow } from './chain.store.ts'

/** Seals of one read; each has up to 1000 ids and digests, 40 kB. */
const sealsMax = 50

/**
 * Selects the seals of a tenant. Without a tenant, selects those of all tenants, in a transaction of `tenantry_search`.
 */
const sealsOf = (tenantId: string | undefined): Sql =>
  sql`from audit_seals where ${tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`}`

const before = (end: number | undefined): Sql => (end === undefined ? empty : sql`and number < ${end}`)

/**
 * Waits until every numbered seal is committed, and keeps sealers waiting until the transaction ends. Later numbers are
 * therefore higher than all committed numbers. Fails after half a second, so that a frozen sealer does not block other
 * callers.
 */
export const lockNumbers = (db: TransactionDb): void => {
  db.send(settingsOf({ lock_timeout: '500ms' }))
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry seal numbers'))`)
}

export const selectHighestNumber = (db: Db, tenantId: string | undefined) =>
  db.one<{ number: number | null }>(sql`select max(number) as number ${sealsOf(tenantId)}`)

export const selectFirstSeal = (db: Db, tenantId: string | undefined) =>
  db.one<{ number: number; sequence: number }>(
    sql`select number, sequence ${sealsOf(tenantId)} order by number limit 1`,
  )

export interface StoredSeal extends SealRow {
  number: number
  /** The sequence of the tenant's preceding seal; null if it has none left. */
  before: number | null
  /** An import added the tenant's records up to this id. */
  imported_to: number
}

/**
 * The next seals of a tenant, from a number on. Together they have up to `limit` records, but at least one seal is
 * read.
 */
export const selectSeals = (
  db: Db,
  tenantId: string,
  first: number,
  { end, limit }: { end: number | undefined; limit: number },
) =>
  db.many<StoredSeal>(sql`
    select number, sequence, to_json(record_ids) as record_ids, digests, statement,
      coalesce(before, (
        select sequence ${sealsOf(tenantId)} and number < ${first} order by number desc limit 1)) as before,
      (select imported_to from tenants where id = ${tenantId}) as imported_to
    from (
      select *, lag(sequence) over numbered as before, row_number() over numbered as turn,
        sum(cardinality(record_ids)) over numbered as records
      from (
        select number, sequence, record_ids, digests, statement
        ${sealsOf(tenantId)} and number >= ${first} ${before(end)} order by number limit ${sealsMax}
      ) neighbours
      window numbered as (order by number)
    ) counted
    where turn = 1 or records <= ${limit}
    order by number`)

/** The seal numbers of all living tenants from `first` up to `end`. Returns as many as one read takes. */
export const selectNumbers = (db: Db, first: number, end: number) =>
  db.many<{ tenant_id: string; number: number }>(sql`
    select s.tenant_id, s.number from audit_seals s
    join tenants t on t.id = s.tenant_id and t.deleted_at is null
    where s.number >= ${first} and s.number < ${end}
    order by s.number
    limit ${sealsMax}`)

export const selectLiving = (db: Db, tenantId: string) =>
  db.one<{ id: string }>(sql`select id from tenants where id = ${tenantId} and deleted_at is null`)

export interface SealRange {
  first: number
  /** The range ends before this seal number. */
  end?: number | undefined
}

/** Counts the records of a range of at most `max` seals. */
export const countRecords = (db: Db, tenantId: string | undefined, { first, end }: SealRange, max: number) =>
  db.one<{ first: number | null; count: number }>(sql`
    select min(number) as first, coalesce(sum(records), 0)::bigint as count from (
      select number, cardinality(record_ids) as records
      ${sealsOf(tenantId)} and number >= ${first} ${end === undefined ? empty : sql`and number < ${end}`}
      order by number limit ${max}
    ) waiting`)

/** The ids of the next `max` records of a tenant between two positions. */
export const selectIdsFrom = (
  db: Db,
  tenantId: string,
  { from, to }: { from: AuditPosition; to: AuditPosition | undefined },
  max: number,
) =>
  db.many<{ id: number }>(sql`
      select sealed.id
      from (
        select number, record_ids ${sealsOf(tenantId)} and number >= ${from.seal}
          ${to === undefined ? empty : sql`and number <= ${to.seal}`}
        order by number limit ${max}
      ) s, unnest(s.record_ids) with ordinality as sealed (id, place)
      where (s.number, sealed.place) > (${from.seal}::bigint, ${from.index}::bigint)
        ${to === undefined ? empty : sql`and (s.number, sealed.place) <= (${to.seal}::bigint, ${to.index}::bigint)`}
      limit ${max}`)

/** Counts the records among `ids` that have one of these actions. */
export const countActions = (db: Db, tenantId: string, ids: number[], actions: string[]) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from audit_logs
    where tenant_id = ${tenantId} and ${amongIds(sql`id`, ids)} and action = any (${actions})`)

/** The first seal with a record at or after `moment`. */
export const selectSealAt = (db: Db, tenantId: string | undefined, moment: Date) =>
  db.one<{ tenant_id: string; number: number }>(
    takesLong(sql`
      select tenant_id, number ${sealsOf(tenantId)} and newest_at >= ${moment} order by number limit 1`),
  )

export const selectIdsOfSeal = (db: Db, tenantId: string, number: number) =>
  db.one<{ ids: number[] }>(sql`
    select to_json(record_ids) as ids from audit_seals where tenant_id = ${tenantId} and number = ${number}`)

/** The index of the first record at or after `moment`. */
export const selectIndexAt = (db: Db, tenantId: string, ids: number[], moment: Date) =>
  db.one<{ index: number | null }>(sql`
    select min(array_position(${ids}::bigint[], id)) - 1 as index from audit_logs
    where tenant_id = ${tenantId} and ${amongIds(sql`id`, ids)} and created_at >= ${moment}`)

/** The seal of a record. No seal is older than its records, so the search begins at the record's time. */
export const selectSealOf = (db: Db, tenantId: string, id: number) =>
  db.one<{ seal: number; index: number }>(
    takesLong(sql`
      select number as seal, array_position(record_ids, ${id}::bigint) - 1 as index
      ${sealsOf(tenantId)} and record_ids @> array[${id}::bigint]
        and newest_at >= (select created_at from audit_logs where tenant_id = ${tenantId} and id = ${id})
      order by number
      limit 1`),
  )
