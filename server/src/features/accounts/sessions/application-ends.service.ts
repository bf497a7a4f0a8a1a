/**
 * Ends the sessions of applications. Callers have locked the catalogue or the account. They add a change for all
 * callers to `ctx.changes`, because the statements do not return the sessions.
 */
import type { TransactionCtx } from '../../../context.ts'
import * as store from './application-ends.store.ts'

export const endSessionsOfApplication = ({ db }: TransactionCtx, id: number): void =>
  store.deleteSessionRowsOfApplication(db, id)

/** Ends the sessions of an application, except in these tenants. */
export const endSessionsBeyondTenants = ({ db }: TransactionCtx, id: number, tenantIds: string[]): void =>
  store.deleteSessionRowsBeyondTenants(db, id, tenantIds)

/** Ends the sessions of an application, except for these resources. */
export const endSessionsBeyondResources = ({ db }: TransactionCtx, id: number, resourceIds: number[]): void =>
  store.deleteSessionRowsBeyondResources(db, id, resourceIds)

/** Ends the sessions for a resource in all tenants. */
export const endSessionsOfResource = ({ db }: Pick<TransactionCtx, 'db'>, id: number): void =>
  store.deleteSessionRowsOfResource(db, id)

/** Ends the sessions for a resource whose application registered itself. */
export const endUnregisteredSessionsOfResource = ({ db }: TransactionCtx, id: number): void =>
  store.deleteUnregisteredSessionRowsOfResource(db, id)

/** Ends the sessions of a user that the consent allowed. */
export const endSessionsOfGrant = (ctx: TransactionCtx, grant: { userId: number; grantId: number }): void => {
  store.deleteSessionRowsOfGrant(ctx.db, ctx.tenantId, grant)
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId: grant.userId, sessionId: '' })
}

/** Ends the sessions of clients that no administrator has created, in the tenant in scope. */
export const endUnregisteredSessions = ({ db, tenantId }: TransactionCtx): void =>
  store.deleteUnregisteredSessionRows(db, tenantId)

export const hasSessions = async ({ db }: Pick<TransactionCtx, 'db'>, id: number): Promise<boolean> =>
  (await store.selectSessionsOfApplication(db, id)).is_used
