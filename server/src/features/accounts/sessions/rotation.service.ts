/** Refreshes of sessions. Each refresh is counted, and an outdated token means theft. */
import { restrictionOf } from '../../../access/actor.ts'
import { inTransaction, inTransactionAfter, type Ctx, type TransactionCtx } from '../../../context.ts'
import type { Claims, TokenSubject } from '../../../crypto/tokens.ts'
import { changesBetween, naming, recordAs } from '../../audit/audit/audit.service.ts'
import { refuseEnded, requireOpen } from './reach.service.ts'
import { endSignIn, refreshExpiry } from './sessions.service.ts'
import * as store from './sessions.store.ts'

/** The same refresh token within 10 seconds means a lost response, not theft (docs/contract.md, "Authentication"). */
const refreshGraceMs = 10_000

/**
 * The subject of the session's next tokens; undefined for a refused token. A session counts its refreshes, and every
 * token names its refresh, the generation. An older generation is refused, so no token is stored. Repeating a refresh
 * issues equal tokens of the same generation.
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
    async (ctx, session) => {
      if (!session) return refuseEnded(ctx, claims.userId)
      return raiseGeneration(ctx, claims, session, refreshExpiry(ctx.parts.now()))
    },
  )
  if (!outcome || !('stolenFrom' in outcome)) return outcome
  await endStolenSession(ctx, claims, outcome.stolenFrom)
  return undefined
}

/** Whether a session lacks a proof that its tenant or the installation requires. */
export const isRestrictedIn = ({ parts, tenant }: TransactionCtx, session: store.SessionRow): boolean =>
  restrictionOf(parts.config, tenant, session) !== undefined

/** The account and the user name of a session whose token was used again. */
export interface Theft {
  stolenFrom: { accountId: number; username: string }
}

/**
 * Counts a refresh of a locked session, and returns the subject of its next tokens. Undefined for a disabled user.
 * Throws 401 if the tenant does not accept the sign-in method.
 */
export const raiseGeneration = (
  ctx: TransactionCtx,
  claims: Claims,
  session: store.SessionRow,
  expiresAt: Date,
): TokenSubject | undefined | Theft => {
  const now = ctx.parts.now()
  if (session.user_status !== 1) return undefined
  const age = session.generation - claims.generation
  const isRepeated = age === 1 && now.getTime() - session.rotated_at.getTime() <= refreshGraceMs
  const { account_id: accountId, username } = session
  if (age !== 0 && !isRepeated) return { stolenFrom: { accountId, username } }
  requireOpen(session)
  const subject = {
    ...claims,
    amr: session.amr,
    isRestricted: isRestrictedIn(ctx, session),
    connectionId: session.connection_id ?? undefined,
  }
  if (isRepeated) return { ...subject, generation: session.generation }
  store.updateSessionGeneration(ctx.db, { tenantId: ctx.tenantId, id: claims.sessionId, now, expiresAt })
  return { ...subject, generation: session.generation + 1 }
}

/**
 * Ends a session whose token was used again. Needs a transaction of its own: the rotation has locked the session, but
 * the lock of the account must come first.
 */
export const endStolenSession = (
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
