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

/** Oldest first, those after the record `afterId`: a page that costs the same however deep it is. */
export const selectAuditLogsAfter = (
  db: Db,
  {
    tenantId,
    filter,
    afterId,
    limit,
  }: { tenantId: string; filter: AuditFilter; afterId: number; limit: number },
) =>
  db.many<AuditLog>(sql`
    select ${columns}
    from audit_logs
    where ${matching(tenantId, filter)} and id > ${afterId}
    order by id
    limit ${limit}`)

/** Newest first. */
export const selectAuditLogs = (db: Db, tenantId: string, filter: AuditFilter, slice: Slice) =>
  db.many<AuditLog>(sql`
    select ${columns}
    from audit_logs
    where ${matching(tenantId, filter)}
    order by id desc
    limit ${slice.limit} offset ${slice.offset}`)

export const countAuditLogs = (db: Db, tenantId: string) =>
  db.one<{ count: number }>(sql`select count(*) as count from audit_logs where tenant_id = ${tenantId}`)

/** Up to one more than `max`. */
export const countAuditLogsUpTo = (db: Db, tenantId: string, filter: AuditFilter, max: number) =>
  db.one<{ count: number }>(countUpTo(max, sql`from audit_logs where ${matching(tenantId, filter)}`))

/** Records that wait to be sealed, in the order of their ids. */
export const selectUnsealedLogs = (db: Db, tenantId: string, limit: number) =>
  db.many<AuditLog>(sql`
    select ${columns}
    from audit_unsealed join audit_logs using (tenant_id, id)
    where tenant_id = ${tenantId}
    order by id
    limit ${limit}`)

/** Records by their ids, in any order. */
export const selectLogsByIds = (db: Db, tenantId: string, ids: number[]) =>
  db.many<AuditLog>(
    sql`select ${columns} from audit_logs where tenant_id = ${tenantId} and id = any (${ids})`,
  )
