import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { isoTime, type Slice } from '../../../db/columns.ts'
import type { AttributeMapping } from './connections.schemas.ts'
import type { OidcConfig } from './oidc.ts'
import type { SamlConfig } from './saml-connection.ts'
import type { Attempt } from './sign-in.schemas.ts'

/** The fields of a connection that a sign-in at its provider needs. */
export interface AttemptConnection {
  id: string
  name: string
  type: 'oidc' | 'saml'
  status: 'draft' | 'active' | 'disabled'
  config: OidcConfig | SamlConfig
  attributes: AttributeMapping[]
  updated_at: string
  tenant_name: string
  sealed: Buffer
}

export const selectAttemptConnection = (db: Db, tenantId: string, id: string) =>
  db.one<AttemptConnection>(sql`
    select c.id, c.name, c.type, c.status, c.config, c.attributes, ${isoTime('c.updated_at')} as updated_at, t.name as tenant_name, s.sealed
    from connections c
    join tenants t on t.id = c.tenant_id
    join connection_secrets s on s.id = c.id
    where c.tenant_id = ${tenantId} and c.id = ${id}`)

export interface NewAttempt {
  tenantId: string
  id: string
  connectionId: string
  interactionId: string
  browserHash: Buffer
  isTest: boolean
  stateHash: Buffer
  expiresAt: Date
}

export const insertAttempt = (db: Db, row: NewAttempt) =>
  db.run(sql`
    insert into sso_attempts (tenant_id, id, connection_id, interaction_id, browser_hash, is_test, state_hash, expires_at)
    values (${row.tenantId}, ${row.id}, ${row.connectionId}, ${row.interactionId}, ${row.browserHash}, ${row.isTest},
      ${row.stateHash}, ${row.expiresAt})`)

/** Deletes an open attempt of a browser, and returns it. Only the first of two answers finds it. */
export const deleteAttempt = (
  db: Db,
  tenantId: string,
  open: Pick<NewAttempt, 'connectionId' | 'stateHash' | 'browserHash'> & { now: Date },
) =>
  db.one<{ interaction_id: string; is_test: boolean }>(sql`
    delete from sso_attempts
    where tenant_id = ${tenantId} and state_hash = ${open.stateHash} and connection_id = ${open.connectionId}
      and browser_hash = ${open.browserHash} and spent_at is null and expires_at > ${open.now}
    returning interaction_id, is_test`)

/** Stores a successful test, unless the connection has changed since it was read. */
export const updateTested = (
  db: Db,
  tenantId: string,
  { id, updated_at: readAt }: AttemptConnection,
  now: Date,
) =>
  db.run(sql`
    update connections set tested_at = ${now}
    where tenant_id = ${tenantId} and id = ${id} and date_trunc('milliseconds', updated_at) = ${readAt}::timestamptz`)

export interface OutcomeRow {
  id: number
  at: string
  outcome: 'signed_in' | 'proof' | 'refused' | 'test_passed' | 'test_failed'
  reason: string
  subject: string
  email: string
  claims: Attempt['claims']
  ip: string
}

/** `testId` leaves only the tests of one setup link. */
const outcomesOf = (tenantId: string, { connectionId, testId }: OutcomeFilter): Sql => sql`
  tenant_id = ${tenantId} and connection_id = ${connectionId} ${testId === undefined ? empty : sql`and test_id = ${testId}`}`

export interface OutcomeFilter {
  connectionId: string
  testId: string | undefined
}

/** The last outcomes of a connection, newest first. */
export const selectOutcomes = (db: Db, tenantId: string, filter: OutcomeFilter, { limit, offset }: Slice) =>
  db.many<OutcomeRow>(sql`
    select id, ${isoTime('at')} as at, outcome, reason, subject, email, claims, ip from sso_outcomes
    where ${outcomesOf(tenantId, filter)}
    order by id desc limit ${limit} offset ${offset}`)

export const countOutcomes = (db: Db, tenantId: string, filter: OutcomeFilter) =>
  db.only<{ count: number }>(sql`
    select count(*) as count from sso_outcomes where ${outcomesOf(tenantId, filter)}`)

/** The tenant and the active connection of a verified domain. */
export const selectOwner = (db: Db, domain: string) =>
  db.one<{ tenant_id: string }>(sql`
    select owner_tenant_id as tenant_id from domain_owners where domain = ${domain}`)

export const selectConnectionOfDomain = (db: Db, tenantId: string, domain: string) =>
  db.one<{ id: string; name: string; tenant_id: string; tenant_name: string }>(sql`
    select c.id, c.name, t.id as tenant_id, t.name as tenant_name
    from domains d
    join connections c on c.tenant_id = d.tenant_id and c.id = d.connection_id
    join tenants t on t.id = d.tenant_id
    where d.tenant_id = ${tenantId} and d.domain = ${domain} and d.status = 'verified' and c.status = 'active'
      and t.status = 1 and t.deleted_at is null`)

/** Unlinks a user from every connection. */
export const deleteLinks = (db: Db, tenantId: string, userId: number) =>
  db.many<{ id: string; name: string }>(sql`
    with gone as (
      delete from sso_links where tenant_id = ${tenantId} and user_id = ${userId} returning connection_id
    )
    select c.id, c.name from gone join connections c on c.tenant_id = ${tenantId} and c.id = gone.connection_id`)

/** Whether a test is one of a guest of a setup link. */
export const isOfGuest = async (db: Db, tenantId: string, testId: string): Promise<boolean> =>
  (
    await db.only<{ is_of_guest: boolean }>(sql`
      select exists (select from setup_links where tenant_id = ${tenantId} and id = ${testId}) as is_of_guest`)
  ).is_of_guest
