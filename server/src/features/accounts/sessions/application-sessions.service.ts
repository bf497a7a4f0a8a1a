/** Sessions of applications, and the sign-ins of browsers that they hang on. */
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
import { tellEnded } from './ends.service.ts'
import type { OpenedSession } from './reach.service.ts'
import * as store from './application-sessions.store.ts'
import { lockAccountOfUser as lockOf, lockAccount as lock } from './sessions.store.ts'

export type { OpeningConnection } from './connection-ends.store.ts'
export type { ApplicationSessionRow, Person } from './application-sessions.store.ts'

/** A user of the tenant in scope as applications may see them. */
export const findPerson = (
  { db, tenantId }: CallerlessCtx,
  userId: number,
): Promise<store.Person | undefined> => store.selectPerson(db, tenantId, userId)

/** Locks an account: no session of it opens or ends meanwhile. */
export const lockAccount = ({ db }: EarlyCtx, accountId: number): void => lock(db, accountId)

/** Locks the account of a user of the tenant in scope. */
export const lockAccountOfUser = ({ db, tenantId }: EarlyCtx, userId: number) => lockOf(db, tenantId, userId)

/** docs/contract.md, "Sign in with Tenantry": a sign-in and an application have at most so many sessions at once. */
const livingMax = 20

/** The sessions that end when another one opens. Lock the account first. */
export const findSurplus = (
  { db, parts }: EarlyCtx,
  accountId: number,
  alike: store.AlikeSessions,
): Promise<store.SurplusSession[]> =>
  store.selectSurplus(db, accountId, { ...alike, now: parts.now(), kept: livingMax - 1 })

/** Ends these sessions of an account, each for itself. */
export const endSurplus = async (
  ctx: TransactionCtx,
  accountId: number,
  surplus: store.SurplusSession[],
): Promise<void> => {
  if (surplus.length === 0) return
  const ids = surplus.map(({ id }) => id)
  tellEnded(ctx, await store.deleteSessionRowsByIds(ctx.db, accountId, ids))
}

/** The session of an application, and the end that the application gives it. */
export interface NewApplicationSession extends store.SessionOfApplication {
  userId: number
  amr: readonly string[]
  sessionSeconds: number
  /** The connection that opened the sign-in; undefined for any other way in. */
  connection: OpeningConnection | undefined
}

const requireFree = ({ isRestricted }: OpenedSession): void => {
  if (isRestricted) throw new AppError('sessionRestricted', 'The session would be restricted')
}

/**
 * Opens a session of an application for a user of the tenant in scope, behind the lock of the account. Throws 403 where
 * the session would be restricted: the person settles that on the page of the sign-in.
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

/** The parts of a refresh that the token endpoint adds. */
interface Refreshing<T> {
  /** An error of it uses nothing up. */
  check: (session: store.ApplicationSessionRow) => void
  /** Issues the tokens. They are signed while the database commits: nobody gets them if it fails. */
  issue: (rotated: RotatedSession) => Promise<T>
}

/**
 * The same for a session of an application. Undefined also for the token of another application, which is not used up, and
 * for a session that has become restricted.
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
      issued.catch(() => undefined) // thrown behind the commit
      return { issued }
    },
  )
  if (!outcome || 'issued' in outcome) return outcome?.issued
  await endStolenSession(ctx, claims, outcome.stolenFrom)
  return undefined
}

/** The living session that an ID token tells of. */
export const findHintedSession = (
  { db, tenantId, parts }: CallerlessCtx,
  session: { userId: number; id: string },
): Promise<store.HintedSession | undefined> =>
  store.selectHintedSession(db, { ...session, tenantId, now: parts.now() })

/**
 * Ends the session of an application for itself: the sign-in and its other sessions go on. False when it has none of that id in
 * the tenant in scope. Lock the account first.
 */
export const endApplicationSession = async (
  ctx: TransactionCtx,
  session: store.SessionOfOne,
): Promise<boolean> => {
  const ended = await store.deleteApplicationSessionRow(ctx.db, ctx.tenantId, session)
  tellEnded(ctx, ended ? [ended] : [])
  return ended !== undefined
}
