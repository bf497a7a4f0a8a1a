/** Openings of products by a support session: codes, and the sessions that come of them. */
import sql from 'sql-template-tag'
import type { UsedApplication } from '../../../access/application-use.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { SupportKind } from '../../../access/actor.ts'

export interface SupportedApplication extends UsedApplication {
  id: number
  name: string
  support_uri: string
}

/**
 * An enabled application of the installation that serves the tenant and support sessions. A number is its id, a text its
 * `client_id`.
 */
export const selectSupportedApplication = (db: Db, tenantId: string, named: number | string) =>
  db.one<SupportedApplication>(sql`
    select id, name, support_uri, required_permission from applications
    where ${typeof named === 'number' ? sql`id = ${named}` : sql`client_id = ${named}`} and status = 1 and support_uri <> '' and not is_third_party
      and (tenant_ids is null or ${tenantId}::uuid = any (tenant_ids))`)

export const countOpenings = (db: Db, tenantId: string, supportId: string) =>
  db.only<{ count: number }>(sql`
    select count(*) as count from support_openings where tenant_id = ${tenantId} and support_id = ${supportId}`)

export interface NewOpening {
  tenantId: string
  id: string
  supportId: string
  applicationId: number
  codeHash: Buffer
  codeChallenge: string
}

/** A code lives 60 seconds (docs/contract.md, "Sign in with Tenantry"). */
export const insertOpening = (db: TransactionDb, row: NewOpening): void =>
  db.send(sql`
    insert into support_openings (tenant_id, id, support_id, application_id, code_hash, code_challenge, code_until)
    values (${row.tenantId}, ${row.id}, ${row.supportId}, ${row.applicationId}, ${row.codeHash}, ${row.codeChallenge},
      statement_timestamp() + interval '60 seconds')`)

export interface CodeRow {
  id: string
  support_id: string
  code_challenge: string
  is_used: boolean
  is_past: boolean
  user_id: number
  user_name: string
  kind: SupportKind
  ends_at: Date
  amr: string[]
  auth_time: Date
  connection_id: string | null
  actor_name: string
}

/** Locks the code of an application, so that concurrent exchanges run one after the other. */
export const selectCodeForUpdate = (
  db: TransactionDb,
  { tenantId, codeHash, applicationId }: { tenantId: string; codeHash: Buffer; applicationId: number },
) =>
  db.one<CodeRow>(sql`
    select o.id, o.support_id, o.code_challenge, o.used_at is not null as is_used,
      o.code_until <= statement_timestamp() as is_past, s.user_id, s.user_name, s.kind, s.ends_at,
      array_to_json(s.amr) as amr, s.auth_time, s.connection_id, s.actor_name
    from support_openings o
    join support_sessions s on s.tenant_id = o.tenant_id and s.id = o.support_id
    where o.tenant_id = ${tenantId} and o.code_hash = ${codeHash} and o.application_id = ${applicationId}
    for update of o`)

export interface Granted {
  scopes: string[]
  /** Undefined: no scope and no resource narrows the session. */
  narrowedTo: string[] | undefined
  resourceId: number | undefined
}

/** Uses the code up, and opens the session. */
export const updateOpened = (
  db: TransactionDb,
  { tenantId, id }: { tenantId: string; id: string },
  { scopes, narrowedTo, resourceId }: Granted,
): void =>
  db.send(sql`
    update support_openings
    set used_at = statement_timestamp(), scopes = ${scopes}, narrowed_codes = ${narrowedTo ?? null}, resource_id = ${resourceId ?? null}
    where tenant_id = ${tenantId} and id = ${id}`)

/** Ends the session of an application, with a logout token for it. */
export const updateOpeningEnded = (db: Db, tenantId: string, id: string) =>
  db.run(sql`
    with ended as (
      update support_openings set ended_at = statement_timestamp(), used_at = coalesce(used_at, statement_timestamp())
      where tenant_id = ${tenantId} and id = ${id} and ended_at is null
      returning tenant_id, id, support_id, application_id)
    insert into logout_queue (uri, client_id, session_tenant, user_id, session_id)
    select p.backchannel_logout_uri, p.client_id, e.tenant_id, s.user_id, e.id
    from ended e
    join support_sessions s on s.tenant_id = e.tenant_id and s.id = e.support_id
    join applications p on p.id = e.application_id
    where p.backchannel_logout_uri <> ''`)

/** The session of an application that a support session as the user opened. */
export const selectOpeningOf = (db: Db, tenantId: string, id: string, applicationId: number) =>
  db.one<{ id: string }>(sql`
    select id from support_openings
    where tenant_id = ${tenantId} and id = ${id} and application_id = ${applicationId} and ended_at is null`)
