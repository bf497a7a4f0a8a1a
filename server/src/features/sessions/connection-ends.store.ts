import sql from 'sql-template-tag'
import type { TransactionDb } from '../../db/client.ts'
import { endingSessions } from './ending.sql.ts'
import type { EndedSession } from './sessions.store.ts'

export const deleteSessionRowsOfConnection = (db: TransactionDb, tenantId: string, id: string) =>
  db.many<EndedSession>(endingSessions(sql`s.tenant_id = ${tenantId} and s.connection_id = ${id}`))

export const deleteSignInRowsOfConnection = (db: TransactionDb, tenantId: string, id: string): void =>
  db.send(sql`delete from sign_ins where connection_id = ${id} and connection_tenant_id = ${tenantId}`)
