import sql from 'sql-template-tag'
import type { TransactionDb } from '../../../db/client.ts'

export const updateConnectionOf = (
  db: TransactionDb,
  tenantId: string,
  linkId: string,
  connectionId: string,
): void =>
  db.send(sql`
    update setup_links set connection_id = ${connectionId}, is_own_connection = true
    where tenant_id = ${tenantId} and id = ${linkId}`)

/** Returns the links that were not activated before. */
export const updateActivated = (db: TransactionDb, tenantId: string, connectionId: string, now: Date) =>
  db.many<{ scim_account_id: number | null }>(sql`
    update setup_links set activated_at = ${now}
    where tenant_id = ${tenantId} and connection_id = ${connectionId} and activated_at is null
    returning scim_account_id`)

export const updateWithoutConnection = (db: TransactionDb, tenantId: string, connectionId: string): void =>
  db.send(sql`
    update setup_links set connection_id = null, is_own_connection = false
    where tenant_id = ${tenantId} and connection_id = ${connectionId}`)
