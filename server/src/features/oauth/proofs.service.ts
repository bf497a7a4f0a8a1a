/** The ways to prove one's identity at an interaction. */
import type { Ctx } from '../../context.ts'
import { AppError, errorCodes } from '../../errors.ts'
import { registerTo } from '../auth/auth.service.ts'
import type { Login, LoginFactor, PasskeyLogin, Register } from '../auth/auth.schemas.ts'
import {
  beginPasskeyLogin,
  proveByFactor,
  proveByPasskey,
  proveByPassword,
  type Open,
  type Purpose,
} from '../auth/sign-in.service.ts'
import { linkProvedAccount, provingAccount, type ProvedAccount } from './account-proof.service.ts'
import {
  applicationOf,
  keeping,
  moveOn,
  readSituation,
  signedIn,
  wrongStep,
  type Moved,
  type Place,
} from './interaction-state.service.ts'
import type { Situation } from './situation.ts'
import { openingSignIn, type OpenedSignIn } from './sign-ins.service.ts'

/** A right proof opens a sign-in, or it is the proof of an account that a connection is to link. */
type Proven = { signIn: OpenedSignIn } | { account: ProvedAccount }

/** The sign-in by a connection that lacked a factor keeps its connection. */
const openingWithFactor =
  (present: NonNullable<Situation['signIn']>): Open<OpenedSignIn> =>
  async (ctx, { account, amr }) => {
    if (account.id !== present.accountId) throw wrongStep()
    const proofs = amr.filter((one) => one !== 'pwd')
    const known = { account, amr: [...new Set([...present.amr, ...proofs])].toSorted() }
    return openingSignIn(present, present.connection)(ctx, known)
  }

const opening = ({ signIn, progress }: Situation): Open<Proven> => {
  if (progress.toProve) return async (ctx, proved) => ({ account: await provingAccount(ctx, proved) })
  const open = signIn && progress.lackedBy === signIn.id ? openingWithFactor(signIn) : openingSignIn(signIn)
  return async (ctx, proved) => ({ signIn: await open(ctx, proved) })
}

/** A proof for a connection leads into no tenant by itself. */
const purposeOf = ({ signIn, progress }: Situation): Purpose =>
  progress.toProve || (signIn && progress.lackedBy === signIn.id) ? 'account' : 'sign_in'

/** Goes on with the sign-in, or with the link. */
const goOn = (ctx: Ctx, place: Place, situation: Situation, proven: Proven): Promise<Moved> =>
  'signIn' in proven
    ? signedIn(ctx, place, situation, proven.signIn)
    : linkProvedAccount(ctx, place, situation, proven.account)

export const givePassword = async (
  ctx: Ctx,
  place: Place,
  { email: given, password }: Pick<Login, 'email' | 'password'>,
): Promise<Moved> => {
  const situation = await readSituation(ctx, place)
  const { lackedBy: _, ...answers } = situation.progress
  const email = answers.toProve?.account.email ?? given
  const known = { ...situation, progress: { ...answers, email } }
  const outcome = await proveByPassword(ctx, { email, password }, opening(known), purposeOf(known))
  if ('opened' in outcome) return goOn(ctx, place, known, outcome.opened)
  const progress = { ...known.progress, secondStep: outcome }
  return moveOn(ctx, place.id, await keeping(ctx, place.id, known, progress))
}

/** Throws 400 unless the right password led to a second step. */
export const giveFactor = async (
  ctx: Ctx,
  place: Place,
  answer: Omit<LoginFactor, 'challenge'>,
): Promise<Moved> => {
  const situation = await readSituation(ctx, place)
  const { secondStep } = situation.progress
  if (!secondStep) throw wrongStep()
  const { challenge } = secondStep
  const opened = await proveByFactor(
    ctx,
    { ...answer, challenge },
    opening(situation),
    purposeOf(situation),
  ).catch((err: unknown) => forgetDead(ctx, place, situation, err))
  return goOn(ctx, place, situation, opened)
}

/** A dead challenge leads back to the password. */
const forgetDead = async (ctx: Ctx, { id }: Place, situation: Situation, err: unknown): Promise<never> => {
  if (err instanceof AppError && err.code === errorCodes.challengeDead) {
    const { secondStep: _, ...progress } = situation.progress
    await keeping(ctx, id, situation, progress)
  }
  throw err
}

export const beginPasskeyStep = async (ctx: Ctx, place: Place): Promise<Moved> => {
  const situation = await readSituation(ctx, place)
  return moveOn(ctx, place.id, situation, { passkeyOptions: await beginPasskeyLogin(ctx) })
}

export const givePasskey = async (
  ctx: Ctx,
  place: Place,
  { response }: Pick<PasskeyLogin, 'response'>,
): Promise<Moved> => {
  const situation = await readSituation(ctx, place)
  const proven = await proveByPasskey(ctx, { response }, opening(situation), purposeOf(situation))
  return goOn(ctx, place, situation, proven)
}

export const registerHere = async (ctx: Ctx, place: Place, input: Register): Promise<Moved> => {
  const situation = await readSituation(ctx, place)
  const opened = await registerTo(ctx, input, openingSignIn(situation.signIn), applicationOf(situation))
  const { email } = input
  return signedIn(ctx, place, { ...situation, progress: { ...situation.progress, email } }, opened)
}
