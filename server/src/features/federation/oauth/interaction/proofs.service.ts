/** Steps that prove an identity. */
import type { Ctx } from '../../../../context.ts'
import { AppError, errorCodes } from '../../../../errors/app-error.ts'
import { registerTo } from '../../../sign-in/auth/auth.service.ts'
import type { Login, LoginFactor, PasskeyLogin, Register } from '../../../sign-in/auth/auth.schemas.ts'
import { proveByEmailCode, sendEmailCode } from '../../../sign-in/auth/email-code.service.ts'
import { beginPasskeyLogin, proveByPasskey } from '../../../sign-in/auth/passkey-sign-in.service.ts'
import {
  proveByFactor,
  proveByPassword,
  type Open,
  type Purpose,
} from '../../../sign-in/auth/sign-in.service.ts'
import { linkProvedAccount, noteProvedAccount, type ProvedAccount } from './account-proof.service.ts'
import {
  applicationOf,
  saveProgress,
  advance,
  interactionOpener,
  readState,
  requireStep,
  continueSignedIn,
  wrongStep,
  type InteractionResult,
  type OpenedInInteraction,
  type InteractionRef,
} from './interactions.service.ts'
import type { GiveEmailCode } from './interactions.schemas.ts'
import type { InteractionProgress } from './interaction-progress.ts'
import { useIdentity } from '../../../accounts/identities/identities.service.ts'
import { identityOf } from '../../../../values/proofs.ts'
import type { InteractionState } from './interaction-state.ts'

/** A proof opens a sign-in, or proves an account for a link to a connection. */
type ProofOutcome = { opened: OpenedInInteraction } | { account: ProvedAccount }

/** Adds the factor to the connection's sign-in that lacked it. */
const openerWithFactor =
  (
    ref: InteractionRef,
    state: InteractionState,
    present: NonNullable<InteractionState['signIn']>,
  ): Open<OpenedInInteraction> =>
  async (ctx, { account, amr }) => {
    if (account.id !== present.accountId) throw wrongStep()
    const proofs = amr.filter((one) => one !== 'pwd')
    const updated = { account, amr: [...new Set([...present.amr, ...proofs])].toSorted() }
    return interactionOpener(ref, state, present.connection)(ctx, updated)
  }

/** Opens by the provider's proof, after the account's factor. */
const openerByProvider =
  (
    ref: InteractionRef,
    state: InteractionState,
    { accountId, proof }: NonNullable<InteractionProgress['federated']>,
  ): Open<OpenedInInteraction> =>
  async (ctx, { account, amr }) => {
    const id = identityOf([proof]) ?? ''
    if (account.id !== accountId || !(await useIdentity(ctx, accountId, id))) throw wrongStep()
    return interactionOpener(ref, state)(ctx, { account, amr })
  }

const openerOf = (ref: InteractionRef, state: InteractionState): Open<OpenedInInteraction> => {
  const { signIn, progress } = state
  if (progress.federated && progress.secondStep) return openerByProvider(ref, state, progress.federated)
  return signIn && progress.lackedBy === signIn.id
    ? openerWithFactor(ref, state, signIn)
    : interactionOpener(ref, state)
}

const openerFor = (ref: InteractionRef, state: InteractionState): Open<ProofOutcome> => {
  const { progress } = state
  if (progress.toProve) return async (ctx, proved) => ({ account: await noteProvedAccount(ctx, proved) })
  const open = openerOf(ref, state)
  return async (ctx, proved) => ({ opened: await open(ctx, proved) })
}

/**
 * The purpose `account` means that the connection decides about the sign-in, so that no tenant must accept the proof.
 */
const purposeOf = ({ signIn, progress }: InteractionState): Purpose =>
  progress.toProve || progress.federated || (signIn && progress.lackedBy === signIn.id)
    ? 'account'
    : 'sign_in'

const continueAfterProof = (
  ctx: Ctx,
  ref: InteractionRef,
  state: InteractionState,
  outcome: ProofOutcome,
): Promise<InteractionResult> =>
  'opened' in outcome
    ? continueSignedIn(ctx, ref, outcome.opened)
    : linkProvedAccount(ctx, ref, state, outcome.account)

export const givePassword = async (
  ctx: Ctx,
  ref: InteractionRef,
  { email: typed, password }: Pick<Login, 'email' | 'password'>,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const { lackedBy: _, federated: __, ...answers } = state.progress
  const email = answers.toProve?.account.email ?? typed
  const updated = { ...state, progress: { ...answers, email } }
  const outcome = await proveByPassword(ctx, { email, password }, openerFor(ref, updated), purposeOf(updated))
  if ('opened' in outcome) return continueAfterProof(ctx, ref, updated, outcome.opened)
  const progress = { ...updated.progress, secondStep: outcome }
  return advance(ctx, ref.id, await saveProgress(ctx, ref.id, updated, progress))
}

/** Verifies the second factor. Throws 400 unless the password came first. */
export const giveFactor = async (
  ctx: Ctx,
  ref: InteractionRef,
  answer: Omit<LoginFactor, 'challenge'>,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const { secondStep } = state.progress
  if (!secondStep) throw wrongStep()
  const { challenge } = secondStep
  const opened = await proveByFactor(
    ctx,
    { ...answer, challenge },
    openerFor(ref, state),
    purposeOf(state),
  ).catch((err: unknown) => forgetDeadChallenge(ctx, ref, state, err))
  return continueAfterProof(ctx, ref, state, opened)
}

/** Removes a spent or expired challenge, so that the next step is the password. Rethrows the error. */
const forgetDeadChallenge = async (
  ctx: Ctx,
  { id }: InteractionRef,
  state: InteractionState,
  err: unknown,
): Promise<never> => {
  if (err instanceof AppError && err.code === errorCodes.challengeDead) {
    const { secondStep: _, federated: __, ...progress } = state.progress
    await saveProgress(ctx, id, state, progress)
  }
  throw err
}

export const beginPasskeyStep = async (ctx: Ctx, ref: InteractionRef): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  return advance(ctx, ref.id, state, { passkeyOptions: await beginPasskeyLogin(ctx) })
}

export const givePasskey = async (
  ctx: Ctx,
  ref: InteractionRef,
  { response }: Pick<PasskeyLogin, 'response'>,
): Promise<InteractionResult> => {
  const read = await readState(ctx, ref)
  const { federated: _, ...progress } = read.progress
  const state = { ...read, progress }
  const outcome = await proveByPasskey(ctx, { response }, openerFor(ref, state), purposeOf(state))
  return continueAfterProof(ctx, ref, state, outcome)
}

/** Mails a code to the typed address, or verifies one. A new code ends the former one of this interaction. */
export const giveEmailCode = async (
  ctx: Ctx,
  ref: InteractionRef,
  { code }: GiveEmailCode,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const { emailCode, ...answers } = state.progress
  await requireStep(ctx, state, 'password', 'email_code')
  const { email } = answers
  if (email === undefined) throw wrongStep()
  if (code === undefined) {
    const sent = { ...answers, emailCode: await sendEmailCode(ctx, { email }, emailCode) }
    return advance(ctx, ref.id, await saveProgress(ctx, ref.id, state, sent))
  }
  if (emailCode === undefined) throw wrongStep()
  const outcome = await proveByEmailCode(ctx, { challenge: emailCode, code }, interactionOpener(ref, state))
  if ('opened' in outcome) return continueSignedIn(ctx, ref, outcome.opened)
  const progress = { ...answers, secondStep: outcome }
  return advance(ctx, ref.id, await saveProgress(ctx, ref.id, state, progress))
}

export const registerHere = async (
  ctx: Ctx,
  ref: InteractionRef,
  input: Register,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const { email } = input
  const updated = { ...state, progress: { ...state.progress, email } }
  const opened = await registerTo(ctx, input, interactionOpener(ref, updated), applicationOf(updated))
  return continueSignedIn(ctx, ref, opened)
}
