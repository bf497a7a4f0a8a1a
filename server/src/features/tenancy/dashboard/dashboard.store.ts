import sql, { type Sql } from 'sql-template-tag'
import { templatesOf } from '../../../access/templates.sql.ts'
import type { Db } from '../../../db/client.ts'
import { takesLong } from '../../../db/columns.ts'
import type { DayActivity } from './dashboard.schemas.ts'

/** The UTC day of a time. */
const dayOf = (moment: Date): Sql => sql`(${moment}::timestamptz at time zone 'utc')::date`

const startOf = (day: Sql): Sql => sql`(${day})::timestamp at time zone 'utc'`

const signUpsOn = (tenantId: string, day: Sql): Sql => sql`
  select count(*) from users
  where tenant_id = ${tenantId} and created_at >= ${startOf(day)} and created_at < ${startOf(sql`${day} + 1`)}`

/**
 * Users active on a day. The table stores the last two active days of each user, so today's activity does not hide
 * yesterday's.
 */
const activeOn = (tenantId: string, day: Sql): Sql => sql`
  select count(*) from users
  where tenant_id = ${tenantId} and last_seen_on >= ${day} and (last_seen_on = ${day} or previously_seen_on = ${day})`

export const countTenants = (db: Db) =>
  db.one<{ count: number }>(takesLong(sql`select count(*) as count from tenants where deleted_at is null`))

export const countActiveToday = (db: Db, tenantId: string, now: Date) =>
  db.one<{ count: number }>(
    takesLong(sql`
      select count(*) as count from users where tenant_id = ${tenantId} and last_seen_on = ${dayOf(now)}`),
  )

export interface DayCounts {
  users: number
  roles: number
  tenants: number
}

/** The counts at the end of the UTC day `daysAgo` days ago; undefined for a day without a row. */
export const selectDay = (db: Db, tenantId: string, daysAgo: number, now: Date) =>
  db.one<DayCounts>(sql`
    select users, roles, tenants from tenant_days
    where tenant_id = ${tenantId} and day = ${dayOf(now)} - ${daysAgo}::int`)

/** The activity of the last days before today, oldest first. Omits days without a row. */
export const selectActivity = (db: Db, tenantId: string, days: number, now: Date) =>
  db.many<DayActivity>(sql`
    select to_char(day, 'YYYY-MM-DD') as date, sign_ups, active_users from tenant_days
    where tenant_id = ${tenantId} and day > ${dayOf(now)} - ${days}::int and day < ${dayOf(now)}
    order by day`)

/** Counts a UTC day (YYYY-MM-DD) that has no row: today, or yesterday soon after midnight. */
export const countActivity = (db: Db, tenantId: string, date: string) => {
  const day = sql`${date}::date`
  return db.one<DayActivity>(
    takesLong(sql`
      select to_char(${day}, 'YYYY-MM-DD') as date, (${signUpsOn(tenantId, day)}) as sign_ups,
        (${activeOn(tenantId, day)}) as active_users`),
  )
}

/** Tenants without a row of yesterday. Looks up each tenant by key. Runs as the role `tenantry_search`. */
export const selectTenantsWithoutYesterday = (db: Db, now: Date) =>
  db.many<{ id: string }>(
    sql`
    select id from tenants t
    left join lateral (
      select true as is_written from tenant_days where tenant_id = t.id and day = ${dayOf(now)} - 1 limit 1
    ) as yesterday on true
    where deleted_at is null and is_written is null`,
  )

/** Past days without a row, as far back as the dashboard shows, oldest first. */
export const selectMissingDays = (db: Db, tenantId: string, daysMax: number, now: Date) =>
  db.many<{ day: string }>(
    takesLong(sql`
    select to_char(day, 'YYYY-MM-DD') as day
    from (
      select least(t.created_at, (select min(created_at) from users where tenant_id = ${tenantId})) as since
      from tenants t where id = ${tenantId}
    ) as known,
    lateral (
      select ${dayOf(now)} - n as day from generate_series(1, ${daysMax}::int) n
    ) as past
    where day >= (since at time zone 'utc')::date
      and not exists (select from tenant_days d where d.tenant_id = ${tenantId} and d.day = past.day)
    order by day`),
  )

/** Counts the present tenants that already existed at the end of a UTC day. */
export const countTenantsOn = (db: Db, day: string) =>
  db.one<{ count: number }>(
    takesLong(sql`
      select count(*) as count from tenants
      where deleted_at is null and created_at < ${startOf(sql`${day}::date + 1`)}`),
  )

/**
 * Writes the row of a past day from the present users and roles. Keeps an existing row. Skips a tenant during its
 * removal.
 */
export const insertDay = (
  db: Db,
  { tenantId, day, tenants }: { tenantId: string; day: string; tenants: number },
) => {
  const date = sql`${day}::date`
  const end = startOf(sql`${date} + 1`)
  return db.run(sql`
    insert into tenant_days (tenant_id, day, users, roles, tenants, sign_ups, active_users)
    select id, ${date},
      (select count(*) from users where tenant_id = ${tenantId} and created_at < ${end}),
      (select count(*) from roles where tenant_id = ${tenantId} and created_at < ${end})
        + (select count(*) from ${templatesOf(tenantId)} and (m.is_builtin or m.created_at < ${end})),
      ${tenants}::bigint, (${signUpsOn(tenantId, date)}), (${activeOn(tenantId, date)})
    from tenants where id = ${tenantId} and deleted_at is null
    for key share
    on conflict do nothing`)
}
