/** Steps of the sign-in pages that prove no identity. Each returns the next step. */
import { tokenInvalid, type Ctx } from '../../../../context.ts'
import { changeExpiredPassword } from '../../../sign-in/auth/auth.service.ts'
import { AppError, errorCodes, invalid } from '../../../../errors/app-error.ts'
import { findClientById } from '../../applications/clients.service.ts'
import type { ChangeEmail, ForgotPassword, VerifyEmail } from '../../../sign-in/auth/email.schemas.ts'
import {
  changeEmail,
  forgotPassword,
  endsPassword,
  sendVerification,
  verifyEmail,
} from '../../../sign-in/auth/email.service.ts'
import { getLink } from '../../../accounts/mail/links.service.ts'
import { countSource } from '../../../accounts/mail/mail.service.ts'
import type { SignUp } from '../../../tenancy/sign-up/sign-up.schemas.ts'
import { askSignUp, findSignUpHome } from '../../../tenancy/sign-up/sign-up.service.ts'
import type { BrowserCookies } from '../browser/browser-cookies.ts'
import { findDevice } from '../devices/devices.service.ts'
import {
  advance,
  applicationOf,
  openInteraction,
  readState,
  requireStep,
  saveProgress,
  wrongStep,
  type InteractionResult,
  type InteractionRef,
} from './interactions.service.ts'
import type { WayBack } from './interactions.schemas.ts'
import { consentKeyOf } from './next-step.service.ts'
import type { InteractionState } from './interaction-state.ts'
import { asMember, findSignIn, listMembers, renewCookie } from '../browser/sign-ins.service.ts'

export const getInteraction = async (ctx: Ctx, ref: InteractionRef): Promise<InteractionResult> =>
  advance(ctx, ref.id, await readState(ctx, ref))

/** Stores the typed address. The result is the same for every address, so it reveals no account. */
export const identify = async (
  ctx: Ctx,
  ref: InteractionRef,
  { email }: { email: string },
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const { tenantId, deviceHash } = state.progress
  const progress = {
    email,
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(deviceHash === undefined ? {} : { deviceHash }),
    // The signed-in person wants to sign in with another account.
    ...(state.signIn && { provedFrom: ctx.parts.now().toISOString() }),
  }
  return advance(ctx, ref.id, await saveProgress(ctx, ref.id, state, progress))
}

/** Mails a link for a new password, as `forgotPassword` does. The result is the same for every address. */
export const forgotPasswordHere = async (
  ctx: Ctx,
  ref: InteractionRef,
  input: ForgotPassword,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  await forgotPassword(ctx, input, applicationOf(state))
  return advance(ctx, ref.id, state)
}

/** Mails the link that creates an organization, as `askSignUp` does. The result is the same for every address. */
export const signUpHere = async (
  ctx: Ctx,
  ref: InteractionRef,
  input: SignUp,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  await askSignUp(ctx, input, applicationOf(state))
  return advance(ctx, ref.id, state)
}

/** The application whose sign-in requested a mailed link. Throws 400 for a spent or expired link. */
export const findWayBack = async (ctx: Ctx, token: string): Promise<WayBack> => {
  await countSource(ctx)
  const signUp = await findSignUpHome(ctx, token)
  const link = signUp ? undefined : await getLink(ctx, token, ['reset', 'verification', 'change'])
  const applicationId = (signUp ?? link)?.applicationId
  return {
    application: applicationId === undefined ? null : await findHome(ctx, applicationId),
    email: link?.email ?? '',
    asks_password: link !== undefined && (await endsPassword(ctx, link)),
  }
}

const findHome = async (ctx: Ctx, applicationId: number): Promise<WayBack['application']> => {
  const client = await findClientById(ctx, applicationId)
  const hasHome = client?.status === 1 && client.home_url !== ''
  return hasHome ? { name: client.name, home_url: client.home_url } : null
}

/** After these errors the next step differs: the sign-in has ended, or the account now has a factor. */
const changedMeanwhile: number[] = [
  errorCodes.tokenInvalid,
  errorCodes.permissionMissing,
  errorCodes.tenantDisabled,
  errorCodes.tenantUnknown,
  errorCodes.mfaRequired,
]

/** Acts on the person's own account, which a restricted sign-in may do. Throws 400 if the next step has changed. */
export const onOwnAccount = <T>({ ctx }: { ctx: Ctx }, act: (own: Ctx) => Promise<T>): Promise<T> =>
  act({ ...ctx, allow: 'account' }).catch((err: unknown) => {
    throw err instanceof AppError && changedMeanwhile.includes(err.code) ? wrongStep() : err
  })

/** Changes the password that has expired, ends the person's other sessions, and renews the cookie. */
export const chooseNewPassword = async (
  ctx: Ctx,
  ref: InteractionRef,
  password: string,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const step = await requireStep(ctx, state, 'new_password')
  await onOwnAccount(step, (own) => changeExpiredPassword(own, password))
  const cookie = await renewCookie(ctx, step.signIn)
  return { ...(await advance(ctx, ref.id, { ...state, signIn: await findSignIn(ctx, cookie) })), cookie }
}

/** Mails the confirmation link for the address again. */
export const sendVerificationHere = async (ctx: Ctx, ref: InteractionRef): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const step = await requireStep(ctx, state, 'verify_email')
  await onOwnAccount(step, (own) => sendVerification(own, applicationOf(state)))
  return advance(ctx, ref.id, state)
}

/** Mails a link that replaces the unconfirmed address, as `changeEmail` does. */
export const changeEmailHere = async (
  ctx: Ctx,
  ref: InteractionRef,
  input: ChangeEmail,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const step = await requireStep(ctx, state, 'verify_email')
  await onOwnAccount(step, (own) => changeEmail(own, input, applicationOf(state)))
  return advance(ctx, ref.id, state)
}

/** Throws 400 for a tenant that the step does not offer. */
export const chooseTenant = async (
  ctx: Ctx,
  ref: InteractionRef,
  tenantId: string,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const { members } = await requireStep(ctx, state, 'tenant')
  const chosen = members.find(({ tenant_id: id }) => id === tenantId.toLowerCase())
  if (!chosen) throw invalid('tenant_id', 'is none of the tenants to choose from')
  const progress = { ...state.progress, tenantId: chosen.tenant_id }
  return advance(ctx, ref.id, await saveProgress(ctx, ref.id, state, progress))
}

/** Stores the consent of the person, or ends the interaction with `access_denied`. */
export const giveConsent = async (
  ctx: Ctx,
  ref: InteractionRef,
  allow: boolean,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const { signIn, member, access } = await requireStep(ctx, state, 'consent')
  if (!allow) return refuse(ctx, ref, state)
  const progress = { ...state.progress, allowedFor: consentKeyOf(signIn, member, access) }
  return advance(ctx, ref.id, await saveProgress(ctx, ref.id, state, progress))
}

const refuse = async (
  ctx: Ctx,
  { id }: InteractionRef,
  state: InteractionState,
): Promise<InteractionResult> =>
  advance(ctx, id, await saveProgress(ctx, id, state, { ...state.progress, isRefused: true }))

export const cancel = async (ctx: Ctx, ref: InteractionRef): Promise<InteractionResult> =>
  refuse(ctx, ref, await readState(ctx, ref))

/** Opens the interaction of the device that shows the user code. Throws as `findDevice` does. */
export const beginForDevice = async (
  ctx: Ctx,
  cookies: BrowserCookies,
  userCode: string,
): Promise<InteractionResult & { browser: string }> => {
  const { hash, request } = await findDevice(ctx, userCode)
  const progress = { deviceHash: Buffer.from(hash).toString('hex') }
  const { id, browser } = await openInteraction(ctx, request, cookies.browser, progress)
  return { ...(await getInteraction(ctx, { id, cookies: { ...cookies, browser } })), browser }
}

/** Confirms the address of the person who is signed in in this browser. Throws as `verifyEmail` does. */
export const verifyEmailHere = async (
  ctx: Ctx,
  cookies: BrowserCookies,
  input: VerifyEmail,
): Promise<null> => {
  const signIn = await findSignIn(ctx, cookies.signIn)
  const members = signIn ? await listMembers(ctx, signIn) : []
  const member = members.find((one) => one.barrier === null)
  const own = signIn && member && (await asMember(ctx, signIn, member))
  if (!own) throw tokenInvalid()
  return verifyEmail({ ...own, allow: 'account' }, input)
}
