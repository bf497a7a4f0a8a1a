/** The sign-in with a code by mail (docs/contract.md, "Authentication"). */
import { builtInTenant } from '../../../access/permissions.ts'
import {
  inTenant,
  inTransaction,
  inTransactionAfter,
  type Ctx,
  type TransactionCtx,
} from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { SecondStep } from '../../../http/schemas.ts'
import { recordForAccount } from '../../accounts/accounts/accounts.service.ts'
import { findUserToSignIn, type KnownLogin } from '../../accounts/accounts/credentials.service.ts'
import { countingGuesses } from '../../accounts/accounts/guessing.service.ts'
import { createCode, endCode, findCode, giveCode } from '../../accounts/email-codes/email-codes.service.ts'
import { createChallenge } from '../../accounts/factors/challenges.service.ts'
import { needsSecondStep, readSecondStep } from '../../accounts/factors/factors.service.ts'
import { secondStepOf } from '../../accounts/factors/proofs.service.ts'
import { countSource, queueNotice, requireMail } from '../../accounts/mail/mail.service.ts'
import { readWays } from '../ways/ways.service.ts'
import { getRegistration } from './auth.service.ts'
import type { TokenPair } from './auth.schemas.ts'
import { lockUser } from './auth.store.ts'
import type { AskEmailCode, EmailCodeChallenge, EmailCodeLogin } from './email-code.schemas.ts'
import { startClean } from './email.service.ts'
import { selectAccountForUpdate, type OwnedAccount } from './ownership.store.ts'
import {
  completeOrAsk,
  openSignIn,
  recordFailedLogin,
  refusalOf,
  requireSignInAllowed,
  unlessRemoved,
  type Open,
} from './sign-in.service.ts'

/** One answer for a code that is wrong, late, used or unknown. */
export const emailCodeWrong = () =>
  new AppError(
    'emailCodeWrong',
    'This code is wrong or does not work any more. Check it, or ask for a new one',
  )

/** Throws 503 without mail, and 403 if the installation has closed this way. */
const requireEmailCodes = async (ctx: Ctx): Promise<void> => {
  requireMail(ctx)
  if ((await readWays(ctx)).email_code) return
  throw new AppError('emailCodesOff', 'Codes by e-mail are switched off here. Sign in by another way')
}

const isOpenToStrangers = async (ctx: Ctx): Promise<boolean> =>
  (await getRegistration(ctx)).open || ctx.parts.config.signUp === 'organization'

/**
 * Mails a code, and returns the challenge that it answers. The same statements run for an unknown address. `replaced`
 * is an earlier challenge of the same interaction, whose code ends.
 */
export const sendEmailCode = async (
  ctx: Ctx,
  { email, tenant_id: asked }: AskEmailCode,
  replaced?: string,
): Promise<string> => {
  await requireEmailCodes(ctx)
  await countSource(ctx)
  const isOffered = await isOpenToStrangers(ctx)
  return inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    if (replaced !== undefined) endCode(ctx, replaced)
    return createCode(ctx, { email, askedTenant: asked ?? null, isOffered })
  })
}

export const askEmailCode = async (ctx: Ctx, input: AskEmailCode): Promise<EmailCodeChallenge> => ({
  challenge: await sendEmailCode(ctx, input),
})

/** Signs in with a code by mail. Throws 401 `factorRequired` with a challenge if the account has a second factor. */
export const loginWithEmailCode = async (ctx: Ctx, input: EmailCodeLogin): Promise<TokenPair> =>
  completeOrAsk(ctx, await proveByEmailCode(ctx, input, openSignIn))

/** Opens with a code by mail, or returns the challenge of the second step. Throws as `loginWithEmailCode` does. */
export const proveByEmailCode = async <T>(
  ctx: Ctx,
  { challenge, code }: EmailCodeLogin,
  open: Open<T>,
): Promise<{ opened: T } | SecondStep> => {
  await countSource(ctx)
  const found = await findCode(ctx, challenge)
  const user = await findUserToSignIn(ctx, found?.account_id ?? 0, found?.asked_tenant, 'email')
  if (!found) throw emailCodeWrong()
  const given = { challenge, code, emailFolded: found.email_folded }
  const who = { accountId: found.account_id ?? 0, user, askedTenant: found.asked_tenant }
  let outcome: Outcome<T> = 'dead'
  await countingGuesses(ctx, found.email_folded, async () => {
    outcome = await unlessRemoved(attempt(ctx, given, who, open), emailCodeWrong)
    return outcome !== 'wrong'
  })
  return outcomeOf(ctx, outcome, user)
}

type Outcome<T> = { opened: T } | SecondStep | 'wrong' | 'dead' | 'refused'

const outcomeOf = async <T>(
  ctx: Ctx,
  outcome: Outcome<T>,
  user: KnownLogin['user'] | undefined,
): Promise<{ opened: T } | SecondStep> => {
  if (typeof outcome === 'object') return outcome
  if (outcome === 'wrong') await recordFailedLogin(ctx, user)
  if (outcome === 'refused' && user) await requireSignInAllowed(ctx, user, 'sign_in')
  throw emailCodeWrong()
}

interface Who {
  /** 0 for an address without an account. */
  accountId: number
  user: KnownLogin['user'] | undefined
  askedTenant: string | null
}

/** Gives the code while the account is locked. A wrong code must commit, so it does not throw. */
const attempt = <T>(
  ctx: Ctx,
  given: Parameters<typeof giveCode>[1],
  { accountId, user, askedTenant }: Who,
  open: Open<T>,
): Promise<Outcome<T>> =>
  inTransactionAfter(
    inTenant(ctx, user?.tenant_id ?? builtInTenant.id),
    (ctx) =>
      Promise.all([
        selectAccountForUpdate(ctx.db, accountId),
        lockUser(ctx.db, user?.tenant_id ?? builtInTenant.id, user?.user_id ?? 0),
        readSecondStep(ctx, accountId),
      ]),
    async (ctx, [account, isPresent, step]) => {
      const result = await giveCode(ctx, given)
      if (result !== 'right') return result
      if (!account || !user) return 'wrong'
      if (refusalOf(user, 'sign_in')) return 'refused'
      if (!isPresent) return 'dead'
      if (!account.is_proved) await takeOwnership(ctx, account)
      else if (needsSecondStep(step)) {
        const purpose = { accountId, sessionId: null, askedTenant, firstProof: 'email' } as const
        return secondStepOf(ctx, createChallenge(ctx, { ceremony: 'login', ...purpose }), step)
      }
      return { opened: await open(ctx, { account, user, amr: ['email'] }) }
    },
  )

/** The first proof of the mailbox: another person can have prepared the account. */
const takeOwnership = async (
  ctx: TransactionCtx,
  { id, email, has_password }: OwnedAccount,
): Promise<void> => {
  await startClean(ctx, { accountId: id, email })
  if (has_password) queueNotice(ctx, 'password_removed', { accountId: id, email })
  await recordForAccount(ctx, id, { action: 'auth.email_verify' })
}
