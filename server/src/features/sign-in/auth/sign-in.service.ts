import { languageOf } from '../../../mail/language.ts'
import {
  inTenant,
  inTransaction,
  inTransactionAfter,
  type CallerlessCtx,
  type Ctx,
  type TransactionCtx,
} from '../../../context.ts'
import { wayOf } from '../../../access/actor.ts'
import type { FirstProof } from '../../../access/reach.sql.ts'
import type { TokenSubject } from '../../../crypto/tokens.ts'
import type { Db } from '../../../db/client.ts'
import { AppError, invalid, tenantSuspended } from '../../../errors/app-error.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import type { SecondStep } from '../../../http/schemas.ts'
import { naming, recordAs } from '../../audit/audit/audit.service.ts'
import {
  createChallenge,
  findLoginChallenge,
  spendChallenge,
  takeAnswer,
} from '../../accounts/factors/challenges.service.ts'
import { countWrongCode, requireOpenToCodes } from '../../accounts/factors/codes.service.ts'
import { lockForFactors, needsSecondStep, readSecondStep } from '../../accounts/factors/factors.service.ts'
import {
  amrOf,
  isCode,
  secondStepOf,
  spendProof,
  verifyAnswer,
  type Answer,
} from '../../accounts/factors/proofs.service.ts'
import { watchDevice } from '../../accounts/mail/mail.service.ts'
import { notifyingBrokenGlass } from '../../delivery/notifications/break-glass.service.ts'
import { refusals } from '../../accounts/sessions/reach.service.ts'
import { issueTokens, openSession } from '../../accounts/sessions/sessions.service.ts'
import type { Login, LoginFactor, TokenPair } from './auth.schemas.ts'
import * as store from './auth.store.ts'
import { findLogin, findUserToSignIn, type KnownLogin } from '../../accounts/accounts/credentials.service.ts'
import { rollingBack } from '../../../rehearsal.ts'
import { countingGuesses } from '../../accounts/accounts/guessing.service.ts'

export const wrongCredentials = () => new AppError('credentialsWrong', 'E-mail or password is wrong')
/** A wrong code or passkey. */
export const factorWrong = () => new AppError('factorWrong', 'This code or passkey is wrong')
/** A challenge that accepts no answer. */
export const challengeDead = () =>
  new AppError('challengeDead', 'This sign-in took too long or failed too often. Sign in again')

/** Replaces the 404 of a tenant that was just removed: callers at a sign-in must not learn which tenants exist. */
export const unlessRemoved = <T>(work: Promise<T>, gone: () => AppError): Promise<T> =>
  work.catch((err: unknown) => {
    throw err instanceof AppError && err.status === 404 ? gone() : err
  })

/** Issues the tokens of a sign-in. */
export const complete = (ctx: Ctx, subject: TokenSubject): Promise<TokenPair> => {
  ctx.parts.metrics.logins.inc({ result: 'ok' })
  ctx.parts.cache.touch(subject.tenantId, subject.userId)
  return issueTokens(ctx, subject)
}

/** A person with a proved identity. The transaction has locked account and user. */
export interface Proved {
  account: { id: number; email: string }
  user: KnownLogin['user']
  /** The authentication methods of RFC 8176. */
  amr: readonly string[]
}

/** Opens a session, or the sign-in of a browser, in the transaction that uses the proof. */
export type Open<T> = (ctx: TransactionCtx, proved: Proved) => Promise<T>

/** The purpose of a proof: a sign-in to a tenant, or only a proof of the account, as for a link to a connection. */
export type Purpose = 'sign_in' | 'account'

/**
 * Signs in. An unknown e-mail and a wrong password both get 401; too many failures get 429. If the account has a second
 * factor, the right password gets 401 `factorRequired` with a challenge.
 */
export const login = async (ctx: Ctx, input: Login): Promise<TokenPair> => {
  const outcome = await proveByPassword(ctx, input, openSignIn)
  return completeOrAsk(ctx, outcome)
}

/** Issues the tokens of a sign-in, or throws 401 `factorRequired` with the challenge of the second step. */
export const completeOrAsk = async (
  ctx: Ctx,
  outcome: { opened: TokenSubject } | SecondStep,
): Promise<TokenPair> => {
  if ('opened' in outcome) return complete(ctx, outcome.opened)
  throw new AppError('factorRequired', 'Now give your second factor', { data: outcome })
}

/** Opens with a password, or returns the challenge of the second step. Throws as `login` does. */
export const proveByPassword = async <T>(
  ctx: Ctx,
  input: Login,
  open: Open<T>,
  purpose: Purpose = 'sign_in',
): Promise<{ opened: T } | SecondStep> => {
  ctx.parts.hasher.requireRoom()
  const attempt = () => unlessRemoved(attemptLogin(ctx, { input, purpose }, open), wrongCredentials)
  const outcome = (await attempt()) ?? (await attempt())
  if (!outcome) throw wrongCredentials()
  return 'challenge' in outcome ? secondStepOf(ctx, outcome.challenge, outcome) : outcome
}

/** Undefined if the stored hash was replaced meanwhile, perhaps for the same password. The caller then tries again. */
const attemptLogin = async <T>(
  ctx: Ctx,
  { input, purpose }: { input: Login; purpose: Purpose },
  open: Open<T>,
) => {
  const { hasher } = ctx.parts
  let known: KnownLogin | undefined
  const find = async () => {
    known = await findLogin(ctx, input.email, input.tenant_id)
    return known?.account
  }
  const isRight = await countingGuesses(ctx, input.email, () => hasher.verify(input.password, find))
  if (!isRight || !known) {
    await recordFailedLogin(ctx, known?.user)
    throw wrongCredentials()
  }
  await requireSignInAllowed(ctx, known.user, purpose)
  return signIn(ctx, known, input, open)
}

/** Throws 401 if user or tenant is disabled, or the tenant refuses the way. Call it after the right proof only. */
export const requireSignInAllowed = async (
  ctx: Ctx,
  user: KnownLogin['user'],
  purpose: Purpose,
): Promise<void> => {
  const refusal = refusalOf(user, purpose)
  if (!refusal) return
  ctx.parts.metrics.logins.inc({ result: 'disabled' })
  await recordLoginOf(ctx, user)
  throw refusal
}

export const refusalOf = (user: KnownLogin['user'], purpose: Purpose): AppError | undefined => {
  if (user.status !== 1) {
    return new AppError('accountDisabled', 'Your account is disabled. Ask your administrator')
  }
  if (user.tenant_status !== 1) return tenantSuspended()
  return user.barrier === null || purpose === 'account' ? undefined : refusals[user.barrier]()
}

/**
 * Reads the second factors behind the account's lock. A concurrent addition of a factor then counts, or ends the new
 * session.
 */
const signIn = async <T>(
  ctx: Ctx,
  { account, user }: KnownLogin,
  { password, tenant_id: asked }: Login,
  open: Open<T>,
) => {
  const { hasher, now } = ctx.parts
  const renewed = hasher.isOutdated(account) ? await hasher.hash(password) : undefined
  return inTransactionAfter(
    inTenant(ctx, user.tenant_id),
    (ctx) =>
      Promise.all([
        renewed ? store.updatePassword(ctx.db, account, renewed, now()) : lockForSignIn(ctx, ctx.db, account),
        store.lockUser(ctx.db, user.tenant_id, user.user_id),
        readSecondStep(ctx, account.id),
      ]),
    async (ctx, [isUnchanged, isPresent, step]) => {
      if (!isPresent) throw wrongCredentials()
      if (!isUnchanged) return undefined
      if (!needsSecondStep(step)) return { opened: await open(ctx, { account, user, amr: ['pwd'] }) }
      const purpose = { accountId: account.id, sessionId: null, askedTenant: asked ?? null }
      return { ...step, challenge: createChallenge(ctx, { ceremony: 'login', ...purpose }) }
    },
  )
}

/** Locks the account if its password is still the verified one. Stores the person's language if it differs. */
const lockForSignIn = ({ origin }: CallerlessCtx, db: Db, account: KnownLogin['account']) => {
  const language = languageOf(origin.acceptLanguage)
  return language === undefined || language === account.language
    ? store.lockAccountWithPassword(db, account.id, account.password_hash)
    : store.updateLanguage(db, account, language)
}

/** The account of a sign-in. */
export interface Account {
  id: number
  email: string
}

export const noteSignIn = ({ db, tenantId, parts, origin }: TransactionCtx, userId: number): void =>
  store.updateLastLogin(db, { tenantId, userId, ip: origin.ip, now: parts.now() })

/** Opens a session of the API. */
export const openSignIn: Open<TokenSubject> = async (ctx, { account, user, amr }) => {
  const { tenant_id: tenantId, user_id: userId, username } = user
  noteSignIn(ctx, userId)
  recordAs(
    ctx,
    { userId, username },
    { action: 'auth.login', resourceId: userId, detail: naming({ username, way: wayOf(amr) }) },
  )
  await watchDevice(ctx, { accountId: account.id, email: account.email })
  return notifyingBrokenGlass(ctx, await openSession(ctx, { userId, tenantId }, amr))
}

const recordFailure = (
  ctx: TransactionCtx,
  { user_id: userId, username }: Pick<KnownLogin['user'], 'user_id' | 'username'>,
): void =>
  recordAs(
    ctx,
    { userId, username },
    { action: 'auth.login_failed', resourceId: userId, detail: naming({ username }) },
  )

const recordLoginOf = (ctx: Ctx, user: KnownLogin['user']): Promise<void> =>
  inTransaction(inTenant(ctx, user.tenant_id), async (ctx) => recordFailure(ctx, user))

/**
 * Counts and records a wrong login. For an unknown account it does the same work and rolls back, so that both take
 * equally long.
 */
export const recordFailedLogin = async (ctx: Ctx, user: KnownLogin['user'] | undefined): Promise<void> => {
  ctx.parts.metrics.logins.inc({ result: 'wrong' })
  if (user) return recordLoginOf(ctx, user)
  await rollingBack<TransactionCtx, void>(
    (doomed) => inTransaction(inTenant(ctx, builtInTenant.id), doomed),
    async (ctx) => recordFailure(ctx, { user_id: 0, username: '' }),
  )
}

/** The one answer of the request. Throws 400 unless the request has exactly one kind of answer. */
const answerOf = ({ code, recovery_code: recoveryCode, passkey }: LoginFactor): Answer => {
  const answers = [
    ...(code === undefined ? [] : [{ code }]),
    ...(recoveryCode === undefined ? [] : [{ recoveryCode }]),
    ...(passkey === undefined ? [] : [{ passkey }]),
  ]
  const [answer, ...more] = answers
  if (!answer || more.length > 0) {
    throw invalid('body', 'must have exactly one of code, recovery_code and passkey')
  }
  return answer
}

/** A pending second step: the challenge, with its account and user. */
interface SecondLogin {
  challenge: string
  answer: Answer
  account: Account
  user: KnownLogin['user']
  firstProof: FirstProof
}

/**
 * Signs in with the second factor, after `login`. Throws 401 for a wrong answer and for a spent or expired challenge.
 * Throws 429 after too many wrong answers.
 */
export const loginWithFactor = async (ctx: Ctx, input: LoginFactor): Promise<TokenPair> =>
  complete(ctx, await proveByFactor(ctx, input, openSignIn))

/** Opens with the second factor, as `loginWithFactor` does. */
export const proveByFactor = async <T>(
  ctx: Ctx,
  input: LoginFactor,
  open: Open<T>,
  purpose: Purpose = 'sign_in',
): Promise<T> => {
  const { challenge } = input
  const answer = answerOf(input)
  const found = await findLoginChallenge(ctx, challenge)
  const user = found && (await findUserToSignIn(ctx, found.account_id, found.asked_tenant, found.first_proof))
  if (!found || !user) throw challengeDead()
  await requireSignInAllowed(ctx, user, purpose)
  const account = { id: found.account_id, email: found.email }
  const firstProof = found.first_proof
  let outcome: Outcome<T> = 'dead'
  await countingGuesses(ctx, account.email, async () => {
    outcome = await unlessRemoved(
      giveAnswer(ctx, { challenge, answer, account, user, firstProof }, open),
      challengeDead,
    )
    return outcome !== 'wrong'
  })
  return openedBy(ctx, outcome)
}

type Outcome<T> = { opened: T } | 'wrong' | 'dead'

const openedBy = <T>(ctx: Ctx, outcome: Outcome<T>): T => {
  if (outcome === 'dead') throw challengeDead()
  if (outcome !== 'wrong') return outcome.opened
  ctx.parts.metrics.logins.inc({ result: 'wrong' })
  throw factorWrong()
}

/**
 * Answers a challenge while the account is locked. Each parallel answer takes one of the five, and a right answer uses
 * up its proof. A wrong answer must commit, so it does not throw.
 */
const giveAnswer = async <T>(
  ctx: Ctx,
  { challenge, answer, account, user, firstProof }: SecondLogin,
  open: Open<T>,
): Promise<Outcome<T>> => {
  const proof = await verifyAnswer(ctx, account.id, answer, challenge)
  return inTransactionAfter(
    inTenant(ctx, user.tenant_id),
    (ctx) =>
      Promise.all([
        lockForFactors(ctx, account.id),
        takeAnswer(ctx, challenge),
        store.lockUser(ctx.db, user.tenant_id, user.user_id),
      ]),
    async (ctx, [locked, isOpen, isPresent]) => {
      if (!locked || !isOpen || !isPresent) return 'dead'
      if (isCode(answer)) requireOpenToCodes(ctx, locked)
      if (proof && (await spendProof(ctx, account.id, proof))) {
        spendChallenge(ctx, challenge)
        return { opened: await open(ctx, { account, user, amr: [firstProof, amrOf[proof.kind], 'mfa'] }) }
      }
      if (isCode(answer)) await countWrongCode(ctx, locked)
      recordFailure(ctx, user)
      return 'wrong'
    },
  )
}
