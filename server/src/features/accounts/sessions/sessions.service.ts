import { randomUUID } from 'node:crypto'
import { restrictionOf, type Actor } from '../../../access/actor.ts'
import {
  inTenantWithin,
  inTransaction,
  tokenInvalid,
  type Ctx,
  type Parts,
  type TransactionCtx,
  type EarlyCtx,
} from '../../../context.ts'
import type { Invalidation } from '../../../cache/cache.ts'
import { refreshTokenSeconds } from '../../../crypto/keys.ts'
import type { TokenSubject } from '../../../crypto/tokens.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { sweep } from '../../../db/sweep.ts'
import { recordForAccount } from '../accounts/accounts.service.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import {
  bindToConnection,
  endHere,
  endOthersHere,
  endSignInHere,
  findSignInsHere,
  isOfConnection,
} from './connection-ends.service.ts'
import type { OpeningConnection } from './connection-ends.store.ts'
import * as signIns from './browser-sign-ins.store.ts'
import { endBrowsers, endBrowserSignIn, announceEnded } from './ends.service.ts'
import { requireReach, type OpenedSession } from './reach.service.ts'
import type { Session, TokenPair } from './sessions.schemas.ts'
import { listedMax } from './living.sql.ts'
import * as store from './sessions.store.ts'
import { endSupportAsUser, endSupportElsewhere, leaveSupport } from './support-ends.service.ts'
import { selectSupportOfAccount, selectSupportOfUser, updateSupportOfUser } from './support-ends.store.ts'

/** The expiry of a session after a use now. */
export const refreshExpiry = (now: Date) => after(now, refreshTokenSeconds)

/** Issues a pair of tokens for a session of the console or the SDK. */
export const issueTokens = async (ctx: Ctx, subject: TokenSubject): Promise<TokenPair> => {
  const { tokens, now } = ctx.parts
  const [access_token, refresh_token] = await Promise.all([
    tokens.sign('access', subject, now()),
    tokens.sign('refresh', subject, now()),
  ])
  return { access_token, refresh_token, expires_in: tokens.accessSeconds }
}

/**
 * Opens a session of a user with a proved identity, in the transaction's tenant. The transaction must hold a lock on
 * the account, as a sign-in does. `amr` names the proofs (RFC 8176). Throws 401 if the tenant accepts only connections.
 */
export const openSession = async (
  ctx: TransactionCtx,
  { userId, tenantId }: Pick<Actor, 'userId' | 'tenantId'>,
  amr: readonly string[] = ['pwd'],
  connection?: OpeningConnection,
): Promise<OpenedSession> => {
  const brokenGlassBy = await requireReach(ctx, { userId, tenantId }, amr, connection?.id)
  const now = ctx.parts.now()
  const sessionId = randomUUID()
  const { ip, userAgent } = ctx.origin
  store.insertSession(ctx.db, {
    tenantId,
    id: sessionId,
    userId,
    amr,
    ip,
    userAgent,
    now,
    expiresAt: refreshExpiry(now),
  })
  if (connection) await bindToConnection(ctx, { userId, sessionId }, connection)
  const facts = { amr, ...(await readDemands(ctx, { userId, tenantId }, amr)) }
  const isRestricted = restrictionOf(ctx.parts.config, ctx.tenant, facts) !== undefined
  const subject = { userId, tenantId, sessionId, generation: 0, amr, connectionId: connection?.id }
  return { ...subject, isRestricted, brokenGlassBy }
}

export const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Runs a statement only if its result can matter. */
const readDemands = async (
  { db, parts }: Ctx,
  { userId, tenantId }: Pick<Actor, 'userId' | 'tenantId'>,
  amr: readonly string[],
): Promise<{ is_email_open: boolean; is_password_expired: boolean }> => {
  const isByPassword = amr.includes('pwd')
  if (!parts.config.requireVerifiedEmail && !isByPassword) {
    return { is_email_open: false, is_password_expired: false }
  }
  const found = await store.selectOpenDemands(db, tenantId, userId)
  return {
    is_email_open: found?.is_email_open !== false,
    is_password_expired: isByPassword && found?.is_expired === true,
  }
}

/** Locks an account, and throws 401 if the session has ended. Call it before a user is locked. */
export const requireLivingSession = async (
  ctx: EarlyCtx,
  { accountId, sessionId }: { accountId: number; sessionId: string },
): Promise<store.Inheritance> => {
  store.lockAccount(ctx.db, accountId)
  const inheritance = await store.selectInheritance(ctx.db, accountId, sessionId, ctx.parts.now())
  if (!inheritance) throw tokenInvalid()
  return inheritance
}

/**
 * Opens a session in another tenant for a signed-in person. It belongs to the same sign-in, and has its proofs. It ends
 * no later than the first session, so that a leaked access token does not give seven more days. Locks the account.
 * Throws 401 for an ended session.
 */
export const openSwitchedSession = async (
  ctx: TransactionCtx,
  who: Pick<Actor, 'userId' | 'tenantId'>,
  from: { accountId: number; sessionId: string },
): Promise<OpenedSession> => {
  const inheritance = await requireLivingSession(ctx, from)
  const subject = await openSession(ctx, who, inheritance.amr)
  await inTenantWithin(ctx, inheritance.tenant_id, async ({ db, tenantId }) =>
    store.updateSessionShared(db, tenantId, from.sessionId),
  )
  store.updateInheritance(ctx.db, { tenantId: who.tenantId, id: subject.sessionId }, inheritance)
  return subject
}

/**
 * Ends a session of an account, the sessions of the same sign-in in all tenants, and that of the browser. False when
 * there is no such session. `userId` is the account's user in the tenant in scope. Locks the account, so call it before
 * a user is locked.
 */
export const endSignIn = async (
  ctx: TransactionCtx,
  { accountId, userId, sessionId }: { accountId: number; userId: number; sessionId: string },
): Promise<boolean> => {
  store.lockAccount(ctx.db, accountId)
  const here = await store.deleteSessionRow(ctx.db, ctx.tenantId, userId, sessionId)
  const elsewhere = here
    ? await endElsewhere(ctx, accountId, sharedAmong([here]))
    : await store.deleteSignInRows(ctx.db, accountId, sessionId)
  const ended = [...(here ? [here] : []), ...elsewhere]
  announceEnded(ctx, ended)
  await endBrowsers(ctx, accountId, ended)
  return ended.length > 0
}

/** Deletes up to `limit` sessions of a removed tenant. Returns their number. */
export const endSessionsOfRemoved = (db: TransactionDb, tenantId: string, limit: number): Promise<number> =>
  store.deleteSessionRowsOfTenant(db, tenantId, limit)

/** The sign-ins that can have sessions in other tenants. */
const sharedAmong = (ended: store.EndedSession[]): string[] =>
  ended.filter((session) => session.is_shared).map(({ sign_in_id: id }) => id)

/** Ends the sessions of sign-ins in other tenants. Most sign-ins have no such session, and then no statement runs. */
const endElsewhere = async (
  { db }: TransactionCtx,
  accountId: number,
  signInIds: string[],
): Promise<store.EndedSession[]> =>
  signInIds.length === 0 ? [] : store.deleteRowsOfSignIns(db, accountId, signInIds)

/**
 * Ends the sessions of an account in all tenants. Keeps one session of the tenant in scope; "" keeps none. Locks the
 * account, so call it before a user is locked. The raised epoch also ends sessions that open at the same time. The
 * previous version, which runs beside this one during an upgrade, sees only the deletion.
 */
export const endAccountSessions = (ctx: TransactionCtx, accountId: number, keptId = ''): void => {
  store.updateSessionEpoch(ctx.db, accountId)
  if (keptId !== '') keep(ctx, accountId, keptId)
  store.deleteSessionRowsOfAccount(ctx.db, accountId, keptId)
  ctx.changes.push({ kind: 'account', accountId })
}

const isOfBrowser = ({ actor }: Ctx): boolean => actor.credential?.kind === 'sign_in'

/** Keeps a session, or the browser sign-in that the caller uses, whose console session then continues. */
const keep = (ctx: TransactionCtx, accountId: number, id: string): void => {
  if (!isOfBrowser(ctx)) return store.updateSessionKept(ctx.db, ctx.tenantId, id, accountId)
  signIns.updateSignInKept(ctx.db, id, accountId)
  store.updateSessionsOfBrowserKept(ctx.db, ctx.tenantId, id, accountId)
}

/** Stores further proofs of the person in the caller's session. Lock the account first. */
export const addProofs = (ctx: TransactionCtx, proofs: readonly string[]): void => {
  const { sessionId } = ownSession(ctx.actor)
  if (isOfBrowser(ctx)) {
    signIns.updateSignInProofs(ctx.db, { id: sessionId, proofs, now: ctx.parts.now() })
    return
  }
  store.updateSessionProofs(ctx.db, { tenantId: ctx.tenantId, sessionId, proofs })
}

/**
 * Removes the second factor from the caller's session, after the account has lost its last one. Lock the account first.
 */
export const dropMfa = (ctx: TransactionCtx): void => {
  const { sessionId } = ownSession(ctx.actor)
  if (isOfBrowser(ctx)) signIns.updateSignInWithoutMfa(ctx.db, sessionId)
  else store.updateSessionWithoutMfa(ctx.db, ctx.tenantId, sessionId)
}

/**
 * Ends the sessions of a user of the tenant in scope for good. Also ends the browser sign-ins used there, with their
 * sessions in other tenants. Lock the account first, then the user.
 */
export const endSessions = async (
  ctx: TransactionCtx,
  user: { id: number; account_id: number },
): Promise<void> => {
  const ended = await store.deleteSessionRowsOfUser(ctx.db, ctx.tenantId, user.id)
  updateSupportOfUser(ctx.db, ctx.tenantId, user.id)
  const ofBrowsers = await signIns.deleteSignInRowsOfUser(ctx.db, ctx.tenantId, user.account_id)
  await endElsewhere(ctx, user.account_id, [...sharedAmong(ended), ...ofBrowsers.map(({ id }) => id)])
  // A change of the account reaches only its present users, so a deleted user needs a change of its own.
  ctx.changes.push({ kind: 'account', accountId: user.account_id }, everySessionOf(ctx, user.id))
}

const everySessionOf = ({ tenantId }: TransactionCtx, userId: number): Invalidation => ({
  kind: 'user',
  tenantId,
  userId,
  sessionId: '',
})

/** Ends the sessions of a user only in the tenant in scope. The user's sign-ins and sessions in other tenants stay. */
export const endSessionsHere = async (ctx: TransactionCtx, userId: number): Promise<void> => {
  await store.deleteSessionRowsOfUser(ctx.db, ctx.tenantId, userId)
  updateSupportOfUser(ctx.db, ctx.tenantId, userId)
  ctx.changes.push(everySessionOf(ctx, userId))
}

export const sessionUnknown = () =>
  new AppError('sessionUnknown', 'The user has no such session, or it has ended')

/** The caller's account and session. Throws 401 for a key. */
export const ownSession = ({ accountId, userId, credential }: Actor) => {
  if (accountId === undefined || credential === undefined) throw tokenInvalid()
  return { accountId, userId, sessionId: credential.id }
}

/**
 * Sorts sessions by last use, the latest first, and marks the session of the request: an id is unique only in its
 * tenant. The session of the console represents the sign-in of its browser.
 */
const listed = async ({ actor }: Ctx, ...lists: Promise<store.ListedSession[]>[]): Promise<Session[]> => {
  const all = (await Promise.all(lists)).flat()
  const browsers = new Set(all.map((one) => one.browser_sign_in))
  return all
    .filter(({ id }) => !browsers.has(id))
    .toSorted((one, other) => other.last_used_at.localeCompare(one.last_used_at))
    .slice(0, listedMax)
    .map((one) => {
      const { browser_sign_in: _, ...session } = one
      const isCurrent = session.id === actor.credential?.id && session.tenant_id === actor.tenantId
      return { ...session, is_current: isCurrent }
    })
}

/**
 * The caller's sessions in all tenants and the browser sign-ins, by last use. If a connection opened the caller's
 * session, lists only those of its tenant.
 */
export const listOwnSessions = (ctx: Ctx): Promise<Session[]> => {
  const { accountId, userId } = ownSession(ctx.actor)
  const { store: database, now } = ctx.parts
  const db = database.scoped({ accountId })
  if (isOfConnection(ctx)) {
    const sessions = store.selectSessionsOfUser(ctx.db, ctx.tenantId, userId, now())
    const support = selectSupportOfUser(ctx.db, ctx.tenantId, userId)
    return listed(ctx, sessions, support, findSignInsHere(ctx, accountId))
  }
  return listed(
    ctx,
    store.selectSessionsOfAccount(db, accountId, now()),
    signIns.selectSignInsOfAccount(database.scoped({}), accountId, now()),
    selectSupportOfAccount(db, accountId),
  )
}

/** The sessions of a user in the tenant in scope, and the browser sign-ins that end with them. */
export const listSessionsOfUser = (ctx: Ctx, userId: number): Promise<Session[]> => {
  const { db, tenantId, parts } = ctx
  const now = parts.now()
  return listed(
    ctx,
    store.selectSessionsOfUser(db, tenantId, userId, now),
    signIns.selectSignInsOfUser(db, tenantId, userId, now),
    selectSupportOfUser(db, tenantId, userId),
  )
}

/** Ends an active support session as the caller's user, here or in another tenant. False if there is none. */
const endOwnSupport = async (ctx: TransactionCtx, userId: number, id: string): Promise<boolean> =>
  (await endSupportAsUser(ctx, userId, id)) ||
  (await endSupportElsewhere(ctx, id, ['active']))?.isEnded === true

/**
 * Ends one of the caller's sessions in any tenant, or a browser sign-in with its sessions. Throws 404 for any other id.
 */
export const endOwnSession = (ctx: Ctx, sessionId: string): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const { accountId, userId: ownId } = ownSession(ctx.actor)
    const isEnded = isOfConnection(ctx)
      ? (await endHere(ctx, { userId: ownId, accountId }, sessionId)) ||
        (await endSignInHere(ctx, accountId, sessionId))
      : (await endSignIn(ctx, { accountId, userId: ownId, sessionId })) ||
        (await endBrowserSignIn(ctx, accountId, sessionId)).isEnded
    if (!isEnded && (await endOwnSupport(ctx, ownId, sessionId))) return null
    if (!isEnded) throw sessionUnknown()
    const { userId, name: username } = ctx.actor
    record(ctx, {
      action: 'auth.session_end',
      resourceId: userId,
      detail: { ...naming({ username }), ...changesBetween({ session: sessionId }, {}) },
    })
    return null
  })

/** Ends all sessions of the caller except the present one, with an audit record in each tenant of the person. */
export const endOtherSessions = (ctx: Ctx): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const { accountId, userId, sessionId } = ownSession(ctx.actor)
    if (isOfConnection(ctx)) {
      await endOthersHere(ctx, { userId, accountId }, sessionId)
      return null
    }
    endAccountSessions(ctx, accountId, sessionId)
    await recordForAccount(ctx, accountId, { action: 'auth.other_sessions_end' })
    return null
  })

/** Ends the caller's session and its sign-in. */
export const logout = (ctx: Ctx): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    if (ctx.actor.support) return leaveSupport(ctx)
    const { userId, name: username } = ctx.actor
    const own = ownSession(ctx.actor)
    if (isOfConnection(ctx)) await endHere(ctx, own, own.sessionId)
    else await endSignIn(ctx, own)
    record(ctx, { action: 'auth.logout', resourceId: userId, detail: naming({ username }) })
    return null
  })

/** Deletes expired sessions; otherwise the rows of all sign-ins would accumulate. */
export const sweepSessions = (parts: Pick<Parts, 'store'>): Promise<void> =>
  sweep(parts.store, store.expiredSessions)
