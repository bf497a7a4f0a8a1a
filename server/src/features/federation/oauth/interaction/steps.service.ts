/** The interactions behind the pages of the sign-in: each act answers with the next step. */
import { tokenInvalid, type Ctx } from '../../../../context.ts'
import { AppError, errorCodes, invalid } from '../../../../errors/app-error.ts'
import { findClientById } from '../../applications/clients.service.ts'
import type { ChangeEmail, ForgotPassword } from '../../../sign-in/auth/email.schemas.ts'
import {
  changeEmail,
  forgotPassword,
  sendVerification,
  verifyEmail,
} from '../../../sign-in/auth/email.service.ts'
import { addPasskey, beginPasskey } from '../../../accounts/factors/passkeys.service.ts'
import { addTotp, confirmTotp } from '../../../accounts/factors/totp.service.ts'
import { getLink } from '../../../accounts/mail/links.service.ts'
import { countSource } from '../../../accounts/mail/mail.service.ts'
import type { SignUp } from '../../../tenancy/sign-up/sign-up.schemas.ts'
import { askSignUp, findSignUpHome } from '../../../tenancy/sign-up/sign-up.service.ts'
import type { BrowserCookies } from '../browser/browser-cookies.ts'
import { findDevice } from '../devices/devices.service.ts'
import {
  applicationOf,
  keeping,
  moveOn,
  openInteraction,
  readSituation,
  requireStep,
  wrongStep,
  type Moved,
  type InteractionRef,
} from './interactions.service.ts'
import type { ConfirmEnrolment, Enrol, WayBack } from './interactions.schemas.ts'
import { allowanceOf } from './next-step.service.ts'
import type { Progress } from './interaction-progress.ts'
import type { Situation } from './interaction-state.ts'
import { asMember, findSignIn, listMembers, renewCookie } from '../browser/sign-ins.service.ts'

export const getInteraction = async (ctx: Ctx, ref: InteractionRef): Promise<Moved> =>
  moveOn(ctx, ref.id, await readSituation(ctx, ref))

/** Notes the address. The answer is the same for every address. */
export const identify = async (
  ctx: Ctx,
  ref: InteractionRef,
  { email }: { email: string },
): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const { tenantId, deviceHash } = situation.progress
  const progress = {
    email,
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(deviceHash === undefined ? {} : { deviceHash }),
    // Somebody is signed in, and wants to be another person here.
    ...(situation.signIn && { provedFrom: ctx.parts.now().toISOString() }),
  }
  return moveOn(ctx, ref.id, await keeping(ctx, ref.id, situation, progress))
}

/** Mails a link to a new password, as `forgotPassword` does. The answer is the same for every address. */
export const forgotPasswordHere = async (
  ctx: Ctx,
  ref: InteractionRef,
  input: ForgotPassword,
): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  await forgotPassword(ctx, input, applicationOf(situation))
  return moveOn(ctx, ref.id, situation)
}

/** Mails the link that creates an organization, as `askSignUp` does. The answer is the same for every address. */
export const signUpHere = async (ctx: Ctx, ref: InteractionRef, input: SignUp): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  await askSignUp(ctx, input, applicationOf(situation))
  return moveOn(ctx, ref.id, situation)
}

/** The way back to the application at whose sign-in a mailed link began. Throws 400 for a dead link. */
export const findWayBack = async (ctx: Ctx, token: string): Promise<WayBack> => {
  await countSource(ctx)
  const signUp = await findSignUpHome(ctx, token)
  const { applicationId } = signUp ?? (await getLink(ctx, token, ['reset', 'verification', 'change']))
  const client = applicationId === undefined ? undefined : await findClientById(ctx, applicationId)
  const isThere = client?.status === 1 && client.home_url !== ''
  return { application: isThere ? { name: client.name, home_url: client.home_url } : null }
}

/** The sign-in ended while the person proved themselves, or has a factor by now. The next step is another one. */
const meanwhile: number[] = [
  errorCodes.tokenInvalid,
  errorCodes.permissionMissing,
  errorCodes.tenantDisabled,
  errorCodes.tenantUnknown,
  errorCodes.mfaRequired,
]

/**
 * Acts on the person's own account, as a restricted sign-in may. Throws 400 where the sign-in leads to another step
 * meanwhile.
 */
const onOwnAccount = <T>({ ctx }: { ctx: Ctx }, act: (own: Ctx) => Promise<T>): Promise<T> =>
  act({ ...ctx, allow: 'account' }).catch((err: unknown) => {
    throw err instanceof AppError && meanwhile.includes(err.code) ? wrongStep() : err
  })

/** Begins the factor that application or tenant ask for. */
export const beginEnrolment = async (
  ctx: Ctx,
  ref: InteractionRef,
  { type, name, password }: Enrol,
): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const step = await requireStep(ctx, situation, 'enrol')
  const enrolment = await (type === 'totp'
    ? onOwnAccount(step, (own) => addTotp(own, { name, password }))
    : onOwnAccount(step, (own) => beginPasskey(own, { password })))
  const id = 'id' in enrolment ? enrolment.id : undefined
  const progress = { ...situation.progress, enrolment: { id, name } }
  return moveOn(ctx, ref.id, await keeping(ctx, ref.id, situation, progress), { enrolment })
}

/** Mails the link that confirms the address again. */
export const sendVerificationHere = async (ctx: Ctx, ref: InteractionRef): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const step = await requireStep(ctx, situation, 'verify_email')
  await onOwnAccount(step, (own) => sendVerification(own, applicationOf(situation)))
  return moveOn(ctx, ref.id, situation)
}

/** Mails a link that changes an address which cannot be confirmed, as `changeEmail` does. */
export const changeEmailHere = async (ctx: Ctx, ref: InteractionRef, input: ChangeEmail): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const step = await requireStep(ctx, situation, 'verify_email')
  await onOwnAccount(step, (own) => changeEmail(own, input, applicationOf(situation)))
  return moveOn(ctx, ref.id, situation)
}

const addedCodes = async (
  own: Ctx,
  { id, name }: NonNullable<Progress['enrolment']>,
  { code, response }: ConfirmEnrolment,
): Promise<string[]> => {
  if ((code === undefined) === (response === undefined)) {
    throw invalid('body', 'must have exactly one of code and response')
  }
  if (response !== undefined) return (await addPasskey(own, { name, response })).recovery_codes
  if (id === undefined || code === undefined) throw wrongStep()
  return (await confirmTotp(own, id, { code })).recovery_codes
}

/** Adds the factor: the sign-in has been proved by it, and gets a new cookie. */
export const confirmEnrolment = async (
  ctx: Ctx,
  ref: InteractionRef,
  input: ConfirmEnrolment,
): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const step = await requireStep(ctx, situation, 'enrol')
  const { enrolment } = situation.progress
  if (!enrolment) throw wrongStep()
  const recoveryCodes = await onOwnAccount(step, (own) => addedCodes(own, enrolment, input))
  const cookie = await renewCookie(ctx, step.signIn)
  const renewed = { ...situation, signIn: await findSignIn(ctx, cookie) }
  return { ...(await moveOn(ctx, ref.id, renewed, { recoveryCodes })), cookie }
}

/** Throws 400 for a tenant that is not to be chosen. */
export const chooseTenant = async (ctx: Ctx, ref: InteractionRef, tenantId: string): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const { members } = await requireStep(ctx, situation, 'tenant')
  const chosen = members.find(({ tenant_id: id }) => id === tenantId.toLowerCase())
  if (!chosen) throw invalid('tenant_id', 'is none of the tenants to choose from')
  const progress = { ...situation.progress, tenantId: chosen.tenant_id }
  return moveOn(ctx, ref.id, await keeping(ctx, ref.id, situation, progress))
}

/** The click of the person. Without it nothing goes to the application but `access_denied`. */
export const giveConsent = async (ctx: Ctx, ref: InteractionRef, allow: boolean): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const { signIn, member, given } = await requireStep(ctx, situation, 'consent')
  if (!allow) return refuse(ctx, ref, situation)
  const progress = { ...situation.progress, allowedFor: allowanceOf(signIn, member, given) }
  return moveOn(ctx, ref.id, await keeping(ctx, ref.id, situation, progress))
}

const refuse = async (ctx: Ctx, { id }: InteractionRef, situation: Situation): Promise<Moved> =>
  moveOn(ctx, id, await keeping(ctx, id, situation, { ...situation.progress, isRefused: true }))

export const cancel = async (ctx: Ctx, ref: InteractionRef): Promise<Moved> =>
  refuse(ctx, ref, await readSituation(ctx, ref))

/** Begins the sign-in of the device that shows a code. Throws as `findDevice` does. */
export const beginForDevice = async (
  ctx: Ctx,
  cookies: BrowserCookies,
  userCode: string,
): Promise<Moved & { browser: string }> => {
  const { hash, request } = await findDevice(ctx, userCode)
  const progress = { deviceHash: Buffer.from(hash).toString('hex') }
  const { id, browser } = await openInteraction(ctx, request, cookies.browser, progress)
  return { ...(await getInteraction(ctx, { id, cookies: { ...cookies, browser } })), browser }
}

/** Confirms the address of the person who is signed in with this browser. Throws as `verifyEmail` does. */
export const verifyEmailHere = async (ctx: Ctx, cookies: BrowserCookies, token: string): Promise<null> => {
  const signIn = await findSignIn(ctx, cookies.signIn)
  const members = signIn ? await listMembers(ctx, signIn) : []
  const member = members.find((one) => one.is_reachable)
  const own = signIn && member && (await asMember(ctx, signIn, member))
  if (!own) throw tokenInvalid()
  return verifyEmail({ ...own, allow: 'account' }, { token })
}
