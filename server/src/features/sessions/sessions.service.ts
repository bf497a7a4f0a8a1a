import { randomUUID } from 'node:crypto'
import { restrictionOf, type Actor } from '../../access/actor.ts'
import {
  inTenantWithin,
  inTransaction,
  inTransactionAfter,
  tokenInvalid,
  type Ctx,
  type Parts,
  type TransactionCtx,
  type EarlyCtx,
} from '../../context.ts'
import { refreshTokenSeconds } from '../../crypto/keys.ts'
import type { Claims, TokenSubject } from '../../crypto/tokens.ts'
import { AppError, tenantSuspended } from '../../errors.ts'
import { sweep } from '../../db/sweep.ts'
import { recordForAccount } from '../accounts/accounts.service.ts'
import { changesBetween, naming, record, recordAs } from '../audit/audit.service.ts'
import type { Session, TokenPair } from './sessions.schemas.ts'
import * as store from './sessions.store.ts'

/** The same refresh token within 10 seconds is a lost response, not a theft (docs/contract.md, "Authentication"). */
const refreshGraceMs = 10_000

const refreshExpiry = (now: Date) => new Date(now.getTime() + refreshTokenSeconds * 1000)

/** Issues a pair of tokens of a session. */
export const issueTokens = async (ctx: Ctx, subject: TokenSubject): Promise<TokenPair> => {
  const { tokens, now } = ctx.parts
  const [access_token, refresh_token] = await Promise.all([
    tokens.sign('access', subject, now()),
    tokens.sign('refresh', subject, now()),
  ])
  return { access_token, refresh_token, expires_in: tokens.accessSeconds }
}

/** Only a password. */
const byPassword: readonly string[] = ['pwd']

/**
 * Opens a session of a user whose identity is proved, in the tenant that the transaction began in. Its transaction holds a
 * lock on the account, as a sign-in does. `amr` says how the person proved it (RFC 8176).
 */
export const openSession = async (
  ctx: TransactionCtx,
  { userId, tenantId }: Pick<Actor, 'userId' | 'tenantId'>,
  amr: readonly string[] = byPassword,
): Promise<TokenSubject> => {
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
  const facts = { amr, is_email_open: await isEmailOpen(ctx, { userId, tenantId }) }
  const isRestricted = restrictionOf(ctx.parts.config, ctx.tenant, facts) !== undefined
  return { userId, tenantId, sessionId, generation: 0, amr, isRestricted }
}

/** Costs a statement only where the answer matters. */
const isEmailOpen = async (
  { db, parts }: Ctx,
  { userId, tenantId }: Pick<Actor, 'userId' | 'tenantId'>,
): Promise<boolean> =>
  parts.config.requireVerifiedEmail &&
  (await store.selectEmailOpen(db, tenantId, userId))?.is_email_open !== false

/** Locks an account, and throws 401 unless the session of it goes on. Call it before a user is locked. */
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
 * Opens a session in another tenant for a person who is signed in. It belongs to the same sign-in, with its kinds of
 * proof, and never outlives the session that it came from: a leaked access token does not become seven more days.
 * Locks the account. Throws 401 when the session has ended.
 */
export const openSwitchedSession = async (
  ctx: TransactionCtx,
  who: Pick<Actor, 'userId' | 'tenantId'>,
  from: { accountId: number; sessionId: string },
): Promise<TokenSubject> => {
  const inheritance = await requireLivingSession(ctx, from)
  const subject = await openSession(ctx, who, inheritance.amr)
  await inTenantWithin(ctx, inheritance.tenant_id, async ({ db, tenantId }) =>
    store.updateSessionShared(db, tenantId, from.sessionId),
  )
  store.updateInheritance(ctx.db, { tenantId: who.tenantId, id: subject.sessionId }, inheritance)
  return subject
}

/** Throws 404 unless the session belongs to the user, goes on and is not restricted. */
export const requireSession = async (
  { db, parts }: Ctx,
  { userId, tenantId }: Pick<Actor, 'userId' | 'tenantId'>,
  id: string,
): Promise<void> => {
  const session = await store.selectSession(db, { tenantId, id, userId, now: parts.now() })
  if (!session || restrictionOf(parts.config, session, session) !== undefined) throw sessionUnknown()
}

/**
 * The subject of the session's next tokens; undefined when the token is refused. A session counts its refreshes, and every
 * token names the refresh that issued it. Tokens of older generations are dead, so no token is stored. Tokens of one
 * generation, issued for a repeated refresh, are equal.
 */
export const rotateSession = async (ctx: Ctx, claims: Claims): Promise<TokenSubject | undefined> => {
  const outcome = await inTransactionAfter(
    ctx,
    ({ db, tenantId, parts }) =>
      store.selectSessionForUpdate(db, {
        tenantId,
        id: claims.sessionId,
        userId: claims.userId,
        now: parts.now(),
      }),
    async (ctx, session) => session && nextSubject(ctx, claims, session),
  )
  if (!outcome || !('stolenFrom' in outcome)) return outcome
  await endStolenSession(ctx, claims, outcome.stolenFrom)
  return undefined
}

/** The account whose token was used again, and its user. */
interface Theft {
  stolenFrom: { accountId: number; username: string }
}

const nextSubject = (
  ctx: TransactionCtx,
  claims: Claims,
  session: store.SessionRow,
): TokenSubject | undefined | Theft => {
  const { db, tenantId, parts } = ctx
  const now = parts.now()
  if (session.user_status !== 1) return undefined
  const age = session.generation - claims.generation
  const isRepeated = age === 1 && now.getTime() - session.rotated_at.getTime() <= refreshGraceMs
  const { account_id: accountId, username } = session
  if (age !== 0 && !isRepeated) return { stolenFrom: { accountId, username } }
  if (session.tenant_status !== 1) throw tenantSuspended()
  const isRestricted = restrictionOf(parts.config, ctx.tenant, session) !== undefined
  const subject = { ...claims, amr: session.amr, isRestricted }
  if (isRepeated) return { ...subject, generation: session.generation }
  store.updateSessionGeneration(db, {
    tenantId,
    id: claims.sessionId,
    now,
    expiresAt: refreshExpiry(now),
  })
  return { ...subject, generation: session.generation + 1 }
}

/** Needs a transaction of its own: the rotation has locked the session, and the account is locked before it. */
const endStolenSession = (
  ctx: Ctx,
  claims: Claims,
  { accountId, username }: Theft['stolenFrom'],
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { userId, sessionId } = claims
    const isEnded = await endSignIn(ctx, { accountId, userId, sessionId })
    if (!isEnded) return
    recordAs(
      ctx,
      { userId, username },
      {
        action: 'auth.refresh_reused',
        resourceId: userId,
        detail: { ...naming({ username }), ...changesBetween({ session: sessionId }, {}) },
      },
    )
  })

/**
 * Ends a session of an account, and in all tenants those of the same sign-in; false when there is none. `userId` is the
 * user of the account in the tenant in scope. Locks the account, so call it before a user is locked.
 */
const endSignIn = async (
  ctx: TransactionCtx,
  { accountId, userId, sessionId }: { accountId: number; userId: number; sessionId: string },
): Promise<boolean> => {
  store.lockAccount(ctx.db, accountId)
  const here = await store.deleteSessionRow(ctx.db, ctx.tenantId, userId, sessionId)
  const elsewhere = here
    ? await endElsewhere(ctx, accountId, [here])
    : await store.deleteSignInRows(ctx.db, accountId, sessionId)
  const ended = [...(here ? [here] : []), ...elsewhere]
  for (const { id, tenant_id, user_id } of ended) {
    ctx.changes.push({ kind: 'user', tenantId: tenant_id, userId: user_id, sessionId: id })
  }
  return ended.length > 0
}

/** Ends the sessions of the same sign-ins in other tenants. Most sign-ins have none, and then no other node is asked. */
const endElsewhere = async (
  { db }: TransactionCtx,
  accountId: number,
  ended: store.EndedHere[],
): Promise<store.EndedSession[]> => {
  const shared = ended.filter((session) => session.is_shared)
  if (shared.length === 0) return []
  return store.deleteRowsOfSignIns(
    db,
    accountId,
    shared.map(({ sign_in_id: id }) => id),
  )
}

/**
 * Ends the sessions of an account in all tenants, but one of the tenant in scope ("" keeps none). Locks the account, so
 * call it before a user is locked. The counter ends sessions that open at this moment, and those of the previous
 * version, which runs beside this one during an upgrade. To that version the deletion tells the end.
 */
export const endAccountSessions = (ctx: TransactionCtx, accountId: number, keptId = ''): void => {
  store.updateSessionEpoch(ctx.db, accountId)
  if (keptId !== '') store.updateSessionKept(ctx.db, ctx.tenantId, keptId, accountId)
  store.deleteSessionRowsOfAccount(ctx.db, accountId, keptId)
  ctx.changes.push({ kind: 'account', accountId })
}

/** Notes in the caller's session that the person has just given further proofs. Lock the account first. */
export const addProofs = (ctx: TransactionCtx, proofs: readonly string[]): void => {
  const { sessionId } = ownSession(ctx.actor)
  store.updateSessionProofs(ctx.db, { tenantId: ctx.tenantId, sessionId, proofs })
}

/** Takes the second factor from the caller's session: the account has none any more. Lock the account first. */
export const dropMfa = (ctx: TransactionCtx): void =>
  store.updateSessionWithoutMfa(ctx.db, ctx.tenantId, ownSession(ctx.actor).sessionId)

/**
 * Ends the sessions of a user of the tenant in scope for good, and those of the same sign-ins in other tenants. Lock
 * the account before the user, and both before this.
 */
export const endSessions = async (
  ctx: TransactionCtx,
  user: { id: number; account_id: number },
): Promise<void> => {
  const ended = await store.deleteSessionRowsOfUser(ctx.db, ctx.tenantId, user.id)
  await endElsewhere(ctx, user.account_id, ended)
  // A deleted user is no user of the account any more.
  ctx.changes.push(
    { kind: 'user', tenantId: ctx.tenantId, userId: user.id, sessionId: '' },
    { kind: 'account', accountId: user.account_id },
  )
}

/** Ends the sessions of a user only of the tenant in scope: those of the same sign-ins in other tenants go on. */
export const endSessionsHere = async (ctx: TransactionCtx, userId: number): Promise<void> => {
  await store.deleteSessionRowsOfUser(ctx.db, ctx.tenantId, userId)
}

const sessionUnknown = () => new AppError('sessionUnknown', 'The user has no such session, or it has ended')

/** The caller's account and session, for routes that no key may use. */
export const ownSession = ({ accountId, userId, credential }: Actor) => {
  if (accountId === undefined || credential === undefined) throw tokenInvalid()
  return { accountId, userId, sessionId: credential.id }
}

/** Marks the session of the request; an id is unique in its tenant only. */
const marked = ({ actor }: Ctx, sessions: store.ListedSession[]): Session[] =>
  sessions.map((session) => ({
    ...session,
    is_current: session.id === actor.credential?.id && session.tenant_id === actor.tenantId,
  }))

/** The caller's sessions in all their tenants. */
export const listOwnSessions = async (ctx: Ctx): Promise<Session[]> => {
  const { accountId } = ownSession(ctx.actor)
  const { store: database, now } = ctx.parts
  return marked(ctx, await store.selectSessionsOfAccount(database.scoped({ accountId }), accountId, now()))
}

/** The sessions of a user in the tenant in scope. */
export const listSessionsOfUser = async (ctx: Ctx, userId: number): Promise<Session[]> =>
  marked(ctx, await store.selectSessionsOfUser(ctx.db, ctx.tenantId, userId, ctx.parts.now()))

/** Ends one of the caller's sessions, in whichever tenant it is. Throws 404 for any other id. */
export const endOwnSession = (ctx: Ctx, sessionId: string): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const isEnded = await endSignIn(ctx, { ...ownSession(ctx.actor), sessionId })
    if (!isEnded) throw sessionUnknown()
    const { userId, name: username } = ctx.actor
    record(ctx, {
      action: 'auth.session_end',
      resourceId: userId,
      detail: { ...naming({ username }), ...changesBetween({ session: sessionId }, {}) },
    })
    return null
  })

/** Ends all sessions of the caller but the one in use, with a record in each tenant of the person. */
export const endOtherSessions = (ctx: Ctx): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const { accountId, sessionId } = ownSession(ctx.actor)
    endAccountSessions(ctx, accountId, sessionId)
    await recordForAccount(ctx, accountId, { action: 'auth.other_sessions_end' })
    return null
  })

/** Ends the caller's session and its sign-in. */
export const logout = (ctx: Ctx): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const { userId, name: username } = ctx.actor
    await endSignIn(ctx, ownSession(ctx.actor))
    record(ctx, { action: 'auth.logout', resourceId: userId, detail: naming({ username }) })
    return null
  })

/** Deletes expired sessions; otherwise every sign-in would leave a row for ever. */
export const sweepSessions = (parts: Pick<Parts, 'store'>): Promise<void> =>
  sweep(parts.store, store.expiredSessions)
