import sql, { empty, join, type Sql } from 'sql-template-tag'
import { amongIds, countUpTo, isoTime, takesLong, type Slice } from '../../../db/columns.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { containing } from '../../../values/text.ts'
import type { StoredAuditLog } from './actors.ts'

export interface NewAuditLog extends Omit<StoredAuditLog, 'id' | 'created_at'> {
  /** The user whom the record is about; null for none. */
  about_user_id: number | null
  /** The user of the support session in which the record is made; null for none. */
  on_behalf_of: number | null
  /** The application of the assistant that made the change; null for none. */
  application_id: number | null
}

/** Writes a record, and adds it to the queue for sealing. */
export const insertAuditLog = (db: TransactionDb, log: NewAuditLog, now: Date): void =>
  db.send(sql`
    with added as (
      insert into audit_logs
        (tenant_id, user_id, action, resource, resource_id, about_user_id, on_behalf_of, application_id, detail, ip, user_agent, trace_id, created_at)
      values (${log.tenant_id}, ${log.user_id}, ${log.action}, ${log.resource}, ${log.resource_id},
        ${log.about_user_id}, ${log.on_behalf_of}, ${log.application_id}, ${JSON.stringify(log.detail)}, ${log.ip}, ${log.user_agent}, ${log.trace_id}, ${now})
      returning tenant_id, id
    )
    insert into audit_unsealed (tenant_id, id) select tenant_id, id from added`)

/** Writes records of the tenant in scope in order, and adds them to the queue for sealing. */
export const insertAuditLogs = (db: TransactionDb, tenantId: string, logs: NewAuditLog[], now: Date): void =>
  db.send(sql`
    with added as (
      insert into audit_logs
        (tenant_id, user_id, action, resource, resource_id, about_user_id, on_behalf_of, application_id, detail, ip, user_agent, trace_id, created_at)
      select ${tenantId}::uuid, user_id, action, resource, resource_id, about_user_id, on_behalf_of, application_id, detail, ip, user_agent, trace_id,
        ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(logs)}::json) as r (user_id bigint, action text, resource text,
        resource_id text, about_user_id bigint, on_behalf_of bigint, application_id bigint, detail json, ip text, user_agent text, trace_id text)
      returning tenant_id, id
    )
    insert into audit_unsealed (tenant_id, id) select tenant_id, id from added`)

export interface AuditFilter {
  userId?: number | undefined
  /** Matches a record with any of these actions. */
  actions?: string[] | undefined
  resource?: string | undefined
  /** Needs `resource` as well. */
  resourceId?: string | undefined
  /** Matches records about the user, and those of support sessions as the user. */
  aboutUserId?: number | undefined
  onBehalfOf?: number | undefined
  /** The application of the assistant. */
  applicationId?: number | undefined
  /** ISO 8601, inclusive. */
  from?: string | undefined
  /** ISO 8601, exclusive. */
  to?: string | undefined
  /** Part of the record's text, ignoring case; searched only in the newest `searchedMax` records. */
  search?: string | undefined
  /** Part of the request's address; searched like `search`. */
  ip?: string | undefined
  /** The lowest id to read. Older records are on other servers, which the statement then does not ask. */
  floor?: number | undefined
}

/** Texts and addresses have no index, so the search covers only the newest records that match the other filters. */
const searchedMax = 20_000

/**
 * Bounds how far ids and times may disagree. Concurrent writers and differing clocks cause it; a clock in the wrong
 * time zone stays within a day (decision 0083).
 */
const disorder = sql`interval '1 day'`

const fromFloor = (floor: number | undefined): Sql => (floor === undefined ? empty : sql`and id >= ${floor}`)

/**
 * Finds the id at a moment. Records below it are older and records above it younger, apart from the disorder. Bisects
 * the ids along the primary key, so times need no index. The middle is a column because division is not leakproof:
 * under row-level security PostgreSQL would not look up a quotient in the index.
 */
const idAt = (tenantId: string, moment: Sql, floor: number | undefined): Sql => sql`
  (with recursive halved (low, middle, high) as (
    select min(id), (min(id) + max(id)) / 2, max(id) + 1 from audit_logs
    where tenant_id = ${tenantId} ${fromFloor(floor)}
    union all
    select low, (low + high) / 2, high from (
      select case when is_before then next.id + 1 else low end as low, case when is_before then high else middle end as high
      from halved, lateral (
        select id, created_at < ${moment} as is_before from audit_logs
        where tenant_id = ${tenantId} ${fromFloor(floor)} and id >= middle order by id limit 1
      ) next
      where low < high
    ) half
  )
  select min(high) from halved)`

/**
 * Matches a resource by the prefix of the action. The index of users contains the action, so PostgreSQL filters without
 * reading the record.
 */
const ofResource = (resource: string): Sql =>
  sql`and action >= ${`${resource}.`} and action < ${`${resource}/`}`

/** One object has few records, and its own index has them in order. */
const ofObject = (resource?: string, resourceId?: string, userId?: number): Sql => {
  if (resource === undefined) return empty
  if (resourceId !== undefined) return sql`and resource = ${resource} and resource_id = ${resourceId}`
  return userId === undefined ? sql`and resource = ${resource}` : ofResource(resource)
}

type OfAction = Omit<AuditFilter, 'actions' | 'aboutUserId'> & { action: string | undefined; about: Sql }

/** Two conditions, each along its own index, that find no record twice. */
const aboutUser = (userId: number | undefined): [Sql, ...Sql[]] =>
  userId === undefined
    ? [empty]
    : [
        sql`and about_user_id = ${userId}`,
        sql`and on_behalf_of = ${userId} and about_user_id is distinct from ${userId}`,
      ]

/** In a support session the user did nothing, even if the actor's id in another tenant is equal. */
const byUser = (userId: number): Sql =>
  sql`and user_id = ${userId} and on_behalf_of is distinct from ${userId}`

const matching = (
  tenantId: string,
  { userId, action, resource, resourceId, about, onBehalfOf, applicationId, from, to, floor }: OfAction,
): Sql => sql`
  tenant_id = ${tenantId} ${fromFloor(floor)}
  ${ofObject(resource, resourceId, userId)}
  ${userId === undefined ? empty : byUser(userId)}
  ${action === undefined ? empty : sql`and action = ${action}`}
  ${onBehalfOf === undefined ? empty : sql`and on_behalf_of = ${onBehalfOf}`}
  ${applicationId === undefined ? empty : sql`and application_id = ${applicationId}`}
  ${about}
  ${from === undefined ? empty : sql`and created_at >= ${from}::timestamptz and id >= ${idAt(tenantId, sql`${from}::timestamptz - ${disorder}`, floor)}`}
  ${to === undefined ? empty : sql`and created_at < ${to}::timestamptz and id < ${idAt(tenantId, sql`${to}::timestamptz + ${disorder}`, floor)}`}`

/** Records of one or several actions, each read along its index. `end` holds the bound, the order and the limit. */
const ofActions = (
  tenantId: string,
  { actions = [], aboutUserId, ...others }: AuditFilter,
  wanted: Sql,
  end: Sql,
): Sql => {
  const each = actions.length === 0 ? [undefined] : actions
  const parts = each.flatMap((action) =>
    aboutUser(aboutUserId).map(
      (about) =>
        sql`(select ${wanted} from audit_logs where ${matching(tenantId, { ...others, about, action })} ${end})`,
    ),
  )
  return join(parts, ' union all ')
}

const searchedText = sql`
  concat_ws(' ', action, resource_id, detail::text, ip, user_agent, trace_id)`

const isSearched = ({ search, ip }: AuditFilter): boolean => (search ?? ip) !== undefined

/** The ids of the records that a filter finds. `end` begins with "and" or "order by". */
const found = (tenantId: string, filter: AuditFilter, end: Sql): Sql => {
  if (!isSearched(filter)) return ofActions(tenantId, filter, sql`id`, end)
  const { search, ip } = filter
  const newest = sql`order by id desc limit ${searchedMax}`
  return sql`
    select id from (select * from (${ofActions(tenantId, filter, sql`*`, newest)}) matched ${newest}) searched
    where true ${ip === undefined ? empty : sql`and ip = ${ip}`}
    ${search === undefined ? empty : sql`and ${searchedText} ilike ${containing(search)}`} ${end}`
}

const columns = sql`
  id, tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id,
  ${isoTime('created_at')} as created_at`

export const selectAuditLog = (db: Db, tenantId: string, id: number) =>
  db.one<StoredAuditLog>(sql`select ${columns} from audit_logs where tenant_id = ${tenantId} and id = ${id}`)

const headOf = (tenantId: string): Sql => sql`select statement from audit_heads where tenant_id = ${tenantId}`

export const selectAuditHead = (db: Db, tenantId: string) => db.one<{ statement: string }>(headOf(tenantId))

/**
 * The signed head of the chain, which counts the sealed records, and the number of waiting records. One statement reads
 * both.
 */
export const selectAuditSize = (db: Db, tenantId: string) =>
  db.one<{ head: string | null; waiting: number }>(
    takesLong(sql`
      select (${headOf(tenantId)}) as head,
        (select count(*) from audit_unsealed where tenant_id = ${tenantId}) as waiting`),
  )

/** The number of matching records, at most `max` + 1, and the signed head of the chain. One statement reads both. */
export const countAuditLogs = (db: Db, tenantId: string, filter: AuditFilter, max: number) =>
  db.one<{ count: number; head: string | null }>(
    takesLong(sql`
      select (${countUpTo(max, sql`from (${found(tenantId, filter, sql`order by id desc limit ${max + 1}`)}) found`)}) as count,
        (${headOf(tenantId)}) as head`),
  )

/** A page up to this offset counts as near. */
const nearMax = 1000

const isInOrder = ({ userId, actions, resource, resourceId }: AuditFilter): boolean =>
  (userId === undefined || (actions ?? resource) === undefined) &&
  (resourceId === undefined || actions === undefined)

/** True if a single index returns the filter's records in order. */
const isSimple = ({ from, to, search, ip, aboutUserId, onBehalfOf, ...others }: AuditFilter): boolean => {
  if ((from ?? to ?? search ?? ip) !== undefined) return false
  if ((aboutUserId ?? onBehalfOf) === undefined) return isInOrder(others)
  return Object.values({ ...others, floor: undefined }).every((value) => value === undefined)
}

/**
 * A page of the records before an id, newest first. Only an index finds the ids, also for a deep page. The ids are in
 * an array, because PostgreSQL would plan a join for any number of them.
 */
export const selectAuditLogs = (
  db: Db,
  tenantId: string,
  filter: AuditFilter,
  { limit, offset, beforeId }: Slice & { beforeId?: number | undefined },
) => {
  const before = beforeId === undefined ? empty : sql`and id < ${beforeId}`
  const page = sql`
    select ${columns} from audit_logs
    where tenant_id = ${tenantId} ${fromFloor(filter.floor)} and id = any (array(
      select id from (${found(tenantId, filter, sql`${before} order by id desc limit ${limit + offset}`)}) found
      order by id desc limit ${limit} offset ${offset}))
    order by id desc`
  return db.many<StoredAuditLog>(offset < nearMax && isSimple(filter) ? page : takesLong(page))
}

/** A batch after an id, oldest first. It costs the same at any depth, and most filters need no sort. */
export const selectAuditLogsAfter = (
  db: Db,
  {
    tenantId,
    filter,
    afterId,
    limit,
  }: { tenantId: string; filter: AuditFilter; afterId: number; limit: number },
) => {
  const { actions = [undefined], aboutUserId, ...others } = filter
  const end = sql`and id > ${afterId} order by id limit ${limit}`
  const isAlongOneIndex = !isSearched(filter) && actions.length === 1 && aboutUserId === undefined
  const matched = isAlongOneIndex
    ? sql`${matching(tenantId, { ...others, about: empty, action: actions[0] })} ${end}`
    : sql`tenant_id = ${tenantId} ${fromFloor(filter.floor)} and id = any (array(
        select id from (${found(tenantId, filter, end)}) found order by id limit ${limit})) order by id`
  return db.many<StoredAuditLog>(takesLong(sql`select ${columns} from audit_logs where ${matched}`))
}

/**
 * Records in the queue for sealing, by id. The statement looks up each record by its id: PostgreSQL might plan a join
 * along the whole log. All waiting records are at or above the floor.
 */
export const selectUnsealedLogs = (
  db: Db,
  tenantId: string,
  { limit, floor }: { limit: number; floor: number },
) =>
  db.many<StoredAuditLog>(sql`
    select ${columns}
    from (
      select id as waiting_id from audit_unsealed
      where tenant_id = ${tenantId} order by id limit ${limit}
    ) waiting, lateral (select * from audit_logs where tenant_id = ${tenantId} and id >= ${floor} and id = waiting_id limit 1) found
    order by id`)

/** Records by their ids, in any order. */
export const selectLogsByIds = (db: Db, tenantId: string, ids: number[]) =>
  db.many<StoredAuditLog>(
    sql`select ${columns} from audit_logs where tenant_id = ${tenantId} and ${amongIds(sql`id`, ids)}`,
  )

/** The highest id among the records that an import of the tenant added. */
export const selectImportedTo = (db: Db, tenantId: string) =>
  db.one<{ imported_to: number }>(sql`select imported_to from tenants where id = ${tenantId}`)
