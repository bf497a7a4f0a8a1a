/** Ends of support sessions, and their rows in lists of sessions. */
import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import { inAccountScope } from '../../../db/scope.ts'
import { statusOfSupport } from '../../../access/support.sql.ts'
import { listedMax } from './living.sql.ts'
import type { ListedSession } from './sessions.store.ts'

export type EndedBy = 'time' | 'actor' | 'user' | 'tenant' | 'authority'

export interface EndedSupport {
  id: string
  user_id: number
  user_name: string
  actor_tenant_id: string
  actor_id: number
  actor_name: string
  kind: string
  ended_by: EndedBy
}

const ended = sql`s.id, s.user_id, s.user_name, s.actor_tenant_id, s.actor_id, s.actor_name, s.kind, s.ended_by`

const ending = (endedBy: EndedBy): Sql => sql`
  status = 'over', ended_at = coalesce(s.ended_at, least(s.ends_at, statement_timestamp())),
  ended_by = case
    when s.status = 'active' and s.ends_at <= coalesce(s.ended_at, statement_timestamp()) then 'time'
    when s.ended_by <> '' then s.ended_by else ${endedBy} end`

const isOpen = sql`s.status in ('waiting', 'ready', 'active')`

/** Queues the logout tokens of the applications that an ended support session has opened. */
export const insertLogouts = (db: TransactionDb, tenantId: string, id: string): void =>
  db.send(sql`
    with ended as (
      update support_openings set ended_at = statement_timestamp()
      where tenant_id = ${tenantId} and support_id = ${id} and ended_at is null
      returning tenant_id, id, support_id, application_id, used_at)
    insert into logout_queue (uri, client_id, session_tenant, user_id, session_id)
    select p.backchannel_logout_uri, p.client_id, e.tenant_id, s.user_id, e.id
    from ended e
    join support_sessions s on s.tenant_id = e.tenant_id and s.id = e.support_id
    join applications p on p.id = e.application_id
    where p.backchannel_logout_uri <> '' and e.used_at is not null`)

/** Ends a support session or its request. Undefined if it is over and recorded already. */
export const updateSupportEnded = (db: Db, tenantId: string, id: string, endedBy: EndedBy) =>
  db.one<EndedSupport>(sql`
    update support_sessions s set ${ending(endedBy)}
    where s.tenant_id = ${tenantId} and s.id = ${id} and ${isOpen}
    returning ${ended}`)

/** Ends an active support session as its user. */
export const updateSupportEndedByUser = (db: Db, tenantId: string, userId: number, id: string) =>
  db.one<EndedSupport>(sql`
    update support_sessions s set ${ending('user')}
    where s.tenant_id = ${tenantId} and s.id = ${id} and s.user_id = ${userId} and s.status = 'active'
    returning ${ended}`)

/** The support session as a user whom a person has in another tenant than the one in scope. */
export const selectSupportElsewhere = (db: TransactionDb, tenantId: string, accountId: number, id: string) =>
  inAccountScope(db, accountId, () =>
    db.one<{ tenant_id: string; status: string }>(sql`
      select s.tenant_id, ${statusOfSupport} as status
      from users u
      join support_sessions s on s.tenant_id = u.tenant_id and s.id = ${id} and s.user_id = u.id
      where u.account_id = ${accountId} and u.tenant_id <> ${tenantId}`),
  )

/** Ends the active support sessions as a user. Maintenance records them. */
export const updateSupportOfUser = (db: TransactionDb, tenantId: string, userId: number): void =>
  db.send(sql`
    update support_sessions set ended_at = statement_timestamp(), ended_by = 'authority'
    where tenant_id = ${tenantId} and user_id = ${userId} and status = 'active' and ended_at is null`)

const listed = sql`
  s.id, s.tenant_id, ${isoTime('s.started_at')} as created_at, ${isoTime('s.last_used_at')} as last_used_at, s.ip, s.user_agent,
  null as browser_sign_in, null as application,
  json_build_object('id', s.id, 'kind', s.kind, 'actor', json_build_object('id', s.actor_id, 'name', s.actor_name,
    'kind', case when s.actor_tenant_id = s.tenant_id then 'user' else 'platform' end)) as support`

const isActive = sql`s.status = 'active' and ${statusOfSupport} = 'active'`

/** The active support sessions as a user. */
export const selectSupportOfUser = (db: Db, tenantId: string, userId: number) =>
  db.many<ListedSession>(sql`
    select ${listed} from support_sessions s
    where s.tenant_id = ${tenantId} and s.user_id = ${userId} and ${isActive} order by s.id limit ${listedMax}`)

/** The active support sessions as a person, in all tenants. Runs in the scope of the account. */
export const selectSupportOfAccount = (db: Db, accountId: number) =>
  db.many<ListedSession>(sql`
    select ${listed} from support_sessions s
    where s.account_id = ${accountId} and ${isActive} order by s.id limit ${listedMax}`)
