/** Statements about elevations. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { activeElevations } from '../../../access/held-roles.sql.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { countUpTo, isoTime, type Slice } from '../../../db/columns.ts'
import { inAccountScope } from '../../../db/scope.ts'
import type { Elevation } from './elevations.schemas.ts'

export interface NewElevation {
  tenantId: string
  userId: number
  accountId: number
  roleId: number
  sessionId: string
  reason: string
  minutes: number
}

/** The session of an elevation lives: it has neither expired nor ended. */
const ofLivingSession = sql`(
  select true from sessions s join accounts a on a.id = s.account_id
  where s.tenant_id = e.tenant_id and s.id = e.session_id and s.user_id = e.user_id
    and s.expires_at > statement_timestamp() and s.account_epoch = a.session_epoch limit 1) is not null`

/** PostgreSQL looks up each elevation by its key: for `exists` it would read all sessions into a hash. */
const isActive = (tenantId: string): Sql => sql`(
  e.ended_at is null and ${ofLivingSession} and (
    select true from ${activeElevations} r where r.tenant_id = ${tenantId} and r.id = e.id limit 1) is not null)`

const nameOfUser = (tenantId: string): Sql =>
  sql`coalesce((select username from users where tenant_id = ${tenantId} and id = e.user_id), '')`

const nameOfRole = (tenantId: string): Sql => sql`
  coalesce((select name from role_templates where id = e.role_id),
    (select name from roles where tenant_id = ${tenantId} and id = e.role_id), '')`

const columns = (tenantId: string): Sql => sql`
  e.id, json_build_object('id', e.user_id, 'name', ${nameOfUser(tenantId)}) as user,
  json_build_object('id', e.role_id, 'name', ${nameOfRole(tenantId)}) as role, e.reason,
  case when ${isActive(tenantId)} then 'active' else 'over' end as status,
  ${isoTime('e.started_at')} as started_at, ${isoTime('coalesce(e.ended_at, e.ends_at)')} as ends_at`

export const insertElevation = (db: Db, row: NewElevation) =>
  db.only<{ id: number }>(sql`
    insert into elevations (tenant_id, user_id, account_id, role_id, session_id, factor_ids, reason, started_at, ends_at)
    values (${row.tenantId}, ${row.userId}, ${row.accountId}, ${row.roleId}, ${row.sessionId},
      array(select id from factors where account_id = ${row.accountId} and is_confirmed), ${row.reason},
      statement_timestamp(), statement_timestamp() + ${row.minutes} * interval '1 minute')
    returning id`)

/** Whether the session has the role by an elevation now. */
export const selectActive = (db: Db, tenantId: string, sessionId: string, roleId: number) =>
  db.one<{ id: number }>(sql`
    select id from ${activeElevations} r
    where r.tenant_id = ${tenantId} and r.session_id = ${sessionId} and r.role_id = ${roleId}`)

/** The number of elevations that a person has started in the last day, in all tenants. */
export const countStarted = (db: TransactionDb, accountId: number) =>
  inAccountScope(db, accountId, () =>
    db.only<{ count: number }>(sql`
      select count(*) as count from elevations
      where account_id = ${accountId} and started_at > statement_timestamp() - interval '1 day'`),
  )

export interface ElevationFilter {
  userId: number | undefined
  status: Elevation['status'] | undefined
}

const matching = (tenantId: string, { userId, status }: ElevationFilter): Sql => sql`
  from elevations e where e.tenant_id = ${tenantId}
    ${userId === undefined ? empty : sql`and e.user_id = ${userId}`}
    ${status === undefined ? empty : sql`and ${raw(status === 'active' ? '' : 'not')} ${isActive(tenantId)}`}`

/** Newest first. */
export const selectElevations = (
  db: Db,
  tenantId: string,
  filter: ElevationFilter,
  { limit, offset }: Slice,
) =>
  db.many<Elevation>(sql`
    select ${columns(tenantId)} ${matching(tenantId, filter)} order by e.id desc limit ${limit} offset ${offset}`)

/** The number of these elevations, at most `max` + 1. */
export const countElevations = (db: Db, tenantId: string, filter: ElevationFilter, max: number) =>
  db.only<{ count: number }>(countUpTo(max, sql`${matching(tenantId, filter)} order by e.id desc`))

export const selectElevation = (db: Db, tenantId: string, id: number) =>
  db.one<Elevation>(sql`
    select ${columns(tenantId)} from elevations e where e.tenant_id = ${tenantId} and e.id = ${id}`)

export interface EndedElevation {
  id: number
  user_id: number
  role_id: number
  session_id: string
  username: string
  role: string
}

const ended = (tenantId: string): Sql => sql`
  e.id, e.user_id, e.role_id, e.session_id, ${nameOfUser(tenantId)} as username, ${nameOfRole(tenantId)} as role`

/** Ends an elevation now. Undefined if its end is recorded already. */
export const updateEnded = (db: Db, tenantId: string, id: number) =>
  db.one<EndedElevation>(sql`
    update elevations e set ended_at = statement_timestamp()
    where e.tenant_id = ${tenantId} and e.id = ${id} and e.ended_at is null
    returning ${ended(tenantId)}`)

/** Marks elevations that do not count any more, up to `limit`. */
export const updateAllEnded = (db: Db, tenantId: string, limit: number) =>
  db.many<EndedElevation>(sql`
    update elevations e set ended_at = least(e.ends_at, statement_timestamp())
    where e.tenant_id = ${tenantId} and e.id = any (array(
      select e.id from elevations e
      where e.tenant_id = ${tenantId} and e.ended_at is null and not ${isActive(tenantId)}
      limit ${limit} for update of e))
    returning ${ended(tenantId)}`)

/** The tenants with elevations whose end is not recorded. Runs as the role of searches, which sees all tenants. */
export const selectTenantsWithOpen = (db: Db, limit: number) =>
  db.many<{ tenant_id: string; ms: number }>(sql`
    select tenant_id, extract(epoch from min(ends_at) - statement_timestamp())::float8 * 1000 as ms
    from elevations where ended_at is null group by tenant_id limit ${limit}`)

/** Deletes elevations that ended in the expired period in scope, as the role that deletes expired records. */
export const deleteExpiredElevations = (db: TransactionDb, tenantId: string): void =>
  db.send(sql`
    delete from elevations
    where tenant_id = ${tenantId} and ended_at < current_setting('app.expired_before')::timestamptz`)
