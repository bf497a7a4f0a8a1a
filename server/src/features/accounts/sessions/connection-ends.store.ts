import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { endingSessions } from './ending.sql.ts'
import type { EndedSession } from './sessions.store.ts'

export const deleteSessionRowsOfConnection = (db: TransactionDb, tenantId: string, id: string) =>
  db.many<EndedSession>(endingSessions(sql`s.tenant_id = ${tenantId} and s.connection_id = ${id}`))

export const deleteSignInRowsOfConnection = (db: TransactionDb, tenantId: string, id: string): void =>
  db.send(sql`delete from sign_ins where connection_id = ${id} and connection_tenant_id = ${tenantId}`)

export const deleteSessionRowsOfPerson = (db: TransactionDb, tenantId: string, userId: number) =>
  db.many<EndedSession>(
    endingSessions(sql`s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.connection_id is not null`),
  )

export const deleteSignInRowsOfPerson = (db: TransactionDb, tenantId: string, accountId: number): void =>
  db.send(sql`delete from sign_ins where account_id = ${accountId} and connection_tenant_id = ${tenantId}`)

/** The connection that opens a session, and the end that it sets for the session. */
export interface OpeningConnection {
  id: string
  latestExpiresAt: Date
}

/** Locks the link of a user in an active connection, so that neither link nor connection ends meanwhile. */
export const selectLinkForShare = (db: Db, tenantId: string, userId: number, connectionId: string) =>
  db.one<{ user_id: number }>(sql`
    select l.user_id from sso_links l
    join connections c on c.tenant_id = l.tenant_id and c.id = l.connection_id
    where l.tenant_id = ${tenantId} and l.user_id = ${userId} and l.connection_id = ${connectionId} and c.status = 'active'
    for share`)

export const updateConnectionOfSession = (
  db: TransactionDb,
  { tenantId, id }: { tenantId: string; id: string },
  { id: connectionId, latestExpiresAt }: OpeningConnection,
): void =>
  db.send(sql`
    update sessions
    set connection_id = ${connectionId}, latest_expires_at = ${latestExpiresAt},
      expires_at = least(expires_at, ${latestExpiresAt}::timestamptz)
    where tenant_id = ${tenantId} and id = ${id}`)
