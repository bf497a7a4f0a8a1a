/** Ends a finished interaction: responds to the application, or decides about the device. */
import type { Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { refuseDevice } from '../devices/devices.service.ts'
import {
  authorizationResponse,
  responseUrl,
  type AuthorizationResponse,
} from '../request/authorization-response.service.ts'
import { allowDevice, respondWithCode } from './authorization-code.service.ts'
import { closeInteraction, interactionUnknown, type InteractionResult } from './interactions.service.ts'
import { unpermitted, type DoneStep, type NextStep } from './next-step.service.ts'

type FinishedStep = Extract<NextStep, { step: 'done' | 'unpermitted' }> | OAuthError
type RefusedStep = Extract<NextStep, { step: 'refused' }>

export const isRefused = (next: InteractionResult['next']): next is RefusedStep =>
  'step' in next && next.step === 'refused'

export const isFinished = (next: InteractionResult['next']): next is FinishedStep =>
  next instanceof OAuthError || next.step === 'done' || next.step === 'unpermitted'

/** The admission of the person, or the error for the application. */
const outcomeOf = (next: FinishedStep): DoneStep | OAuthError =>
  'step' in next && next.step === 'unpermitted' ? unpermitted() : next

/** Ends the interaction, and creates its response, which is the only one. */
const respondToApplication = async (
  ctx: Ctx,
  result: InteractionResult,
  next: FinishedStep,
): Promise<AuthorizationResponse> => {
  const { state } = result
  const respondWithError = (error: OAuthError) =>
    authorizationResponse(ctx.parts.config, state.request, error)
  await closeInteraction(ctx, result)
  const { link } = state.progress
  if (link) return { redirectUri: link.page, responseMode: 'query', params: {} }
  const outcome = outcomeOf(next)
  if (outcome instanceof OAuthError) return respondWithError(outcome)
  return respondWithCode(ctx, state, outcome).catch(onOAuthError(respondWithError))
}

/** Handles an OAuthError: the sign-in, the consent or the application ended during the last step. */
const onOAuthError =
  <T>(handle: (error: OAuthError) => T) =>
  (err: unknown): T => {
    if (err instanceof OAuthError) return handle(err)
    throw err
  }

/** The page of the mailed link that opened the interaction, while the person has proved nothing. */
export const linkPageOf = ({ id, next, state: { progress } }: InteractionResult): string | undefined => {
  const { link } = progress
  if (!link || !('step' in next) || next.step !== 'identify') return undefined
  return link.person ? `${link.page}?interaction=${id}` : link.page
}

/** The response of a finished interaction. Undefined before the last step; null if the client gets no response. */
export const findResponse = async (
  ctx: Ctx,
  result: InteractionResult,
): Promise<AuthorizationResponse | undefined | null> => {
  if (isRefused(result.next)) return null
  return isFinished(result.next) ? respondToApplication(ctx, result, result.next) : undefined
}

/**
 * `authorize.routes.ts` responds at this address, with a posted form, or after the person has read the recovery codes.
 */
const resumeUrl = (id: string): string => `/oauth2/resume/${id}`

/** Allows or refuses a device, without a redirect. Throws 404 if somebody has already decided about its code. */
const decideAboutDevice = async (
  ctx: Ctx,
  result: InteractionResult,
  next: FinishedStep,
  hash: Buffer,
): Promise<''> => {
  await closeInteraction(ctx, result)
  const refuse = () => refuseDevice(ctx, hash)
  const outcome = outcomeOf(next)
  const isDecided =
    outcome instanceof OAuthError
      ? await refuse()
      : await allowDevice(result.state, outcome, hash).catch(onOAuthError(refuse))
  if (!isDecided) throw interactionUnknown()
  return ''
}

/**
 * The address that the page redirects to. It is "" before the last step, and for a device. Ends a finished interaction.
 */
export const finishInteraction = async (ctx: Ctx, result: InteractionResult): Promise<string> => {
  const { id, next, state, shownOnce } = result
  // The page shows the error, because the redirect address is unverified and must get nothing.
  if (isRefused(next)) return resumeUrl(id)
  if (!isFinished(next)) return ''
  const { deviceHash } = state.progress
  if (deviceHash !== undefined) return decideAboutDevice(ctx, result, next, Buffer.from(deviceHash, 'hex'))
  const mustWait = state.request.responseMode === 'form_post' || (shownOnce?.recoveryCodes ?? []).length > 0
  return mustWait ? resumeUrl(id) : responseUrl(await respondToApplication(ctx, result, next))
}
