/**
 * Ends the sessions of applications. Their callers have locked the catalogue, or the account. Note on `ctx.changes` who is to
 * be forgotten: every caller, since the statements do not name the sessions.
 */
import type { TransactionCtx } from '../../../context.ts'
import * as store from './application-ends.store.ts'

/** Those of an application in all tenants. */
export const endSessionsOfApplication = ({ db }: TransactionCtx, id: number): void =>
  store.deleteSessionRowsOfApplication(db, id)

/** Those of an application in other tenants than these. */
export const endSessionsBeyondTenants = ({ db }: TransactionCtx, id: number, tenantIds: string[]): void =>
  store.deleteSessionRowsBeyondTenants(db, id, tenantIds)

/** Those of an application for other resources than these. */
export const endSessionsBeyondResources = ({ db }: TransactionCtx, id: number, resourceIds: number[]): void =>
  store.deleteSessionRowsBeyondResources(db, id, resourceIds)

/** Those for a resource in all tenants. */
export const endSessionsOfResource = ({ db }: TransactionCtx, id: number): void =>
  store.deleteSessionRowsOfResource(db, id)

/** Those for a resource whose application registered itself. */
export const endUnregisteredSessionsOfResource = ({ db }: TransactionCtx, id: number): void =>
  store.deleteUnregisteredSessionRowsOfResource(db, id)

/** Those of a user that came of a consent. */
export const endSessionsOfGrant = (ctx: TransactionCtx, grant: { userId: number; grantId: number }): void => {
  store.deleteSessionRowsOfGrant(ctx.db, ctx.tenantId, grant)
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId: grant.userId, sessionId: '' })
}

/** Those of clients that no administrator has made, in the tenant in scope. */
export const endUnregisteredSessions = ({ db, tenantId }: TransactionCtx): void =>
  store.deleteUnregisteredSessionRows(db, tenantId)

/** Whether an application has sessions in any tenant. */
export const hasSessions = async ({ db }: Pick<TransactionCtx, 'db'>, id: number): Promise<boolean> =>
  (await store.selectSessionsOfApplication(db, id)).is_used
