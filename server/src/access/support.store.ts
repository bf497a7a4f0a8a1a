import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../db/client.ts'
import { reachesTenant } from './reach.sql.ts'
import { codesHeld } from './templates.sql.ts'
import { isOpenTo, modeOfSession } from './support.sql.ts'
import type { SupportKind } from './actor.ts'
import type { UsedApplication } from './application-use.ts'

export interface SupportRow {
  kind: SupportKind
  /** The set that the request fixed. */
  permissions: string[]
  /** The codes that the user holds now. */
  held: string[]
  is_decided: boolean
  actor_tenant_id: string
  actor_id: number
  actor_account_id: number
  actor_name: string
  session_id: string
  tenant_slug: string
  username: string
  account_id: number
  ends_at: Date
}

/** The tenant accepts the proofs of the actor's session, as those of its own people. */
const reaches: Sql = sql`(
  s.actor_tenant_id = s.tenant_id or ${reachesTenant({
    tenantId: sql`s.tenant_id`,
    // No exemption of the user counts for somebody else.
    userId: sql`0`,
    amr: sql`s.amr`,
    hasMfa: sql`'mfa' = any (s.amr)`,
    connectionId: sql`s.connection_id`,
  })})`

/**
 * An active support session in the tenant in scope, of an enabled user and tenant. Neither settings nor the end of the
 * user's sessions have ended it. The actor's side is read in the actor's tenant.
 */
export const selectSupport = (
  db: Db,
  { tenantId, userId, id }: { tenantId: string; userId: number; id: string },
) =>
  db.one<SupportRow>(sql`
    select s.kind, array_to_json(s.permissions) as permissions, array(${codesHeld(sql`${tenantId}`, sql`${userId}`)}) as held,
      s.decided_by is not null as is_decided, s.actor_tenant_id, s.actor_id, s.actor_account_id, s.actor_name, s.session_id,
      t.slug as tenant_slug, u.username, u.account_id, s.ends_at
    from support_sessions s
    join tenants t on t.id = s.tenant_id and t.status = 1 and t.deleted_at is null
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id and u.status = 1
    join accounts a on a.id = u.account_id and a.session_epoch = s.account_epoch
    where s.tenant_id = ${tenantId} and s.id = ${id} and s.user_id = ${userId} and s.status = 'active'
      and s.ended_at is null and s.ends_at > statement_timestamp() and a.id <> s.actor_account_id
      and ${isOpenTo(modeOfSession)} and ${reaches}`)

export interface OpeningRow extends UsedApplication {
  application_id: number
  narrowed_codes: string[] | null
}

/** The session of an application that a support session opened, unless application or resource have ended it. */
export const selectOpening = (
  db: Db,
  tenantId: string,
  { supportId, id }: { supportId: string; id: string },
) =>
  db.one<OpeningRow>(sql`
    select o.application_id, array_to_json(o.narrowed_codes) as narrowed_codes, p.required_permission
    from support_openings o
    join applications p on p.id = o.application_id and p.status = 1 and p.support_uri <> ''
      and (p.tenant_ids is null or o.tenant_id = any (p.tenant_ids))
    where o.tenant_id = ${tenantId} and o.id = ${id} and o.support_id = ${supportId}
      and o.used_at is not null and o.ended_at is null
      and (o.resource_id is null or (
        o.resource_id = any (p.resource_ids) and exists (select from resources r where r.id = o.resource_id)))`)

/** The support session of an id: its own, or that of a session of an application that it opened. */
export const selectSupportOf = (db: Db, tenantId: string, userId: number, id: string) =>
  db.one<{ support_id: string; opening_id: string | null }>(sql`
    select s.id as support_id, null::uuid as opening_id from support_sessions s
    where s.tenant_id = ${tenantId} and s.id = ${id} and s.user_id = ${userId}
    union all
    select s.id, o.id from support_openings o
    join support_sessions s on s.tenant_id = o.tenant_id and s.id = o.support_id and s.user_id = ${userId}
    where o.tenant_id = ${tenantId} and o.id = ${id}`)

const shared = sql`for share`

/**
 * Locks a support session and its people until the transaction ends, against everything that ends it. Takes the accounts
 * first, as other changes do.
 */
export const lockSupport = (
  db: TransactionDb,
  { tenantId, userId, id }: { tenantId: string; userId: number; id: string },
  actorAccountId: number,
): void => {
  db.send(sql`
    select from accounts
    where id = ${actorAccountId} or id = (select account_id from users where tenant_id = ${tenantId} and id = ${userId})
    order by id ${shared}`)
  db.send(sql`select from users where tenant_id = ${tenantId} and id = ${userId} ${shared}`)
  db.send(sql`select from support_sessions where tenant_id = ${tenantId} and id = ${id} ${shared}`)
}

/** Locks the actor and the actor's session, in the actor's tenant. */
export const lockSupporter = (
  db: TransactionDb,
  { tenantId, userId, sessionId }: { tenantId: string; userId: number; sessionId: string },
): void => {
  db.send(sql`select from users where tenant_id = ${tenantId} and id = ${userId} ${shared}`)
  db.send(sql`select from sessions where tenant_id = ${tenantId} and id = ${sessionId} ${shared}`)
}

/** Counts a request of a support session. */
export const upsertSupportRequest = (
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  { method, path }: { method: string; path: string },
) =>
  db.run(sql`
    with used as (
      update support_sessions set last_used_at = statement_timestamp()
      where tenant_id = ${tenantId} and id = ${id} and last_used_at < statement_timestamp() - interval '1 minute')
    insert into support_requests (tenant_id, support_id, method, path) values (${tenantId}, ${id}, ${method}, ${path})
    on conflict (tenant_id, support_id, method, path) do update set count = support_requests.count + 1`)
