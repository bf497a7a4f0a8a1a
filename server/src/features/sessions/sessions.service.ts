import { randomUUID } from 'node:crypto'
import type { Actor, Ctx, Parts, TransactionCtx } from '../../context.ts'
import { accessTokenSeconds, refreshTokenSeconds, type Claims } from '../../crypto/tokens.ts'
import { AppError } from '../../errors.ts'
import { recordAs, recordChange } from '../audit/audit.service.ts'
import * as store from './sessions.store.ts'

/** Contract, Authentication: the same refresh token again within 10 seconds is a lost response, not a theft. */
const refreshGraceMs = 10_000

/** What the tokens of one refresh of a session say. */
export type TokenSubject = Omit<Claims, 'expiresAt'>

export interface TokenPair {
  access_token: string
  refresh_token: string
  expires_in: number
}

const refreshExpiry = (now: Date) => new Date(now.getTime() + refreshTokenSeconds * 1000)

/** A new pair of tokens of a session. */
export const issueTokens = async (ctx: Ctx, subject: TokenSubject): Promise<TokenPair> => {
  const { tokens, now } = ctx.parts
  const [access_token, refresh_token] = await Promise.all([
    tokens.sign('access', subject, now()),
    tokens.sign('refresh', subject, now()),
  ])
  return { access_token, refresh_token, expires_in: accessTokenSeconds }
}

/** Opens a session of a user who has proved who they are. */
export const openSession = async (
  ctx: TransactionCtx,
  { userId, tenantId }: Pick<Actor, 'userId' | 'tenantId'>,
): Promise<TokenSubject> => {
  const now = ctx.parts.now()
  const session = { tenantId, id: randomUUID(), userId, now, expiresAt: refreshExpiry(now) }
  await store.insertSession(ctx.db, session)
  return { userId, tenantId, sessionId: session.id, generation: 0 }
}

/**
 * The generation that the session's tokens carry from now on; undefined when the token is refused. A session counts
 * its refreshes and every token names the refresh that made it, so the one living token needs no storing: all tokens
 * of an older generation are dead, and those of the same generation (made for a repeated refresh) are equals.
 */
export const rotateSession = async (ctx: TransactionCtx, claims: Claims): Promise<number | undefined> => {
  const { db, tenantId, parts } = ctx
  const now = parts.now()
  const session = await store.selectSessionForUpdate(db, tenantId, claims.sessionId, claims.userId)
  if (!session || session.user_status !== 1) return undefined
  const age = session.generation - claims.generation
  const isRepeated = age === 1 && now.getTime() - session.rotated_at.getTime() <= refreshGraceMs
  if (age !== 0 && !isRepeated) return endStolenSession(ctx, claims)
  if (session.tenant_status !== 1) {
    throw new AppError('tenantSuspended', 'Your organization is disabled. Ask your platform administrator')
  }
  if (isRepeated) return session.generation
  await store.updateSessionGeneration(db, {
    tenantId,
    id: claims.sessionId,
    now,
    expiresAt: refreshExpiry(now),
  })
  return session.generation + 1
}

const endStolenSession = async (ctx: TransactionCtx, claims: Claims): Promise<undefined> => {
  await store.deleteSessionRow(ctx.db, ctx.tenantId, claims.sessionId)
  await recordAs(ctx, claims.userId, {
    action: 'auth.refresh_reused',
    resourceId: claims.userId,
    detail: recordChange({ session: claims.sessionId }, {}),
  })
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId: claims.userId })
}

/** Ends the sessions of a user but one: their password has changed. */
export const endOtherSessions = async (
  ctx: TransactionCtx,
  userId: number,
  keptId: string,
): Promise<void> => {
  await store.deleteSessionRowsOfUser(ctx.db, ctx.tenantId, userId, keptId)
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId })
}

/** Ends all sessions of a user for good: they are disabled or deleted. */
export const endSessions = (ctx: TransactionCtx, userId: number): Promise<void> =>
  endOtherSessions(ctx, userId, '')

/** Rows a transaction deletes: a few milliseconds' worth. */
const sweptRows = 1000

/** Sweeps out sessions that have expired; without it every sign-in would leave a row behind for good. */
export const sweepSessions = async (parts: Pick<Parts, 'store'>): Promise<void> => {
  const sweep = () =>
    parts.store.transaction({}, (db) => store.deleteExpiredSessionRows(db, sweptRows), 'tenantry_purge')
  while ((await sweep()) === sweptRows);
}
