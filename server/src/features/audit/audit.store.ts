import sql, { empty, type Sql } from 'sql-template-tag'
import { countUpTo, isoTime, type Slice } from '../../db/columns.ts'
import type { Db } from '../../db/client.ts'
import type { AuditLog } from './audit.schemas.ts'

export type NewAuditLog = Omit<AuditLog, 'id' | 'created_at'>

export const insertAuditLog = (db: Db, log: NewAuditLog, now: Date) =>
  db.run(sql`
    insert into audit_logs
      (tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
    values (${log.tenant_id}, ${log.user_id}, ${log.action}, ${log.resource}, ${log.resource_id},
      ${JSON.stringify(log.detail)}, ${log.ip}, ${log.user_agent}, ${log.trace_id}, ${now})`)

export interface AuditFilter {
  userId?: number | undefined
  action?: string | undefined
  resource?: string | undefined
  /** ISO 8601: from this moment on. */
  from?: string | undefined
  /** ISO 8601: before this moment. */
  to?: string | undefined
}

const matching = (tenantId: string, { userId, action, resource, from, to }: AuditFilter): Sql => sql`
  tenant_id = ${tenantId}
  ${userId === undefined ? empty : sql`and user_id = ${userId}`}
  ${action === undefined ? empty : sql`and action = ${action}`}
  ${resource === undefined ? empty : sql`and resource = ${resource}`}
  ${from === undefined ? empty : sql`and created_at >= ${from}::timestamptz`}
  ${to === undefined ? empty : sql`and created_at < ${to}::timestamptz`}`

const columns = sql`
  id, tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id,
  ${isoTime('created_at')} as created_at`

/** What a filter finds among the sealed records is counted in blocks of about so many, by a trigger (migration 0005). */
export const blockRecords = 4096

/** The blocks of a filter; moments are no part of it. */
const blocksOf = (tenantId: string, { userId, action, resource }: AuditFilter): Sql => sql`
  from audit_counts
  where tenant_id = ${tenantId} and user_id = ${userId ?? -1} and action = ${action ?? ''}
    and resource = ${resource ?? ''}`

/**
 * What a filter finds among the records that wait to be sealed: these are in no block. Each is looked up by its id (the
 * limit is a fence): of the other indexes one could be taken that reads all records of a user for each.
 */
const waitingOf = (tenantId: string, filter: AuditFilter): Sql => sql`
  from (
    select l.* from audit_unsealed u, lateral (
      select * from audit_logs where tenant_id = u.tenant_id and id = u.id limit 1
    ) l
    where u.tenant_id = ${tenantId}
  ) waiting
  where ${matching(tenantId, filter)}`

export interface AuditCount {
  sealed: number
  waiting: number
}

export const countAuditLogs = (db: Db, tenantId: string) =>
  db.one<AuditCount>(sql`
    select (select coalesce(sum(count), 0)::bigint ${blocksOf(tenantId, {})}) as sealed,
      (select count(*) from audit_unsealed where tenant_id = ${tenantId}) as waiting`)

/** Of those that wait, which are many only where the chain is broken, up to one more than `max`. */
export const countFilteredLogs = (db: Db, tenantId: string, filter: AuditFilter, max: number) =>
  db.one<AuditCount>(sql`
    select (select coalesce(sum(count), 0)::bigint ${blocksOf(tenantId, filter)}) as sealed,
      (${countUpTo(max, waitingOf(tenantId, filter))}) as waiting`)

/** Records by ids that `ids` selects, which an index alone answers; in an array, or a join would be planned for any number. */
const withIds = (tenantId: string, ids: Sql): Sql => sql`
  select ${columns} from audit_logs
  where tenant_id = ${tenantId} and id = any (array(${ids}))
  order by id desc`

/** Newest first. */
export const selectAuditLogs = (db: Db, tenantId: string, filter: AuditFilter, slice: Slice) =>
  db.many<AuditLog>(
    withIds(
      tenantId,
      sql`
        select id from audit_logs where ${matching(tenantId, filter)}
        order by id desc limit ${slice.limit} offset ${slice.offset}`,
    ),
  )

/**
 * Newest first, for a page far behind: skips whole blocks, and the records that wait and fall into them, and goes through
 * the rest one by one. No more blocks are looked at than can be full.
 */
export const selectAuditLogsFarBehind = (
  db: Db,
  tenantId: string,
  filter: AuditFilter,
  { limit, offset }: Slice,
) =>
  db.many<AuditLog>(sql`
    with parts as (
      (select first_id as id, count, true as is_block ${blocksOf(tenantId, filter)}
        order by first_id desc limit ${Math.floor(offset / blockRecords) + 1})
      union all
      (select id, 1, false ${waitingOf(tenantId, filter)})
    ), skipped as (
      select id, records from (
        select id, is_block, sum(count) over (order by id desc)::bigint as records from parts
      ) newer
      where is_block and records <= ${offset}
      order by id limit 1
    )
    ${withIds(
      tenantId,
      sql`
        select id from audit_logs
        where ${matching(tenantId, filter)}
          and id < (select coalesce(min(id), 9223372036854775807) from skipped)
        order by id desc
        limit ${limit} offset ${offset} - (select coalesce(min(records), 0) from skipped)`,
    )}`)

export interface IdRange {
  /** Before the first one. */
  afterId: number
  lastId: number
}

/**
 * Ids among which all are that the filter finds between its moments; undefined when there is none. Ids and times run
 * nearly alike, but not quite: the blocks know by how much.
 */
export const selectIdRange = async (db: Db, tenantId: string, filter: AuditFilter) => {
  const { from = '-infinity', to = 'infinity' } = filter
  const range = await db.one<{ first: number | null; last: number }>(sql`
    select min(first) as first, max(last) as last from (
      select first_id as first, last_id as last ${blocksOf(tenantId, filter)}
        and newest_at >= ${from}::timestamptz and oldest_at < ${to}::timestamptz
      union all
      select id, id ${waitingOf(tenantId, filter)}
    ) found`)
  return range && range.first !== null ? { afterId: range.first - 1, lastId: range.last } : undefined
}

/** Records between two moments, and where to look for them. */
interface Between {
  tenantId: string
  filter: AuditFilter
  range: IdRange
}

const between = ({ tenantId, filter, range }: Between): Sql => sql`
  from audit_logs
  where ${matching(tenantId, filter)} and id > ${range.afterId} and id <= ${range.lastId}`

/** Up to one more than `max`. */
export const countAuditLogsBetween = (db: Db, place: Between, max: number) =>
  db.one<{ count: number }>(countUpTo(max, between(place)))

/** Newest first. */
export const selectAuditLogsBetween = (db: Db, place: Between, { limit, offset }: Slice) =>
  db.many<AuditLog>(
    withIds(
      place.tenantId,
      sql`select id ${between(place)} order by id desc limit ${limit} offset ${offset}`,
    ),
  )

/** Oldest first, those of a range: a page that costs the same however deep it is. */
export const selectAuditLogsInRange = (
  db: Db,
  {
    tenantId,
    filter,
    range,
    limit,
  }: { tenantId: string; filter: AuditFilter; range: IdRange; limit: number },
) =>
  db.many<AuditLog>(sql`
    select ${columns}
    from audit_logs
    where ${matching(tenantId, filter)} and id > ${range.afterId} and id <= ${range.lastId}
    order by id
    limit ${limit}`)

/**
 * Records that wait to be sealed, in the order of their ids. Each is looked up by its id: a join may be planned along the
 * whole log.
 */
export const selectUnsealedLogs = (db: Db, tenantId: string, limit: number) =>
  db.many<AuditLog>(sql`
    select ${columns}
    from (
      select tenant_id as waiting_in, id as waiting_id from audit_unsealed
      where tenant_id = ${tenantId} order by id limit ${limit}
    ) waiting, lateral (select * from audit_logs where tenant_id = waiting_in and id = waiting_id limit 1) found
    order by id`)

/** Records by their ids, in any order. */
export const selectLogsByIds = (db: Db, tenantId: string, ids: number[]) =>
  db.many<AuditLog>(
    sql`select ${columns} from audit_logs where tenant_id = ${tenantId} and id = any (${ids})`,
  )
