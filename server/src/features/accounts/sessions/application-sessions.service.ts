/** Sessions of applications, which depend on a browser's sign-in. */
import type { CallerlessCtx, EarlyCtx, TransactionCtx } from '../../../context.ts'
import type { Claims } from '../../../crypto/tokens.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { OpeningConnection } from './connection-ends.store.ts'
import { after, openSession } from './sessions.service.ts'
import { announceEnded } from './ends.service.ts'
import type { OpenedSession } from './reach.service.ts'
import * as store from './application-sessions.store.ts'
import { lockAccountOfUser as lockOf, lockAccount as lock } from './sessions.store.ts'

export type { OpeningConnection } from './connection-ends.store.ts'
export type { ApplicationSessionRow, Person } from './application-sessions.store.ts'

/** A user of the tenant in scope, with the fields that applications may see. */
export const findPerson = (
  { db, tenantId }: CallerlessCtx,
  userId: number,
): Promise<store.Person | undefined> => store.selectPerson(db, tenantId, userId)

/** Locks an account. Until the lock ends, no session of the account opens or ends. */
export const lockAccount = ({ db }: EarlyCtx, accountId: number): void => lock(db, accountId)

export const lockAccountOfUser = ({ db, tenantId }: EarlyCtx, userId: number) => lockOf(db, tenantId, userId)

/** The most sessions of a sign-in with one application (docs/contract.md, "Sign in with Tenantry"). */
const livingMax = 20

/** The sessions that must end when another one opens. Lock the account first. */
export const findSurplus = (
  { db, parts }: EarlyCtx,
  accountId: number,
  alike: store.AlikeSessions,
): Promise<store.SurplusSession[]> =>
  store.selectSurplus(db, accountId, { ...alike, now: parts.now(), kept: livingMax - 1 })

/** Ends only these sessions of an account, and not their sign-ins. */
export const endSurplus = async (
  ctx: TransactionCtx,
  accountId: number,
  surplus: store.SurplusSession[],
): Promise<void> => {
  if (surplus.length === 0) return
  const ids = surplus.map(({ id }) => id)
  announceEnded(ctx, await store.deleteSessionRowsByIds(ctx.db, accountId, ids))
}

/** The session of an application. The application sets its end. */
export interface NewApplicationSession extends store.SessionOfApplication {
  userId: number
  amr: readonly string[]
  sessionSeconds: number
  /** The connection that opened the sign-in; undefined for another sign-in method. */
  connection: OpeningConnection | undefined
}

const requireFree = ({ isRestricted }: OpenedSession): void => {
  if (isRestricted) throw new AppError('sessionRestricted', 'The session would be restricted')
}

/**
 * Opens a session of an application for a user of the tenant in scope. Lock the account first. Throws 403 if the
 * session would be restricted: the page of the sign-in lets the person meet the requirement.
 */
export const openApplicationSession = async (
  ctx: TransactionCtx,
  { userId, amr, sessionSeconds, connection, ...given }: NewApplicationSession,
): Promise<OpenedSession> => {
  const { tenantId } = ctx
  const subject = await openSession(ctx, { userId, tenantId }, amr, connection)
  requireFree(subject)
  const expiresAt = after(ctx.parts.now(), sessionSeconds)
  store.updateSessionOfApplication(ctx.db, { tenantId, id: subject.sessionId, expiresAt }, given)
  return subject
}

/**
 * Opens a session of the console, which ends together with the sign-in of its browser. Throws 403 as
 * `openApplicationSession` does.
 */
export const openConsoleSession = async (
  ctx: TransactionCtx,
  {
    userId,
    amr,
    connection,
    signInId,
    authTime,
  }: Pick<NewApplicationSession, 'userId' | 'amr' | 'connection' | 'signInId' | 'authTime'>,
): Promise<OpenedSession> => {
  const { tenantId } = ctx
  const subject = await openSession(ctx, { userId, tenantId }, amr, connection)
  requireFree(subject)
  if (signInId !== undefined) {
    store.updateSessionOfConsole(ctx.db, { tenantId, id: subject.sessionId }, { signInId, authTime })
  }
  return subject
}

/** Locks a session of any application for its refresh; undefined when it has ended. */
export const lockApplicationSession = (
  { db, tenantId, parts }: EarlyCtx,
  { sessionId: id, userId }: Claims,
): Promise<store.ApplicationSessionRow | undefined> =>
  store.selectApplicationSessionForUpdate(db, { tenantId, id, userId, now: parts.now() })

/** The session that an ID token names, unless it is expired. */
export const findHintedSession = (
  { db, tenantId, parts }: CallerlessCtx,
  session: { userId: number; id: string },
): Promise<store.HintedSession | undefined> =>
  store.selectHintedSession(db, { ...session, tenantId, now: parts.now() })

/**
 * Ends a session of an application, but neither its sign-in nor that sign-in's other sessions. False when the tenant in
 * scope has no session with the id. Lock the account first.
 */
export const endApplicationSession = async (
  ctx: TransactionCtx,
  session: store.SessionOfOne,
): Promise<boolean> => {
  const ended = await store.deleteApplicationSessionRow(ctx.db, ctx.tenantId, session)
  announceEnded(ctx, ended ? [ended] : [])
  return ended !== undefined
}
