import sql, { empty, type Sql } from 'sql-template-tag'
import { isLasting, activeElevations } from '../../../access/held-roles.sql.ts'
import {
  isOpenTo,
  modeOfSession,
  statusOfSupport,
  supportAccessSetting,
  supportColleaguesSetting,
  supportMode,
  supportNoticeSetting,
} from '../../../access/support.sql.ts'
import { codesOfRoles } from '../../../access/templates.sql.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { countUpTo, isoTime, type Slice } from '../../../db/columns.ts'
import { inAccountScope } from '../../../db/scope.ts'
import type { SupportSession } from './support.schemas.ts'

export type Mode = 'ask' | 'allowed' | 'off'

export interface Modes {
  staff: Mode
  colleagues: Mode
  is_user_told: boolean
}

/** The settings of a tenant that count. */
export const selectModes = (db: Db, tenantId: string) =>
  db.only<Modes>(sql`
    select ${supportMode(sql`${tenantId}`, sql`${supportAccessSetting}`)} as staff,
      ${supportMode(sql`${tenantId}`, sql`${supportColleaguesSetting}`)} as colleagues,
      not exists (
        select from tenant_settings
        where tenant_id = ${tenantId} and key = ${supportNoticeSetting} and value = 'false') as is_user_told`)

/** Whether one of the permissions is about the whole installation. */
export const selectIsPlatform = (db: Db, codes: string[]) =>
  db.only<{ is_platform: boolean }>(sql`
    select exists (
      select from permissions where platform_only and removed_at is null and code = any (${codes}::text[])) as is_platform`)

/** Locks the account until the transaction ends, so that its questions and starts run one at a time. */
export const lockAccount = (db: TransactionDb, accountId: number): void =>
  db.send(sql`select from accounts where id = ${accountId} for no key update`)

export interface NewSupport {
  tenantId: string
  id: string
  user: { id: number; name: string; accountId: number }
  actor: { tenantId: string; id: number; name: string; accountId: number }
  kind: string
  reason: string
  minutes: number
  permissions: string[]
  status: 'waiting' | 'ready'
}

/** It starts within a day. */
export const insertSupport = (db: TransactionDb, row: NewSupport): void => {
  const { user, actor } = row
  db.send(sql`
    insert into support_sessions (tenant_id, id, user_id, user_name, account_id, actor_tenant_id, actor_id, actor_account_id,
      actor_name, kind, reason, minutes, permissions, status, created_at, expires_at)
    values (${row.tenantId}, ${row.id}, ${user.id}, ${user.name}, ${user.accountId}, ${actor.tenantId}, ${actor.id},
      ${actor.accountId}, ${actor.name}, ${row.kind}, ${row.reason}, ${row.minutes}, ${row.permissions}, ${row.status},
      statement_timestamp(), statement_timestamp() + interval '24 hours')`)
}

/** The number of waiting questions of an actor, in all tenants. */
export const countWaitingOfActor = (db: TransactionDb, accountId: number) =>
  inAccountScope(db, accountId, () =>
    db.only<{ count: number }>(sql`
      select count(*) as count from support_sessions s
      where s.actor_account_id = ${accountId} and s.created_at > statement_timestamp() - interval '24 hours'
        and ${statusOfSupport} = 'waiting'`),
  )

/** The number of waiting questions to a user, and whether the user's last refusal of this actor is younger than an hour. */
export const countWaitingOfUser = (
  db: Db,
  { tenantId, userId, actorAccountId }: { tenantId: string; userId: number; actorAccountId: number },
) =>
  db.only<{ count: number; is_refused: boolean }>(sql`
    select count(*) filter (where ${statusOfSupport} = 'waiting') as count,
      coalesce(bool_or(s.status = 'refused' and s.actor_account_id = ${actorAccountId}
        and s.decided_at > statement_timestamp() - interval '1 hour'), false) as is_refused
    from support_sessions s
    where s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.created_at > statement_timestamp() - interval '26 hours'`)

const columns = sql`
  s.id, s.tenant_id, s.kind, ${statusOfSupport} as status,
  json_build_object('id', s.actor_id, 'name', s.actor_name,
    'kind', case when s.actor_tenant_id = s.tenant_id then 'user' else 'platform' end) as actor,
  json_build_object('id', s.user_id, 'name', s.user_name) as user, s.reason, s.minutes,
  array_to_json(s.permissions) as permissions,
  case when s.decided_by is not null then json_build_object('id', s.decided_by, 'name', s.decider_name) end as decided_by,
  ${isoTime('s.created_at')} as created_at, ${isoTime('s.expires_at')} as expires_at, ${isoTime('s.ends_at')} as ends_at,
  case when s.ended_by = '' and s.status = 'active' and s.ends_at <= statement_timestamp() then 'time'
    else s.ended_by end as ended_by`

/** A support session, with the facts that decide who may do what with it. */
export interface SupportFacts extends SupportSession {
  actor_tenant_id: string
  actor_account_id: number
  account_id: number
  session_id: string | null
  /** True unless the tenant's settings shut it. */
  is_open: boolean
  ends_time: Date | null
}

const facts = sql`
  ${columns}, s.actor_tenant_id, s.actor_account_id, s.account_id, s.session_id, ${isOpenTo(modeOfSession)} as is_open,
  s.ends_at as ends_time`

export const selectFacts = (db: Db, tenantId: string, id: string) =>
  db.one<SupportFacts>(sql`
    select ${facts} from support_sessions s where s.tenant_id = ${tenantId} and s.id = ${id}`)

/** Locks it until the transaction ends. */
export const selectFactsForUpdate = (db: TransactionDb, tenantId: string, id: string) =>
  db.one<SupportFacts>(sql`
    select ${facts} from support_sessions s where s.tenant_id = ${tenantId} and s.id = ${id} for update`)

/** The tenant of a support session that a person asked for. Runs in the scope of the account. */
export const selectTenantOfOwn = (db: Db, accountId: number, id: string) =>
  db.one<{ tenant_id: string }>(sql`
    select tenant_id from support_sessions where actor_account_id = ${accountId} and id = ${id}`)

export interface SupportFilter {
  /** Of the tenant in scope, or of one actor in all tenants. */
  of: { tenantId: string } | { actorTenantId: string; actorId: number; accountId: number }
  userId: number | undefined
  status: string | undefined
}

const matching = ({ of, userId, status }: SupportFilter): Sql => sql`
  from support_sessions s
  where ${
    'tenantId' in of
      ? sql`s.tenant_id = ${of.tenantId}`
      : sql`s.actor_account_id = ${of.accountId} and s.actor_tenant_id = ${of.actorTenantId} and s.actor_id = ${of.actorId}`
  }
    ${userId === undefined ? empty : sql`and s.user_id = ${userId}`}
    ${status === undefined ? empty : sql`and ${statusOfSupport} = ${status}`}
  order by s.created_at desc, s.id desc`

export const selectSupports = (db: Db, filter: SupportFilter, { limit, offset }: Slice) =>
  db.many<SupportSession>(sql`select ${columns} ${matching(filter)} limit ${limit} offset ${offset}`)

export const countSupports = (db: Db, filter: SupportFilter, max: number) =>
  db.only<{ count: number }>(countUpTo(max, matching(filter)))

/** The requests of a support session, the most frequent first. */
export const selectRequests = (db: Db, tenantId: string, id: string, limit: number) =>
  db.many<{ method: string; path: string; count: number }>(sql`
    select method, path, count from support_requests
    where tenant_id = ${tenantId} and support_id = ${id} order by count desc, path, method limit ${limit}`)

/**
 * Whether a user holds a permission by an assignment or an elevation that the actor's person did not give. `sessionId` is
 * the session of the user.
 */
export const selectHoldsApart = (
  db: Db,
  { tenantId, userId, sessionId }: { tenantId: string; userId: number; sessionId: string },
  actorAccountId: number,
  code: string,
) => {
  const roles = sql`(
    select r.role_id, r.expires_at from user_roles r
    where r.tenant_id = ${tenantId} and r.user_id = ${userId} and ${isLasting('r')}
      and r.assigned_by_account is distinct from ${actorAccountId}
    union all
    select v.role_id, v.expires_at from ${activeElevations} v
    join eligible_roles e on e.tenant_id = v.tenant_id and e.user_id = v.user_id and e.role_id = v.role_id
    where v.tenant_id = ${tenantId} and v.user_id = ${userId} and v.session_id = ${sessionId}
      and e.given_by_account is distinct from ${actorAccountId})`
  return db.only<{ holds: boolean }>(sql`
    select ${code}::text in (${codesOfRoles(sql`${tenantId}`, roles)}) as holds`)
}

export const updateDecided = (
  db: TransactionDb,
  { tenantId, id }: { tenantId: string; id: string },
  decision: { status: 'ready' | 'refused'; userId: number; name: string },
): void =>
  db.send(sql`
    update support_sessions set status = ${decision.status}, decided_by = ${decision.userId}, decider_name = ${decision.name},
      decided_at = statement_timestamp()
    where tenant_id = ${tenantId} and id = ${id}`)

/** The proofs of a session, in the scope of its tenant. */
export const selectProofs = (db: Db, tenantId: string, sessionId: string) =>
  db.one<{ amr: string[]; auth_time: Date; connection_id: string | null }>(sql`
    select array_to_json(amr) as amr, coalesce(auth_time, created_at) as auth_time, connection_id
    from sessions where tenant_id = ${tenantId} and id = ${sessionId}`)

export interface Start {
  sessionId: string
  amr: string[]
  authTime: Date
  connectionId: string | null
  ip: string
  userAgent: string
}

/** Starts the clock. Its end never moves. */
export const updateStarted = (db: Db, { tenantId, id }: { tenantId: string; id: string }, start: Start) =>
  db.only<{ ends_time: Date }>(sql`
    update support_sessions s
    set status = 'active', session_id = ${start.sessionId}, amr = ${start.amr}, auth_time = ${start.authTime},
      connection_id = ${start.connectionId}, ip = ${start.ip}, user_agent = ${start.userAgent},
      started_at = statement_timestamp(), last_used_at = statement_timestamp(),
      ends_at = statement_timestamp() + s.minutes * interval '1 minute',
      account_epoch = (select session_epoch from accounts where id = s.account_id)
    where s.tenant_id = ${tenantId} and s.id = ${id}
    returning s.ends_at as ends_time`)

export interface ActiveSupport {
  tenant_id: string
  id: string
  user_id: number
}

/** The active support sessions of a person, in all tenants, except one. */
export const selectOthersActive = (db: TransactionDb, accountId: number, exceptId: string) =>
  inAccountScope(db, accountId, () =>
    db.many<ActiveSupport>(sql`
      select s.tenant_id, s.id, s.user_id from support_sessions s
      where s.actor_account_id = ${accountId} and s.status = 'active' and s.id <> ${exceptId}
        and s.created_at > statement_timestamp() - interval '2 days'`),
  )

/** The active support sessions of the tenant that its settings shut. */
export const selectShut = (db: Db, tenantId: string) =>
  db.many<ActiveSupport>(sql`
    select s.tenant_id, s.id, s.user_id from support_sessions s
    where s.tenant_id = ${tenantId} and s.status = 'active' and not ${isOpenTo(modeOfSession)}`)

/** The active support sessions of all tenants. Runs as the role of searches. */
export const selectAllActive = (db: Db, limit: number) =>
  db.many<{ tenant_id: string; id: string; ms: number }>(sql`
    select tenant_id, id, extract(epoch from ends_at - statement_timestamp())::float8 * 1000 as ms
    from support_sessions where status = 'active' limit ${limit}`)

/**
 * Deletes support sessions that were over in the expired period in scope, with their requests and openings, as the role
 * that deletes expired records.
 */
export const deleteExpiredSupports = (db: TransactionDb, tenantId: string): void =>
  db.send(sql`
    delete from support_sessions
    where tenant_id = ${tenantId} and created_at < current_setting('app.expired_before')::timestamptz
      and status <> 'active' and coalesce(ended_at, expires_at) < current_setting('app.expired_before')::timestamptz`)
