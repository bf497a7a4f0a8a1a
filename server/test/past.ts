/** A tenant with a past, without moving the clock day by day. */
import sql from 'sql-template-tag'
import { writeDaysOf } from '../src/features/tenancy/dashboard/days.service.ts'
import { unique } from './factories.ts'
import { clock, parts } from './harness.ts'

/** Users created on each of the last 89 days, each last seen on one; the days up to the one before yesterday. */
export const importPast = async (tenantId: string): Promise<void> => {
  await parts.store.scoped({ tenantId }).run(sql`
    with wanted as (
      select ${unique()}::text || '-' || n || '-' || nth as name, n
      from generate_series(1, 89) n, generate_series(1, 12 + (90 - n) / 6 + n % 7 * 3) nth
    ), created as (
      insert into accounts (email, email_folded, password_hash) select name, name, '' from wanted
      returning id, email
    )
    insert into users (tenant_id, account_id, email, username, username_folded, search_folded, last_seen_on, created_at,
      updated_at)
    select ${tenantId}::uuid, id, email, email, email, email, day - id::int % 2, day - id::int % 5, now()
    from created join wanted on name = email,
      lateral (select (${clock.now()}::timestamptz at time zone 'utc')::date - n as day) d
    returning id`)
  await writeDaysOf({ ...parts, now: () => new Date(clock.now().getTime() - 24 * 3_600_000) }, tenantId)
}

export const seeAllYesterday = (tenantId: string) =>
  parts.store.scoped({ tenantId }).run(sql`
    update users set last_seen_on = (${clock.now()}::timestamptz at time zone 'utc')::date - 1
    where tenant_id = ${tenantId}`)

/** Marks most users as seen on a working day, few at a weekend. */
export const seeMostToday = (tenantId: string) =>
  parts.store.scoped({ tenantId }).run(sql`
    update users set last_seen_on = day, last_login_at = ${clock.now()}::timestamptz - id * interval '7 minutes'
    from (select (${clock.now()}::timestamptz at time zone 'utc')::date as day) today
    where tenant_id = ${tenantId} and (id * 7 + extract(doy from day)::int * 3) % 10
      < case when extract(isodow from day) > 5 then 3 else 8 end`)
