/** The steps that add a second factor, and the offered passkey. */
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { invalid } from '../../../../errors/app-error.ts'
import { getOwnAccount } from '../../../accounts/accounts/credentials.service.ts'
import {
  changingByPassword,
  changingOwnFactors,
  type OwnFactors,
} from '../../../accounts/factors/factors.service.ts'
import { declinePasskey } from '../../../accounts/factors/passkey-offer.service.ts'
import { addPasskey, passkeyCreation } from '../../../accounts/factors/passkeys.service.ts'
import { confirmTotp, totpCreation } from '../../../accounts/factors/totp.service.ts'
import { findSignIn, renewCookie, type SignIn } from '../browser/sign-ins.service.ts'
import type { InteractionProgress } from './interaction-progress.ts'
import type { ConfirmEnrolment, Enrol } from './interactions.schemas.ts'
import {
  advance,
  readState,
  requireStep,
  saveProgress,
  wrongStep,
  type InteractionRef,
  type InteractionResult,
  type ShownOnce,
} from './interactions.service.ts'
import { onOwnAccount } from './steps.service.ts'

/** 5 minutes (docs/contract.md, "Second factors"). */
const typedMs = 5 * 60_000

/** Whether the person typed the password a moment ago. A further proof would have moved the time of the sign-in. */
const hasJustTyped = ({ parts }: Ctx, { amr, authTime }: SignIn): boolean =>
  amr.join() === 'pwd' && parts.now().getTime() - authTime.getTime() < typedMs

/** Whether the page asks for the password before it adds a factor. */
export const asksPassword = async (ctx: Ctx, { next }: InteractionResult): Promise<boolean> => {
  if (!('step' in next) || next.step !== 'enrol' || hasJustTyped(ctx, next.signIn)) return false
  return (await getOwnAccount(next.ctx)).password_scheme !== 'none'
}

type Creation = (ctx: TransactionCtx, own: OwnFactors) => Promise<NonNullable<ShownOnce['enrolment']>>

/** Begins the addition of a factor that the application or the tenant requires, or of the offered passkey. */
export const beginEnrolment = async (
  ctx: Ctx,
  ref: InteractionRef,
  input: Enrol,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const step = await requireStep(ctx, state, 'enrol', 'offer_passkey')
  const { type, name } = input
  const isOffered = step.step === 'offer_passkey'
  if (isOffered && type !== 'passkey') throw invalid('type', 'must be passkey at this step')
  const isProved = isOffered || (input.password === undefined && hasJustTyped(ctx, step.signIn))
  const enrolment = await onOwnAccount(step, (own) => {
    const create: Creation = type === 'totp' ? totpCreation(own, name) : passkeyCreation(own)
    return isProved ? changingOwnFactors(own, create) : changingByPassword(own, input, create)
  })
  const id = 'id' in enrolment ? enrolment.id : undefined
  const progress = { ...state.progress, enrolment: { id, name } }
  return advance(ctx, ref.id, await saveProgress(ctx, ref.id, state, progress), { enrolment })
}

/** Declines the offered passkey. */
export const skipPasskey = async (ctx: Ctx, ref: InteractionRef): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  await onOwnAccount(await requireStep(ctx, state, 'offer_passkey'), declinePasskey)
  return advance(ctx, ref.id, state)
}

const addFactor = async (
  own: Ctx,
  { id, name }: NonNullable<InteractionProgress['enrolment']>,
  { code, response }: ConfirmEnrolment,
): Promise<string[]> => {
  if ((code === undefined) === (response === undefined)) {
    throw invalid('body', 'must have exactly one of code and response')
  }
  if (response !== undefined) return (await addPasskey(own, { name, response })).recovery_codes
  if (id === undefined || code === undefined) throw wrongStep()
  return (await confirmTotp(own, id, { code })).recovery_codes
}

/** Adds the factor, which also proves the sign-in, and renews the cookie. */
export const confirmEnrolment = async (
  ctx: Ctx,
  ref: InteractionRef,
  input: ConfirmEnrolment,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const step = await requireStep(ctx, state, 'enrol', 'offer_passkey')
  const { enrolment } = state.progress
  if (!enrolment) throw wrongStep()
  const recoveryCodes = await onOwnAccount(step, (own) => addFactor(own, enrolment, input))
  const cookie = await renewCookie(ctx, step.signIn)
  const renewed = { ...state, signIn: await findSignIn(ctx, cookie) }
  return { ...(await advance(ctx, ref.id, renewed, { recoveryCodes })), cookie }
}
