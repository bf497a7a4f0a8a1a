import sql, { empty } from 'sql-template-tag'
import type { Db } from '../../db/client.ts'

/** How many there are, and how many of them there were at an earlier moment. */
export interface CountRow {
  count: number
  earlier: number
}

export interface UserCountRow extends CountRow {
  active_today: number
}

export const countUsers = (db: Db, tenantId: string, earlier: Date, now: Date) =>
  db.one<UserCountRow>(sql`
    select count(*) as count,
      count(*) filter (where created_at <= ${earlier}) as earlier,
      count(*) filter (where last_seen_on = (${now}::timestamptz at time zone 'utc')::date) as active_today
    from users where tenant_id = ${tenantId}`)

export const countRoles = (db: Db, tenantId: string, earlier: Date) =>
  db.one<CountRow>(sql`
    select count(*) as count, count(*) filter (where created_at <= ${earlier}) as earlier
    from roles where tenant_id = ${tenantId}`)

/**
 * How many were deleted since `earlier` that had been there at that moment: the audit records of deletions say when
 * what they deleted was created. In the scope of the tenant that holds the records.
 */
export const countDeleted = (db: Db, tenantId: string, action: string, earlier: Date) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from audit_logs
    where tenant_id = ${tenantId} and action = ${action} and created_at > ${earlier}
      and (detail->'created_at'->>'from')::timestamptz <= ${earlier}`)

/** All tenants, or one of them. */
export const countTenants = (db: Db, tenantId: string | undefined, earlier: Date) =>
  db.one<CountRow>(sql`
    select count(*) as count, count(*) filter (where created_at <= ${earlier}) as earlier
    from tenants where deleted_at is null ${tenantId === undefined ? empty : sql`and id = ${tenantId}`}`)
