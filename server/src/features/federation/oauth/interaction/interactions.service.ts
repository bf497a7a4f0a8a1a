/** Opens, reads, stores and ends interactions. Each change finds the next step. */
import { randomUUID } from 'node:crypto'
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { isDoorOpenTo } from '../../../../config/front-door.ts'
import { consoleClient, findResourceFor } from '../../applications/clients.service.ts'
import { findNamedClient, isKnown } from '../../applications/documents.service.ts'
import type { beginPasskeyLogin } from '../../../sign-in/auth/passkey-sign-in.service.ts'
import type { Proved } from '../../../sign-in/auth/sign-in.service.ts'
import type { beginPasskey } from '../../../accounts/factors/passkeys.service.ts'
import type { addTotp } from '../../../accounts/factors/totp.service.ts'
import { findClientAtRedirect } from '../request/client-redirect.service.ts'
import { cookieHashOf, createCookie, readCookie } from '../browser/cookies.service.ts'
import * as store from './interactions.store.ts'
import { askForFactor } from './missing-factor.service.ts'
import { findNextStep, type NextStep, type OpenStep } from './next-step.service.ts'
import type { BrowserCookies } from '../browser/browser-cookies.ts'
import type { InteractionProgress, LinkOfInteraction } from './interaction-progress.ts'
import type { AuthorizationRequest } from '../request/authorization-request.ts'
import type { InteractionState } from './interaction-state.ts'
import {
  endSignIn,
  findSignIn,
  signInOpener,
  type ConnectionOfSignIn,
  type OpenedSignIn,
} from '../browser/sign-ins.service.ts'

export type { BrowserCookies, LinkOfInteraction }

/** A step that the page shows. */
type ShownStep = Exclude<NextStep, { step: 'lacked_factor' }>

/** An interaction at its next step. */
export interface InteractionResult {
  id: string
  state: InteractionState
  /** An OAuthError ends the interaction. */
  next: ShownStep | OAuthError
  /** The new cookie of the sign-in. */
  cookie?: string
  shownOnce?: ShownOnce
}

export interface ShownOnce {
  passkeyOptions?: Awaited<ReturnType<typeof beginPasskeyLogin>>
  enrolment?: Awaited<ReturnType<typeof addTotp>> | Awaited<ReturnType<typeof beginPasskey>>
  recoveryCodes?: string[]
}

export interface InteractionRef {
  id: string
  cookies: BrowserCookies
}

/** 30 minutes. */
const interactionMs = 30 * 60_000

export interface OpenedInteraction {
  id: string
  /** The cookie that binds the interaction to its browser. */
  browser: string
}

/** Stores the request. It belongs to the cookie of the browser, or to a new cookie. */
export const openInteraction = async (
  { parts, db }: Ctx,
  request: AuthorizationRequest,
  cookie: string | undefined,
  progress: InteractionProgress = {},
): Promise<OpenedInteraction> => {
  const browser = readCookie(cookie) ?? createCookie()
  const now = parts.now()
  const id = randomUUID()
  await store.insertInteraction(db, {
    id,
    browserHash: cookieHashOf(browser),
    request,
    progress,
    now,
    expiresAt: new Date(now.getTime() + interactionMs),
  })
  return { id, browser }
}

export const interactionUnknown = () =>
  new AppError('interactionUnknown', 'This sign-in has expired. Go back to the application and begin again')

export const wrongStep = () => new AppError('stepWrong', 'The sign-in is at another step. Load the page anew')

/** Reads the state. Throws 404 for an interaction that is unknown, has ended, or belongs to another browser. */
export const readState = async (ctx: Ctx, { id, cookies }: InteractionRef): Promise<InteractionState> => {
  const browser = readCookie(cookies.browser)
  const now = ctx.parts.now()
  const row =
    browser && (await store.selectInteraction(ctx.db, { id, browserHash: cookieHashOf(browser), now }))
  if (!row) throw interactionUnknown()
  const [client, signIn] = await Promise.all([
    findNamedClient(ctx, row.request.clientId),
    findSignIn(ctx, cookies.signIn),
  ])
  if (client?.status !== 1 || !isDoorOpenTo(ctx.parts.config, client.client_id)) throw interactionUnknown()
  const { request, progress, version, created_at: begunAt } = row
  const state = { request, client, progress, version, signIn, begunAt, browser }
  return refreshClient(ctx, id, await completeState(ctx, state))
}

/**
 * The state with the client from a fetched metadata document. Unchanged if the redirect address no longer belongs to
 * the client.
 */
const withClientMetadata = async (ctx: Ctx, state: InteractionState): Promise<InteractionState> => {
  const { client, signIn, request } = state
  if (!signIn || isKnown(client)) return state
  const found = await findClientAtRedirect(ctx, { client, redirectUri: request.redirectUri }, signIn)
  return found ? { ...state, client: found.client } : state
}

/** Adds the resource of the request to the state, if the client may still name it. */
export const completeState = async (
  ctx: Ctx,
  state: Omit<InteractionState, 'resource'>,
): Promise<InteractionState> => {
  const { request, client } = state
  const resource = request.resource && (await findResourceFor(ctx, client, request.resource.identifier))
  return { ...state, resource }
}

/**
 * Fetches the client's metadata document after the sign-in. If the fetch fails, the interaction ends without another
 * fetch.
 */
const refreshClient = async (ctx: Ctx, id: string, before: InteractionState): Promise<InteractionState> => {
  const state = before.progress.isRefused ? before : await withClientMetadata(ctx, before)
  if (isKnown(state.client) || !state.signIn || state.progress.isRefused) return state
  return saveProgress(ctx, id, state, { ...state.progress, isRefused: true })
}

/** Finds the next step, or the error that ends the interaction. */
export const advance = async (
  ctx: Ctx,
  id: string,
  state: InteractionState,
  shownOnce?: ShownOnce,
): Promise<InteractionResult> => {
  const next = await nextOrError(ctx, state)
  if ('step' in next && next.step === 'lacked_factor') return askMissingFactor(ctx, id, state, next)
  return { id, state, next, ...(shownOnce && { shownOnce }) }
}

const nextOrError = (ctx: Ctx, state: InteractionState): Promise<NextStep | OAuthError> =>
  findNextStep(ctx, state).catch((err: unknown) => {
    if (err instanceof OAuthError) return err
    throw err
  })

/** Requests the second factor that a connection's sign-in lacks. If the account has no factor, the interaction ends. */
const askMissingFactor = async (
  ctx: Ctx,
  id: string,
  state: InteractionState,
  { signIn, member }: Extract<NextStep, { step: 'lacked_factor' }>,
): Promise<InteractionResult> => {
  const secondStep = await askForFactor(ctx, signIn, member)
  const { progress } = state
  const asked = secondStep
    ? { ...progress, secondStep, lackedBy: signIn.id }
    : { ...progress, isRefused: true }
  return advance(ctx, id, await saveProgress(ctx, id, state, asked))
}

/** Stores the answers. Throws 400 if a concurrent request has changed the interaction. */
export const saveProgress = async (
  ctx: Ctx,
  id: string,
  state: InteractionState,
  progress: InteractionProgress,
): Promise<InteractionState> => {
  const { version } = state
  if ((await store.updateProgress(ctx.db, { id, version }, progress)) !== 1) throw wrongStep()
  return { ...state, progress, version: version + 1 }
}

/**
 * Ends an interaction before its response, which is therefore sent only once. Throws 404 if a concurrent request has
 * changed it.
 */
export const closeInteraction = async (
  { db }: Ctx,
  { id, state: { version } }: InteractionResult,
): Promise<void> => {
  if ((await store.deleteInteractionRow(db, { id, version })) !== 1) throw interactionUnknown()
}

/**
 * Opens a sign-in, and replaces that of the browser. If the interaction has changed meanwhile, throws 400 and opens
 * none.
 */
export const interactionOpener =
  ({ id }: InteractionRef, state: InteractionState, connection?: ConnectionOfSignIn) =>
  async (ctx: TransactionCtx, proved: Pick<Proved, 'account' | 'amr'>): Promise<OpenedInInteraction> => {
    const {
      secondStep: _,
      lackedBy: __,
      toProve: ___,
      emailCode: ____,
      federated: _____,
      ...progress
    } = state.progress
    const saved = await saveProgress(ctx, id, state, progress)
    return { ...(await signInOpener(state.signIn, connection)(ctx, proved)), state: saved }
  }

export interface OpenedInInteraction extends OpenedSignIn {
  state: InteractionState
}

/** The present step. Throws 400 if it is not among `steps`. */
export const requireStep = async <Step extends OpenStep['step']>(
  ctx: Ctx,
  state: InteractionState,
  ...steps: Step[]
): Promise<Extract<OpenStep, { step: Step }>> => {
  const next = await nextOrError(ctx, state)
  const isOne = (one: typeof next): one is Extract<OpenStep, { step: Step }> =>
    'step' in one && (steps as string[]).includes(one.step)
  if (!isOne(next)) throw wrongStep()
  return next
}

/** Continues with an opened sign-in. Ends the sign-in of another person in this browser. */
export const continueSignedIn = async (
  ctx: Ctx,
  { id }: InteractionRef,
  { cookie, replaced, state }: OpenedInInteraction,
): Promise<InteractionResult> => {
  if (replaced) await endSignIn(ctx, replaced)
  const next = { ...state, signIn: await findSignIn(ctx, cookie) }
  return { ...(await advance(ctx, id, await refreshClient(ctx, id, next))), cookie }
}

/** The application that mailed links return to. Undefined for the console and for an unknown client. */
export const applicationOf = ({ client }: InteractionState): number | undefined =>
  isKnown(client) && client.id !== consoleClient.id ? client.id : undefined
