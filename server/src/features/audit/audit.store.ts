import sql, { empty, type Sql } from 'sql-template-tag'
import { isoTime, type Slice } from '../../db/columns.ts'
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
}

const matching = (tenantId: string, { userId, action, resource }: AuditFilter): Sql => sql`
  tenant_id = ${tenantId}
  ${userId === undefined ? empty : sql`and user_id = ${userId}`}
  ${action === undefined ? empty : sql`and action = ${action}`}
  ${resource === undefined ? empty : sql`and resource = ${resource}`}`

/** Newest first. */
export const selectAuditLogs = (db: Db, tenantId: string, filter: AuditFilter, slice: Slice) =>
  db.many<AuditLog>(sql`
    select id, tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id,
      ${isoTime('created_at')} as created_at
    from audit_logs
    where ${matching(tenantId, filter)}
    order by id desc
    limit ${slice.limit} offset ${slice.offset}`)

export const countAuditLogs = (db: Db, tenantId: string, filter: AuditFilter) =>
  db.one<{ count: number }>(sql`select count(*) as count from audit_logs where ${matching(tenantId, filter)}`)
