import sql, { empty, type Sql } from 'sql-template-tag'
import { countUpTo, isoTime, takesLong, type Slice } from '../../db/columns.ts'
import type { Db, TransactionDb } from '../../db/client.ts'
import { orOnCitus } from '../../db/scope.ts'
import type { StoredAuditLog } from './actors.ts'

export interface NewAuditLog extends Omit<StoredAuditLog, 'id' | 'created_at'> {
  /** The user whom the record is about; null for none. */
  about_user_id: number | null
}

/** Writes a record, and adds it to the queue for sealing. */
export const insertAuditLog = (db: TransactionDb, log: NewAuditLog, now: Date): void => {
  const added = sql`
      insert into audit_logs
        (tenant_id, user_id, action, resource, resource_id, about_user_id, detail, ip, user_agent, trace_id, created_at)
      values (${log.tenant_id}, ${log.user_id}, ${log.action}, ${log.resource}, ${log.resource_id},
        ${log.about_user_id}, ${JSON.stringify(log.detail)}, ${log.ip}, ${log.user_agent}, ${log.trace_id}, ${now})`
  db.send(
    orOnCitus(
      sql`
    with added as (${added}
      returning tenant_id, id
    )
    insert into audit_unsealed (tenant_id, id) select tenant_id, id from added`,
      // The coordinator numbers the records of all tenants.
      added,
      sql`insert into audit_unsealed (tenant_id, id) values (${log.tenant_id}, currval('audit_logs_id_seq'))`,
    ),
  )
}

export interface AuditFilter {
  userId?: number | undefined
  action?: string | undefined
  resource?: string | undefined
  /** Only with a resource. */
  resourceId?: string | undefined
  aboutUserId?: number | undefined
  /** ISO 8601: from this moment on. */
  from?: string | undefined
  /** ISO 8601: before this moment. */
  to?: string | undefined
}

/**
 * Bounds the disorder between ids and times. Concurrent writers and differing clocks cause it; a clock in the wrong time
 * zone stays within a day (decision 0083).
 */
const disorder = sql`interval '1 day'`

/**
 * The id at a moment: records before it are older, and later ones are younger, apart from the disorder. The statement
 * halves the range of ids along the primary key, so no index of times is needed. The middle is a column because division
 * is not leakproof: row-level security would not look up a quotient in the index.
 */
const idAt = (tenantId: string, moment: Sql): Sql => sql`
  (with recursive halved (low, middle, high) as (
    select min(id), (min(id) + max(id)) / 2, max(id) + 1 from audit_logs where tenant_id = ${tenantId}
    union all
    select low, (low + high) / 2, high from (
      select case when is_before then next.id + 1 else low end as low, case when is_before then high else middle end as high
      from halved, lateral (
        select id, created_at < ${moment} as is_before from audit_logs
        where tenant_id = ${tenantId} and id >= middle order by id limit 1
      ) next
      where low < high
    ) half
  )
  select min(high) from halved)`

/** An action begins with its resource: the index of users has the action, and shows without the record that it does not fit. */
const ofResource = (resource: string): Sql =>
  sql`and action >= ${`${resource}.`} and action < ${`${resource}/`}`

/** One thing has few records, which its own index has in order. */
const ofObject = (resource?: string, resourceId?: string, userId?: number): Sql => {
  if (resource === undefined) return empty
  if (resourceId !== undefined) return sql`and resource = ${resource} and resource_id = ${resourceId}`
  return userId === undefined ? sql`and resource = ${resource}` : ofResource(resource)
}

const matching = (
  tenantId: string,
  { userId, action, resource, resourceId, aboutUserId, from, to }: AuditFilter,
): Sql => sql`
  tenant_id = ${tenantId}
  ${ofObject(resource, resourceId, userId)}
  ${userId === undefined ? empty : sql`and user_id = ${userId}`}
  ${action === undefined ? empty : sql`and action = ${action}`}
  ${aboutUserId === undefined ? empty : sql`and about_user_id = ${aboutUserId}`}
  ${from === undefined ? empty : sql`and created_at >= ${from}::timestamptz and id >= ${idAt(tenantId, sql`${from}::timestamptz - ${disorder}`)}`}
  ${to === undefined ? empty : sql`and created_at < ${to}::timestamptz and id < ${idAt(tenantId, sql`${to}::timestamptz + ${disorder}`)}`}`

const columns = sql`
  id, tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id,
  ${isoTime('created_at')} as created_at`

export const selectAuditLog = (db: Db, tenantId: string, id: number) =>
  db.one<StoredAuditLog>(sql`select ${columns} from audit_logs where tenant_id = ${tenantId} and id = ${id}`)

const headOf = (tenantId: string): Sql => sql`select statement from audit_heads where tenant_id = ${tenantId}`

/** The signed head of the chain. */
export const selectAuditHead = (db: Db, tenantId: string) => db.one<{ statement: string }>(headOf(tenantId))

/** The signed head of the chain, which counts the sealed records, and the number of waiting ones, read at one moment. */
export const selectAuditSize = (db: Db, tenantId: string) =>
  db.one<{ head: string | null; waiting: number }>(
    takesLong(sql`
      select (${headOf(tenantId)}) as head,
        (select count(*) from audit_unsealed where tenant_id = ${tenantId}) as waiting`),
  )

/** How many records a filter finds, or one more than `max`, and the signed head of the chain, read at one moment. */
export const countAuditLogs = (db: Db, tenantId: string, filter: AuditFilter, max: number) =>
  db.one<{ count: number; head: string | null }>(
    takesLong(sql`
      select (${countUpTo(max, sql`from audit_logs where ${matching(tenantId, filter)} order by id desc`)}) as count,
        (${headOf(tenantId)}) as head`),
  )

/** A page up to this offset counts as near. */
const nearMax = 1000

const isInOrder = ({ userId, action, resource, resourceId }: AuditFilter): boolean =>
  (userId === undefined || (action ?? resource) === undefined) &&
  (resourceId === undefined || action === undefined)

/** Whether one index delivers the filter's records in order. */
const isSimple = ({ from, to, aboutUserId, ...others }: AuditFilter): boolean =>
  (from ?? to) === undefined &&
  (aboutUserId === undefined
    ? isInOrder(others)
    : Object.values(others).every((value) => value === undefined))

/**
 * A page, newest first, of the records before an id. Only an index answers which records are on it, however far behind;
 * their ids are in an array, as a join would be planned for any number.
 */
export const selectAuditLogs = (
  db: Db,
  tenantId: string,
  filter: AuditFilter,
  { limit, offset, beforeId }: Slice & { beforeId?: number | undefined },
) => {
  const page = sql`
    select ${columns} from audit_logs
    where tenant_id = ${tenantId} and id = any (array(
      select id from audit_logs
      where ${matching(tenantId, filter)} ${beforeId === undefined ? empty : sql`and id < ${beforeId}`}
      order by id desc limit ${limit} offset ${offset}))
    order by id desc`
  return db.many<StoredAuditLog>(offset < nearMax && isSimple(filter) ? page : takesLong(page))
}

/** A batch after an id, oldest first: it costs the same however deep it is. */
export const selectAuditLogsAfter = (
  db: Db,
  {
    tenantId,
    filter,
    afterId,
    limit,
  }: { tenantId: string; filter: AuditFilter; afterId: number; limit: number },
) =>
  db.many<StoredAuditLog>(
    takesLong(sql`
      select ${columns}
      from audit_logs
      where ${matching(tenantId, filter)} and id > ${afterId}
      order by id
      limit ${limit}`),
  )

/**
 * Records in the queue for sealing, in the order of their ids. Each is looked up by its id: PostgreSQL might plan a
 * join along the whole log.
 */
export const selectUnsealedLogs = (db: Db, tenantId: string, limit: number) =>
  db.many<StoredAuditLog>(sql`
    select ${columns}
    from (
      select id as waiting_id from audit_unsealed
      where tenant_id = ${tenantId} order by id limit ${limit}
    ) waiting, lateral (select * from audit_logs where tenant_id = ${tenantId} and id = waiting_id limit 1) found
    order by id`)

/** Records by their ids, in any order. */
export const selectLogsByIds = (db: Db, tenantId: string, ids: number[]) =>
  db.many<StoredAuditLog>(
    sql`select ${columns} from audit_logs where tenant_id = ${tenantId} and id = any (${ids})`,
  )

/** The highest id of the records that came with an import of the tenant. */
export const selectImportedTo = (db: Db, tenantId: string) =>
  db.one<{ imported_to: number }>(sql`select imported_to from tenants where id = ${tenantId}`)
