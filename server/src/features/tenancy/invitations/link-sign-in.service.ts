/** The sign-in of a person who has just become a user of a tenant by a link. */
import type { Ctx, TransactionCtx } from '../../../context.ts'
import type { TokenSubject } from '../../../crypto/tokens.ts'
import { AppError } from '../../../errors/app-error.ts'
import {
  AccountChanged,
  type Proof,
  type JoiningAccount,
} from '../../sign-in/auth/invited-account.service.ts'
import { noteSignIn } from '../../sign-in/auth/sign-in.service.ts'
import { createChallenge } from '../../accounts/factors/challenges.service.ts'
import { needsSecondStep, readSecondStep } from '../../accounts/factors/factors.service.ts'
import { secondStepOf } from '../../accounts/factors/proofs.service.ts'
import { keepDevice, watchDevice } from '../../accounts/mail/mail.service.ts'
import type { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'
import { issueTokens, openSession, openSwitchedSession } from '../../accounts/sessions/sessions.service.ts'

/** The second step for a person with a second factor who joined with a password. */
type SecondStep = Awaited<ReturnType<typeof readSecondStep>> & { challenge: string }

/** The result of a sign-in, or the second step that the sign-in still needs. */
export type Joined<T> = T | SecondStep

export const isSecondStep = <T extends object>(joined: Joined<T>): joined is SecondStep =>
  'challenge' in joined

/** Opens a session of the API, or the sign-in of a browser, for a person who has joined the tenant in scope. */
export type OpenJoined<T> = (
  ctx: TransactionCtx,
  member: JoiningAccount & { userId: number },
  proof: Proof,
) => Promise<T>

/** The most attempts to join: an account can change between its proof and its lock. */
const attemptsMax = 3

export const untilJoined = async <T>(join: () => Promise<Joined<T>>): Promise<Joined<T>> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await join()
    } catch (err) {
      if (!(err instanceof AccountChanged) || attempt === attemptsMax) throw err
    }
  }
}

/** The second step as the person sees it. */
export const describeSecondStep = (ctx: Ctx, joined: SecondStep) =>
  secondStepOf(ctx, joined.challenge, joined)

/** Issues the tokens of a person who joined. Throws 401 `factorRequired` if the second factor is missing. */
export const issueJoined = (ctx: Ctx, joined: Joined<TokenSubject>): Promise<TokenPair> => {
  if (isSecondStep(joined)) {
    throw new AppError('factorRequired', 'You have joined. Now give your second factor', {
      data: describeSecondStep(ctx, joined),
    })
  }
  ctx.parts.cache.touch(joined.tenantId, joined.userId)
  return issueTokens(ctx, joined)
}

/** Signs the person in to the tenant in scope. If the account has a second factor, a password opens no session. */
export const signInJoined = async <T>(
  ctx: TransactionCtx,
  member: JoiningAccount & { userId: number },
  proof: Proof,
  open: OpenJoined<T>,
): Promise<Joined<T>> => {
  const { accountId, userId } = member
  const step = proof.kind === 'password' ? await readSecondStep(ctx, accountId) : undefined
  if (step && needsSecondStep(step)) {
    const purpose = { accountId, sessionId: null, askedTenant: ctx.tenantId }
    return { ...step, challenge: createChallenge(ctx, { ceremony: 'login', ...purpose }) }
  }
  noteSignIn(ctx, userId)
  return open(ctx, member, proof)
}

/** Opens a session of the API. */
export const openJoinedSession: OpenJoined<TokenSubject> = async (ctx, { userId, ...account }, proof) => {
  const { accountId } = account
  await (proof.kind === 'new' ? keepDevice(ctx, accountId) : watchDevice(ctx, account))
  const who = { userId, tenantId: ctx.tenantId }
  return proof.kind === 'session'
    ? openSwitchedSession(ctx, who, { accountId, sessionId: proof.sessionId })
    : openSession(ctx, who)
}
