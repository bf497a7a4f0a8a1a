/** Ends sessions that a connection opened. A session of a connection can end other sessions only in its own tenant. */
import { tokenInvalid, type Ctx, type TransactionCtx } from '../../../context.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import * as signIns from './browser-sign-ins.store.ts'
import * as connections from './connection-ends.store.ts'
import { endBrowserSignIn, announceEnded } from './ends.service.ts'
import * as store from './sessions.store.ts'
import { updateSupportOfUser } from './support-ends.store.ts'

export const endSessionsOfConnection = async (ctx: TransactionCtx, id: string): Promise<void> => {
  connections.deleteSignInRowsOfConnection(ctx.db, ctx.tenantId, id)
  announceEnded(ctx, await connections.deleteSessionRowsOfConnection(ctx.db, ctx.tenantId, id))
}

/** Ends the sessions and sign-ins of one user, as far as connections of the tenant in scope opened them. */
export const endSessionsByConnections = async (
  ctx: TransactionCtx,
  { userId, accountId }: { userId: number; accountId: number },
): Promise<void> => {
  connections.deleteSignInRowsOfPerson(ctx.db, ctx.tenantId, accountId)
  announceEnded(ctx, await connections.deleteSessionRowsOfPerson(ctx.db, ctx.tenantId, userId))
}

/**
 * Ties a new session to the connection that opens it. Throws 401 unless the connection is active and linked to the
 * user.
 */
export const bindToConnection = async (
  { db, tenantId }: TransactionCtx,
  { userId, sessionId }: { userId: number; sessionId: string },
  connection: connections.OpeningConnection,
): Promise<void> => {
  if (!(await connections.selectLinkForShare(db, tenantId, userId, connection.id))) throw tokenInvalid()
  connections.updateConnectionOfSession(db, { tenantId, id: sessionId }, connection)
}

/** Whether a connection opened the caller's session. */
export const isOfConnection = ({ actor }: Ctx): boolean => actor.connectionId !== undefined

/**
 * Ends a session of a user in the tenant in scope, and nothing elsewhere. Returns false for an unknown session. For a session of
 * the console, also ends its browser sign-in, if a connection of the tenant opened that sign-in. Locks the account.
 */
export const endHere = async (
  ctx: TransactionCtx,
  { userId, accountId }: { userId: number; accountId: number },
  sessionId: string,
): Promise<boolean> => {
  store.lockAccount(ctx.db, accountId)
  const ended = await store.deleteSessionRow(ctx.db, ctx.tenantId, userId, sessionId)
  if (!ended) return false
  announceEnded(ctx, [ended])
  if (ended.is_shared && ended.application_id === null) await endSignInHere(ctx, accountId, ended.sign_in_id)
  return true
}

/** The browser sign-ins of a person that connections of the tenant in scope opened. */
export const findSignInsHere = ({ db, tenantId, parts }: Ctx, accountId: number) =>
  signIns.selectSignInsByConnections(db, tenantId, accountId, parts.now())

/** Ends one of a person's browser sign-ins, with its sessions. False when there is no such sign-in. */
export const endSignInHere = async (ctx: TransactionCtx, accountId: number, id: string): Promise<boolean> =>
  (await findSignInsHere(ctx, accountId)).some((one) => one.id === id) &&
  (await endBrowserSignIn(ctx, accountId, id)).isEnded

/** Ends the caller's other sessions in the tenant in scope, and the given sign-ins, with an audit record there. */
export const endOthersHere = async (
  ctx: TransactionCtx,
  { userId, accountId }: { userId: number; accountId: number },
  keptId: string,
): Promise<void> => {
  connections.deleteSignInRowsOfPerson(ctx.db, ctx.tenantId, accountId)
  announceEnded(ctx, await store.deleteOtherSessionRows(ctx.db, ctx.tenantId, userId, keptId))
  updateSupportOfUser(ctx.db, ctx.tenantId, userId)
  const { name: username } = ctx.actor
  record(ctx, { action: 'auth.other_sessions_end', resourceId: userId, detail: naming({ username }) })
}
