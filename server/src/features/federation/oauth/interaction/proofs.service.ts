/** The ways to prove one's identity at an interaction. */
import type { Ctx } from '../../../../context.ts'
import { AppError, errorCodes } from '../../../../errors/app-error.ts'
import { registerTo } from '../../../sign-in/auth/auth.service.ts'
import type { Login, LoginFactor, PasskeyLogin, Register } from '../../../sign-in/auth/auth.schemas.ts'
import {
  beginPasskeyLogin,
  proveByFactor,
  proveByPasskey,
  proveByPassword,
  type Open,
  type Purpose,
} from '../../../sign-in/auth/sign-in.service.ts'
import { linkProvedAccount, provingAccount, type ProvedAccount } from './account-proof.service.ts'
import {
  applicationOf,
  keeping,
  moveOn,
  openingHere,
  readSituation,
  signedIn,
  wrongStep,
  type Moved,
  type OpenedHere,
  type InteractionRef,
} from './interactions.service.ts'
import type { Situation } from './interaction-state.ts'

/** A right proof opens a sign-in, or it is the proof of an account that a connection is to link. */
type Proven = { opened: OpenedHere } | { account: ProvedAccount }

/** The sign-in by a connection that lacked a factor keeps its connection. */
const openingWithFactor =
  (ref: InteractionRef, situation: Situation, present: NonNullable<Situation['signIn']>): Open<OpenedHere> =>
  async (ctx, { account, amr }) => {
    if (account.id !== present.accountId) throw wrongStep()
    const proofs = amr.filter((one) => one !== 'pwd')
    const known = { account, amr: [...new Set([...present.amr, ...proofs])].toSorted() }
    return openingHere(ref, situation, present.connection)(ctx, known)
  }

const opening = (ref: InteractionRef, situation: Situation): Open<Proven> => {
  const { signIn, progress } = situation
  if (progress.toProve) return async (ctx, proved) => ({ account: await provingAccount(ctx, proved) })
  const open =
    signIn && progress.lackedBy === signIn.id
      ? openingWithFactor(ref, situation, signIn)
      : openingHere(ref, situation)
  return async (ctx, proved) => ({ opened: await open(ctx, proved) })
}

/** A proof for a connection leads into no tenant by itself. */
const purposeOf = ({ signIn, progress }: Situation): Purpose =>
  progress.toProve || (signIn && progress.lackedBy === signIn.id) ? 'account' : 'sign_in'

/** Goes on with the sign-in, or with the link. */
const goOn = (ctx: Ctx, ref: InteractionRef, situation: Situation, proven: Proven): Promise<Moved> =>
  'opened' in proven
    ? signedIn(ctx, ref, proven.opened)
    : linkProvedAccount(ctx, ref, situation, proven.account)

export const givePassword = async (
  ctx: Ctx,
  ref: InteractionRef,
  { email: given, password }: Pick<Login, 'email' | 'password'>,
): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const { lackedBy: _, ...answers } = situation.progress
  const email = answers.toProve?.account.email ?? given
  const known = { ...situation, progress: { ...answers, email } }
  const outcome = await proveByPassword(ctx, { email, password }, opening(ref, known), purposeOf(known))
  if ('opened' in outcome) return goOn(ctx, ref, known, outcome.opened)
  const progress = { ...known.progress, secondStep: outcome }
  return moveOn(ctx, ref.id, await keeping(ctx, ref.id, known, progress))
}

/** Throws 400 unless the right password led to a second step. */
export const giveFactor = async (
  ctx: Ctx,
  ref: InteractionRef,
  answer: Omit<LoginFactor, 'challenge'>,
): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const { secondStep } = situation.progress
  if (!secondStep) throw wrongStep()
  const { challenge } = secondStep
  const opened = await proveByFactor(
    ctx,
    { ...answer, challenge },
    opening(ref, situation),
    purposeOf(situation),
  ).catch((err: unknown) => forgetDead(ctx, ref, situation, err))
  return goOn(ctx, ref, situation, opened)
}

/** A dead challenge leads back to the password. */
const forgetDead = async (
  ctx: Ctx,
  { id }: InteractionRef,
  situation: Situation,
  err: unknown,
): Promise<never> => {
  if (err instanceof AppError && err.code === errorCodes.challengeDead) {
    const { secondStep: _, ...progress } = situation.progress
    await keeping(ctx, id, situation, progress)
  }
  throw err
}

export const beginPasskeyStep = async (ctx: Ctx, ref: InteractionRef): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  return moveOn(ctx, ref.id, situation, { passkeyOptions: await beginPasskeyLogin(ctx) })
}

export const givePasskey = async (
  ctx: Ctx,
  ref: InteractionRef,
  { response }: Pick<PasskeyLogin, 'response'>,
): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const proven = await proveByPasskey(ctx, { response }, opening(ref, situation), purposeOf(situation))
  return goOn(ctx, ref, situation, proven)
}

export const registerHere = async (ctx: Ctx, ref: InteractionRef, input: Register): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const { email } = input
  const known = { ...situation, progress: { ...situation.progress, email } }
  const opened = await registerTo(ctx, input, openingHere(ref, known), applicationOf(known))
  return signedIn(ctx, ref, opened)
}
