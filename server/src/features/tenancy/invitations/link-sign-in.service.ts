/** The sign-in of a person whom a link has just made a user of a tenant. */
import type { Ctx, TransactionCtx } from '../../../context.ts'
import type { TokenSubject } from '../../../crypto/tokens.ts'
import { AppError } from '../../../errors/app-error.ts'
import {
  AccountChanged,
  type Proof,
  type SettledAccount,
} from '../../sign-in/auth/invited-account.service.ts'
import { noteSignIn } from '../../sign-in/auth/sign-in.service.ts'
import { createChallenge } from '../../accounts/factors/challenges.service.ts'
import { needsSecondStep, readSecondStep } from '../../accounts/factors/factors.service.ts'
import { secondStepOf } from '../../accounts/factors/proofs.service.ts'
import { keepDevice, watchDevice } from '../../accounts/mail/mail.service.ts'
import type { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'
import { issueTokens, openSession, openSwitchedSession } from '../../accounts/sessions/sessions.service.ts'

/** The second step of a person with a second factor who joined by a password. */
type SecondStep = Awaited<ReturnType<typeof readSecondStep>> & { challenge: string }

/** A session in the tenant, or the second step before one. */
export type Joined = TokenSubject | SecondStep

/** Attempts to join, because an account can change between its proof and its lock. */
const attemptsMax = 3

/** Issues the tokens of a person who joins. Throws 401 `factorRequired` when the second factor is missing. */
export const untilJoined = async (ctx: Ctx, join: () => Promise<Joined>): Promise<TokenPair> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await complete(ctx, await join())
    } catch (err) {
      if (!(err instanceof AccountChanged) || attempt === attemptsMax) throw err
    }
  }
}

const complete = (ctx: Ctx, joined: Joined): Promise<TokenPair> => {
  if ('challenge' in joined) {
    throw new AppError('factorRequired', 'You have joined. Now give your second factor', {
      data: secondStepOf(ctx, joined.challenge, joined),
    })
  }
  ctx.parts.cache.touch(joined.tenantId, joined.userId)
  return issueTokens(ctx, joined)
}

/**
 * Signs the person in to the tenant in scope. If the account has a second factor, a password returns a challenge
 * instead of a session.
 */
export const signInJoined = async (
  ctx: TransactionCtx,
  { userId, ...account }: SettledAccount & { userId: number },
  proof: Proof,
): Promise<Joined> => {
  const { tenantId } = ctx
  const { accountId } = account
  const step = proof.kind === 'password' ? await readSecondStep(ctx, accountId) : undefined
  if (step && needsSecondStep(step)) {
    const purpose = { accountId, sessionId: null, askedTenant: tenantId }
    return { ...step, challenge: createChallenge(ctx, { ceremony: 'login', ...purpose }) }
  }
  await (proof.kind === 'new' ? keepDevice(ctx, accountId) : watchDevice(ctx, account))
  noteSignIn(ctx, userId)
  const who = { userId, tenantId }
  return proof.kind === 'session'
    ? openSwitchedSession(ctx, who, { accountId, sessionId: proof.sessionId })
    : openSession(ctx, who)
}
