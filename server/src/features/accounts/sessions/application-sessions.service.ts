/** Sessions of applications, which depend on a browser's sign-in. */
import {
  inTransactionAfter,
  type CallerlessCtx,
  type Ctx,
  type EarlyCtx,
  type TransactionCtx,
} from '../../../context.ts'
import type { Claims, TokenSubject } from '../../../crypto/tokens.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { OpeningConnection } from './connection-ends.store.ts'
import { endStolenSession, isRestrictedIn, nextSubject } from './rotation.service.ts'
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

/** Locks an account, so that none of its sessions opens or ends meanwhile. */
export const lockAccount = ({ db }: EarlyCtx, accountId: number): void => lock(db, accountId)

export const lockAccountOfUser = ({ db, tenantId }: EarlyCtx, userId: number) => lockOf(db, tenantId, userId)

/** The most sessions of a sign-in with one application (docs/contract.md, "Sign in with Tenantry"). */
const livingMax = 20

/** The sessions that end when another one opens. Lock the account first. */
export const findSurplus = (
  { db, parts }: EarlyCtx,
  accountId: number,
  alike: store.AlikeSessions,
): Promise<store.SurplusSession[]> =>
  store.selectSurplus(db, accountId, { ...alike, now: parts.now(), kept: livingMax - 1 })

/** Ends only these sessions of an account, not their sign-ins. */
export const endSurplus = async (
  ctx: TransactionCtx,
  accountId: number,
  surplus: store.SurplusSession[],
): Promise<void> => {
  if (surplus.length === 0) return
  const ids = surplus.map(({ id }) => id)
  announceEnded(ctx, await store.deleteSessionRowsByIds(ctx.db, accountId, ids))
}

/** The session of an application, and its end, which the application sets. */
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
 * session would be restricted: the person resolves that on the page of the sign-in.
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
  }: Pick<NewApplicationSession, 'userId' | 'amr' | 'connection' | 'signInId'>,
): Promise<OpenedSession> => {
  const { tenantId } = ctx
  const subject = await openSession(ctx, { userId, tenantId }, amr, connection)
  requireFree(subject)
  if (signInId !== undefined) {
    store.updateSessionOfConsole(ctx.db, { tenantId, id: subject.sessionId }, signInId)
  }
  return subject
}

/** A session of an application that goes on, with the subject of its next tokens. */
export interface RotatedSession {
  session: store.ApplicationSessionRow
  subject: TokenSubject
}

/** The token endpoint's parts of a refresh. */
interface Refreshing<T> {
  /** Throws to refuse the refresh; the token then stays unused. */
  check: (session: store.ApplicationSessionRow) => void
  /** Issues the tokens. It signs while the database commits; if the commit fails, they are not returned. */
  issue: (rotated: RotatedSession) => Promise<T>
}

/**
 * Refreshes a session of an application, as `rotateSession` does. Undefined also for a token of another application,
 * and for a session that has become restricted; neither token is used up.
 */
export const rotateApplicationSession = async <T>(
  ctx: Ctx,
  claims: Claims,
  applicationId: number,
  { check, issue }: Refreshing<T>,
): Promise<T | undefined> => {
  const outcome = await inTransactionAfter(
    ctx,
    ({ db, tenantId, parts }) =>
      store.selectApplicationSessionForUpdate(db, {
        tenantId,
        id: claims.sessionId,
        userId: claims.userId,
        now: parts.now(),
      }),
    async (ctx, session) => {
      if (session?.application_id !== applicationId || isRestrictedIn(ctx, session)) return undefined
      check(session)
      const expiresAt = after(ctx.parts.now(), session.session_seconds)
      const next = nextSubject(ctx, claims, session, expiresAt)
      if (!next || 'stolenFrom' in next) return next
      const issued = issue({ session, subject: next })
      issued.catch(() => undefined) // a failure is thrown after the commit
      return { issued }
    },
  )
  if (!outcome || 'issued' in outcome) return outcome?.issued
  await endStolenSession(ctx, claims, outcome.stolenFrom)
  return undefined
}

/** The session that an ID token names, unless it has expired. */
export const findHintedSession = (
  { db, tenantId, parts }: CallerlessCtx,
  session: { userId: number; id: string },
): Promise<store.HintedSession | undefined> =>
  store.selectHintedSession(db, { ...session, tenantId, now: parts.now() })

/**
 * Ends a session of an application, and not its sign-in or the sign-in's other sessions. False when the tenant in scope
 * has no session of that id. Lock the account first.
 */
export const endApplicationSession = async (
  ctx: TransactionCtx,
  session: store.SessionOfOne,
): Promise<boolean> => {
  const ended = await store.deleteApplicationSessionRow(ctx.db, ctx.tenantId, session)
  announceEnded(ctx, ended ? [ended] : [])
  return ended !== undefined
}
