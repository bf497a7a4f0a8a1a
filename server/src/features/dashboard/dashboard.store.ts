import sql, { empty, raw } from 'sql-template-tag'
import type { Db } from '../../db/client.ts'

/** How many there are, and how many of them there were at an earlier moment. */
export interface CountRow {
  count: number
  earlier: number
}

export interface UserCountRow extends CountRow {
  active_today: number
}

const dayMs = 24 * 3_600_000

/**
 * From the counts that every change of users keeps; what had been created by the earlier moment within its day comes
 * from an index.
 */
export const countUsers = (db: Db, tenantId: string, earlier: Date, now: Date) => {
  const day = Math.floor(earlier.getTime() / dayMs)
  return db.one<UserCountRow>(sql`
    select
      coalesce((select enabled + disabled from user_counts where tenant_id = ${tenantId} and part = 'all'), 0) as count,
      (select coalesce(sum(enabled + disabled), 0)::bigint from user_counts
        where tenant_id = ${tenantId} and part = 'day' and slot < ${day})
      + (select count(*) from users
        where tenant_id = ${tenantId} and created_at >= ${new Date(day * dayMs)} and created_at <= ${earlier}) as earlier,
      (select count(*) from users
        where tenant_id = ${tenantId} and last_seen_on = (${now}::timestamptz at time zone 'utc')::date) as active_today`)
}

export const countRoles = (db: Db, tenantId: string, earlier: Date) =>
  db.one<CountRow>(sql`
    select count(*) as count, count(*) filter (where created_at <= ${earlier}) as earlier
    from roles where tenant_id = ${tenantId}`)

/** The actions that the index `audit_logs_deletions_idx` is about; it serves those it finds in the statement's text. */
export type Deletion = 'user.delete' | 'role.delete' | 'tenant.delete'

/**
 * How many were deleted since `earlier` that had been there at that moment: the audit records of deletions say when
 * what they deleted was created. In the scope of the tenant that holds the records.
 */
export const countDeleted = (db: Db, tenantId: string, action: Deletion, earlier: Date) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from audit_logs
    where tenant_id = ${tenantId} and action = ${raw(`'${action}'`)} and created_at > ${earlier}
      and (detail->'created_at'->>'from')::timestamptz <= ${earlier}`)

/** All tenants, or one of them. */
export const countTenants = (db: Db, tenantId: string | undefined, earlier: Date) =>
  db.one<CountRow>(sql`
    select count(*) as count, count(*) filter (where created_at <= ${earlier}) as earlier
    from tenants where deleted_at is null ${tenantId === undefined ? empty : sql`and id = ${tenantId}`}`)
