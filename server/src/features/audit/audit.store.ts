import sql, { empty, type Sql } from 'sql-template-tag'
import { countUpTo, isoTime, mayTakeLong, type Slice } from '../../db/columns.ts'
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

export const selectAuditLog = (db: Db, tenantId: string, id: number) =>
  db.one<AuditLog>(sql`select ${columns} from audit_logs where tenant_id = ${tenantId} and id = ${id}`)

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
    select u.*, user_id, action, resource, created_at from audit_unsealed u, lateral (
      select * from audit_logs where tenant_id = u.tenant_id and id = u.id limit 1
    ) l
    where u.tenant_id = ${tenantId}
  ) waiting
  where ${matching(tenantId, filter)}`

/**
 * The blocks of a filter that can have records between its moments, and how many they have. Ids and times run nearly
 * alike, but not quite; the blocks know by how much. The few at the edges are looked through.
 */
const blocksBetween = (tenantId: string, filter: AuditFilter): Sql => {
  const { from = '-infinity', to = 'infinity' } = filter
  return sql`
    select first_id, last_id, case
        when oldest_at >= ${from}::timestamptz and newest_at < ${to}::timestamptz then count
        else (select count(*) from audit_logs where ${matching(tenantId, filter)} and id between first_id and last_id)
          - (select count(*) ${waitingOf(tenantId, filter)} and id between first_id and last_id)
      end as count
    ${blocksOf(tenantId, filter)} and newest_at >= ${from}::timestamptz and oldest_at < ${to}::timestamptz`
}

const hasMoments = ({ from, to }: AuditFilter): boolean => from !== undefined || to !== undefined

/** How many a filter finds among the sealed records. Without moments its last block knows how many are before it. */
const sealedOf = (tenantId: string, filter: AuditFilter): Sql =>
  hasMoments(filter)
    ? sql`select sum(count)::bigint from (${blocksBetween(tenantId, filter)}) blocks`
    : sql`select earlier + count ${blocksOf(tenantId, filter)} order by first_id desc limit 1`

export interface AuditCount {
  sealed: number
  waiting: number
}

export const countAuditLogs = (db: Db, tenantId: string) =>
  db.one<AuditCount>(sql`
    select coalesce((${sealedOf(tenantId, {})}), 0) as sealed,
      (select count(*) from audit_unsealed where tenant_id = ${tenantId}) as waiting`)

/** Of those that wait, which are many only where the chain is broken, up to one more than `max`. */
export const countFilteredLogs = (db: Db, tenantId: string, filter: AuditFilter, max: number) =>
  db.one<AuditCount>(sql`
    ${hasMoments(filter) ? mayTakeLong : empty}
    select coalesce((${sealedOf(tenantId, filter)}), 0) as sealed,
      (${countUpTo(max, waitingOf(tenantId, filter))}) as waiting`)

export interface IdRange {
  /** Before the first one. */
  afterId: number
  lastId: number
}

/** Ids among which all are that the filter finds between its moments; undefined when there is none. */
export const selectIdRange = async (db: Db, tenantId: string, filter: AuditFilter) => {
  const range = await db.one<{ first: number | null; last: number }>(sql`
    select min(first_id) as first, max(last_id) as last from (
      select first_id, last_id from (${blocksBetween(tenantId, filter)}) blocks
      union all
      select id, id ${waitingOf(tenantId, filter)}
    ) found`)
  return range && range.first !== null ? { afterId: range.first - 1, lastId: range.last } : undefined
}

/** The ids of a page that is not far behind. */
const nearPage = (tenantId: string, filter: AuditFilter, { limit, offset }: Slice): Sql => sql`
  select id from audit_logs where ${matching(tenantId, filter)}
  order by id desc limit ${limit} offset ${offset}`

/**
 * The ids of any page: the blocks, and the records that wait and fall into them, tell in which of them it begins and ends,
 * and only these are gone through. Few more blocks are looked at than can be full.
 */
const pageByBlocks = (tenantId: string, filter: AuditFilter, { limit, offset }: Slice): Sql => {
  const end = offset + limit
  const blocks = Math.floor(end / blockRecords) + 4
  return sql`
    with parts as (
      (select first_id as id, last_id, count, true as is_block from (${blocksBetween(tenantId, filter)}) blocks
        order by first_id desc limit ${blocks})
      union all
      (select id, id, 1, false ${waitingOf(tenantId, filter)} order by id desc limit ${end})
    ), place as (
      select coalesce(max(upto) filter (where is_block and upto <= ${offset}), 0) as skipped,
        coalesce(min(id) filter (where is_block and upto <= ${offset}) - 1, max(last_id)) as last,
        coalesce(max(id) filter (where is_block and upto >= ${end}),
          case when count(*) filter (where is_block) < ${blocks} then min(id) else 0 end) as first
      from (select *, sum(count) over (order by id desc)::bigint as upto from parts) newer
    )
    select id from audit_logs
    where ${matching(tenantId, filter)} and id between (select first from place) and (select last from place)
    order by id desc
    limit ${limit} offset ${offset} - (select skipped from place)`
}

/**
 * Newest first. Without moments an index alone answers which records are on the page; their ids are in an array, or a join
 * would be planned for any number.
 */
export const selectAuditLogs = (db: Db, tenantId: string, filter: AuditFilter, slice: Slice) => {
  const isNear = slice.offset < blockRecords && !hasMoments(filter)
  const ids = (isNear ? nearPage : pageByBlocks)(tenantId, filter, slice)
  return db.many<AuditLog>(sql`
    ${isNear ? empty : mayTakeLong}
    select ${columns} from audit_logs
    where tenant_id = ${tenantId} and id = any (array(${ids}))
    order by id desc`)
}

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
