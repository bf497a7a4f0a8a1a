import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import type { AttributeMapping } from './connections.schemas.ts'
import type { SamlConfig } from './saml-connection.ts'

/** The tenant of a connection, among all tenants: the address of an answer has only the connection's id. */
export const selectTenantOfConnection = (db: Db, id: string) =>
  db.one<{ tenant_id: string }>(sql`
    select connection_tenant_id as tenant_id from connection_secrets where id = ${id}`)

export interface SamlConnectionRow {
  id: string
  config: SamlConfig
  attributes: AttributeMapping[]
  application_id: number | null
  sealed: Buffer
}

/** A SAML connection that is not disabled. */
export const selectSamlConnection = (db: Db, tenantId: string, id: string) =>
  db.one<SamlConnectionRow>(sql`
    select c.id, c.config, c.attributes, c.application_id, s.sealed
    from connections c
    join connection_secrets s on s.id = c.id
    where c.tenant_id = ${tenantId} and c.id = ${id} and c.type = 'saml' and c.status <> 'disabled'`)

interface OpenAttempt {
  connectionId: string
  stateHash: Buffer
  now: Date
}

/** Whether an attempt of the connection waits for an answer. */
export const selectOpenAttempt = (db: Db, tenantId: string, open: OpenAttempt) =>
  db.one<{ id: string }>(sql`
    select id from sso_attempts
    where tenant_id = ${tenantId} and state_hash = ${open.stateHash} and connection_id = ${open.connectionId}
      and spent_at is null and expires_at > ${open.now}`)

/** Spends an attempt, and stores its answer under a handle. Returns 0 for a second answer. */
export const spendAttempt = (
  db: Db,
  tenantId: string,
  {
    id,
    handleHash,
    answer,
    ...at
  }: { id: string; handleHash: Buffer; answer: unknown; now: Date; until: Date },
) =>
  db.run(sql`
    update sso_attempts
    set spent_at = ${at.now}, expires_at = ${at.until}, handle_hash = ${handleHash}, answer = ${JSON.stringify(answer)}
    where tenant_id = ${tenantId} and id = ${id} and spent_at is null and expires_at > ${at.now}`)

export interface KeptAnswerRow {
  interaction_id: string
  is_test: boolean
  answer: unknown
}

/** Deletes a stored answer with its attempt, and returns the answer. */
export const deleteKeptAnswer = (
  db: Db,
  tenantId: string,
  kept: { connectionId: string; handleHash: Buffer; browserHash: Buffer; now: Date },
) =>
  db.one<KeptAnswerRow>(sql`
    delete from sso_attempts
    where tenant_id = ${tenantId} and connection_id = ${kept.connectionId} and handle_hash = ${kept.handleHash}
      and browser_hash = ${kept.browserHash} and expires_at > ${kept.now}
    returning interaction_id, is_test, answer`)

/** Connections whose managers must be notified of an expiring certificate. */
export const selectWarnings = (db: Db, now: Date, limit: number) =>
  db.many<{ tenant_id: string; id: string }>(sql`
    select c.tenant_id, c.id from connections c
    join tenants t on t.id = c.tenant_id and t.deleted_at is null
    where c.warn_at <= ${now} order by c.warn_at limit ${limit}`)

/** Marks the notice as sent. Undefined if another process has sent it. */
export const updateWarned = (db: Db, tenantId: string, { id, now }: { id: string; now: Date }) =>
  db.one<{ name: string; ends_at: string }>(sql`
    update connections set warn_at = null
    where tenant_id = ${tenantId} and id = ${id} and warn_at <= ${now}
    returning name, config ->> 'certificates_end_at' as ends_at`)
