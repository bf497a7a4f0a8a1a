/** Clients that no administrator has created. */
import sql from 'sql-template-tag'
import { unregisteredSetting } from '../../../access/tenant-settings.sql.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { settingsOf } from '../../../db/scope.ts'
import { fold } from '../../../values/text.ts'
import type { ClientMetadata } from './client-metadata.ts'

/** Serialises registrations until the transaction ends, so that each counts the earlier ones. */
export const lockRegistration = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry registration'))`)

export const countUnregistered = (db: Db) =>
  db.only<{ count: number }>(sql`select count(*) as count from applications where origin <> 'managed'`)

/** Deletes the oldest client that never had a session. Returns 0 if every client had one. */
export const deleteOldestUnusedRow = (db: Db) =>
  db.run(sql`
    delete from applications where id = (
      select id from applications where origin <> 'managed' and last_session_at is null order by created_at, id limit 1)`)

export interface NewClient extends ClientMetadata {
  clientId: string
  origin: 'registered' | 'document'
  /** Undefined for a client that registered itself. */
  documentUntil: Date | undefined
}

/**
 * Adds a client, or replaces its fields from its document. Keeps its status, because an administrator may have disabled
 * it.
 */
export const upsertClient = (db: Db, client: NewClient, now: Date) =>
  db.only<{ id: number }>(sql`
    insert into applications as a (client_id, origin, name, name_folded, kind, is_third_party, redirect_uris, grant_types,
      created_at, updated_at, document_until)
    values (${client.clientId}, ${client.origin}, ${client.name}, ${fold(client.name)}, 'native', true,
      ${client.redirectUris}::text[], ${client.grantTypes}::text[], ${now}, ${now}, ${client.documentUntil ?? null})
    on conflict on constraint applications_client_id_key do update
    set name = excluded.name, name_folded = excluded.name_folded, redirect_uris = excluded.redirect_uris,
      grant_types = excluded.grant_types, updated_at = excluded.updated_at, document_until = excluded.document_until
    where a.origin = 'document'
    returning id`)

/** Stores a session's time at most once an hour, so that a client's sessions seldom wait for its row. */
export const updateLastSession = (db: TransactionDb, id: number, now: Date): void =>
  db.send(sql`
    update applications set last_session_at = ${now}
    where id = ${id} and (last_session_at is null or last_session_at < ${new Date(now.getTime() - 3600_000)})`)

/** Clients that opened no session since `before`. */
export const selectIdle = (db: Db, before: Date, limit: number) =>
  db.many<{ id: number }>(sql`
    select id from applications
    where origin <> 'managed' and coalesce(last_session_at, created_at) < ${before}
    order by id limit ${limit}`)

/** The clients that may have sessions. */
export const selectUsed = (db: Db) =>
  db.many<{ id: number }>(sql`
    select id from applications where origin <> 'managed' and last_session_at is not null order by id`)

/** Whether users of the tenant in scope may authorize clients that no administrator has created. */
export const selectAllowed = (db: Db, tenantId: string) =>
  db.only<{ is_allowed: boolean }>(sql`
    select coalesce(
      (select value from tenant_settings where tenant_id = ${tenantId} and key = ${unregisteredSetting}),
      (select value from global_settings where key = ${unregisteredSetting}),
      'false') = 'true' as is_allowed`)

export const selectAllowedEverywhere = (db: Db) =>
  db.one<{ value: unknown }>(sql`select value from global_settings where key = ${unregisteredSetting}`)

/** The tenants whose own setting allows such clients. */
export const selectAllowingTenants = async (db: TransactionDb): Promise<string[]> => {
  db.send(settingsOf({ role: 'tenantry_login' }))
  const rows = db.many<{ tenant_id: string }>(sql`
    select tenant_id from tenant_settings where key = ${unregisteredSetting} and value = 'true'`)
  db.send(settingsOf({ role: 'tenantry_app' }))
  return (await rows).map(({ tenant_id: id }) => id)
}
