import sql, { empty, raw } from 'sql-template-tag'
import type { Db } from '../../db/client.ts'
import { mayTakeLong } from '../../db/columns.ts'
import type { DayActivity } from './dashboard.schemas.ts'

/** How many there are, and how many of them there were at an earlier moment. */
export interface CountRow {
  count: number
  earlier: number
}

export interface UserCountRow extends CountRow {
  active_today: number
}

/** From counts that every change of users keeps, and an index: no user is read for it (decision 0062). */
export const countUsers = (db: Db, earlier: Date, now: Date) =>
  db.one<UserCountRow>(sql`
    select now_here as count, earlier_here as earlier, seen_today as active_today
    from count_users_at(${earlier}, (${now}::timestamptz at time zone 'utc')::date)`)

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
    ${mayTakeLong}
    select count(*) as count from audit_logs
    where tenant_id = ${tenantId} and action = ${raw(`'${action}'`)} and created_at > ${earlier}
      and (detail->'created_at'->>'from')::timestamptz <= ${earlier}`)

/** All tenants, or one of them. */
export const countTenants = (db: Db, tenantId: string | undefined, earlier: Date) =>
  db.one<CountRow>(sql`
    select count(*) as count, count(*) filter (where created_at <= ${earlier}) as earlier
    from tenants where deleted_at is null ${tenantId === undefined ? empty : sql`and id = ${tenantId}`}`)

/** From counts as well (decisions 0062, 0074): a range of each. */
export const selectActivity = (db: Db, tenantId: string, days: number, now: Date) => {
  const today = sql`(${now}::timestamptz at time zone 'utc')::date`
  return db.many<DayActivity>(sql`
    select to_char(day, 'YYYY-MM-DD') as date, coalesce(created, 0) as sign_ups, coalesce(active, 0) as active_users
    from (select ${today} - n as day from generate_series(0, ${days}::int - 1) n) as wanted
    left join (
      select date '1970-01-01' + slot::int as day, enabled + disabled as created from user_counts
      where tenant_id = ${tenantId} and part = 'day' and slot > ${today} - ${days}::int - date '1970-01-01'
    ) as sign_ups using (day)
    left join (
      select day, sum(users)::bigint as active from activity_counts
      where tenant_id = ${tenantId} and day > ${today} - ${days}::int
      group by day
    ) as activity using (day)
    order by day`)
}
