/**
 * Ends sessions of applications in all tenants. The statements run as the role that reaches the sessions of one
 * application or resource. They queue logout tokens for the applications.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { TransactionDb } from '../../../db/client.ts'
import { settingsOf } from '../../../db/scope.ts'
import { endingSessions } from './ending.sql.ts'

const inScope = (
  db: TransactionDb,
  setting: 'app.application_id' | 'app.resource_id',
  id: number,
  statement: Sql,
): void => {
  db.send(settingsOf({ role: 'tenantry_login', [setting]: String(id) }))
  db.send(statement)
  db.send(settingsOf({ role: 'tenantry_app', [setting]: '' }))
}

export const deleteSessionRowsOfApplication = (db: TransactionDb, id: number): void =>
  inScope(db, 'app.application_id', id, endingSessions(sql`application_id = ${id}`))

/** Ends the sessions of an application, except those of users in these tenants. */
export const deleteSessionRowsBeyondTenants = (db: TransactionDb, id: number, tenantIds: string[]): void =>
  inScope(
    db,
    'app.application_id',
    id,
    endingSessions(sql`application_id = ${id} and tenant_id <> all (${tenantIds}::uuid[])`),
  )

/** Ends the sessions of an application, except those for these resources. */
export const deleteSessionRowsBeyondResources = (
  db: TransactionDb,
  id: number,
  resourceIds: number[],
): void =>
  inScope(
    db,
    'app.application_id',
    id,
    endingSessions(sql`application_id = ${id} and resource_id <> all (${resourceIds}::bigint[])`),
  )

export const deleteSessionRowsOfResource = (db: TransactionDb, id: number): void =>
  inScope(db, 'app.resource_id', id, endingSessions(sql`resource_id = ${id}`))

/** Ends the sessions of applications that registered themselves. */
export const deleteUnregisteredSessionRowsOfResource = (db: TransactionDb, id: number): void =>
  inScope(
    db,
    'app.resource_id',
    id,
    endingSessions(sql`
      resource_id = ${id} and application_id in (select id from applications where origin <> 'managed')`),
  )

/** Ends the sessions of clients that no administrator has created, in the tenant in scope. */
export const deleteUnregisteredSessionRows = (db: TransactionDb, tenantId: string): void =>
  db.send(
    endingSessions(sql`
      tenant_id = ${tenantId} and application_id in (select id from applications where origin <> 'managed')`),
  )

export const selectSessionsOfApplication = (db: TransactionDb, id: number) => {
  db.send(settingsOf({ role: 'tenantry_login', 'app.application_id': String(id) }))
  const found = db.only<{ is_used: boolean }>(sql`
    select exists (select from sessions where application_id = ${id}) as is_used`)
  db.send(settingsOf({ role: 'tenantry_app', 'app.application_id': '' }))
  return found
}

/** Ends the sessions in the tenant in scope that a consent allowed. */
export const deleteSessionRowsOfGrant = (
  db: TransactionDb,
  tenantId: string,
  { userId, grantId }: { userId: number; grantId: number },
): void =>
  db.send(endingSessions(sql`tenant_id = ${tenantId} and user_id = ${userId} and grant_id = ${grantId}`))
