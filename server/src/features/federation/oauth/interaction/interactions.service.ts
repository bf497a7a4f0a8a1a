/** The state of an interaction: all that is known of it, and the step that follows. */
import { randomUUID } from 'node:crypto'
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { isDoorOpenTo } from '../../../../config/front-door.ts'
import { consoleClient, findResourceFor } from '../../applications/clients.service.ts'
import { findNamedClient, isKnown } from '../../applications/documents.service.ts'
import type { beginPasskeyLogin, Proved } from '../../../sign-in/auth/sign-in.service.ts'
import type { beginPasskey } from '../../../accounts/factors/passkeys.service.ts'
import type { addTotp } from '../../../accounts/factors/totp.service.ts'
import { findClientAtRedirect } from '../request/client-redirect.service.ts'
import { cookieHashOf, createCookie, readCookie } from '../browser/cookies.service.ts'
import * as store from './interactions.store.ts'
import { askForFactor } from './missing-factor.service.ts'
import { findNext, type Next, type Question } from './next-step.service.ts'
import type { BrowserCookies } from '../browser/browser-cookies.ts'
import type { Progress } from './interaction-progress.ts'
import type { AuthorizationRequest } from '../request/authorization-request.ts'
import type { Situation } from './interaction-state.ts'
import {
  endSignIn,
  findSignIn,
  openingSignIn,
  type ConnectionOfSignIn,
  type OpenedSignIn,
} from '../browser/sign-ins.service.ts'

export type { BrowserCookies }

/** A step that the person sees. */
type Asked = Exclude<Next, { step: 'lacked_factor' }>

/** An interaction after an act. */
export interface Moved {
  id: string
  situation: Situation
  /** An OAuthError ends it. */
  next: Asked | OAuthError
  /** A new sign-in cookie. */
  cookie?: string
  /** Values that are shown once. */
  shown?: Shown
}

export interface Shown {
  passkeyOptions?: Awaited<ReturnType<typeof beginPasskeyLogin>>
  enrolment?: Awaited<ReturnType<typeof addTotp>> | Awaited<ReturnType<typeof beginPasskey>>
  recoveryCodes?: string[]
}

/** An interaction of the browser that asks. */
export interface InteractionRef {
  id: string
  cookies: BrowserCookies
}

/** An interaction lives for 30 minutes. */
const interactionMs = 30 * 60_000

/** A new interaction, with the cookie that names its browser. */
export interface OpenedInteraction {
  id: string
  browser: string
}

/** Keeps the request for this browser, which gets a name when it has none. */
export const openInteraction = async (
  { parts, db }: Ctx,
  request: AuthorizationRequest,
  cookie: string | undefined,
  progress: Progress = {},
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
  new AppError('interactionUnknown', 'This sign-in is over. Go back to the application and begin again')

export const wrongStep = () => new AppError('stepWrong', 'The sign-in is at another step. Load the page anew')

/** Throws 404 for an interaction of another browser, an ended one and an unknown one. */
export const readSituation = async (ctx: Ctx, { id, cookies }: InteractionRef): Promise<Situation> => {
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
  const known = { request, client, progress, version, signIn, begunAt, browser }
  return knowing(ctx, id, await situationOf(ctx, known))
}

/** The client of a situation, as its metadata says now: unknown where the address of the request is not its own any more. */
const knownIn = async (ctx: Ctx, situation: Situation): Promise<Situation> => {
  const { client, signIn, request } = situation
  if (!signIn || isKnown(client)) return situation
  const target = await findClientAtRedirect(ctx, { client, redirectUri: request.redirectUri }, signIn)
  return target ? { ...situation, client: target.client } : situation
}

/** Completes a situation by the resource that the request names, if the client may still name it. */
export const situationOf = async (ctx: Ctx, known: Omit<Situation, 'resource'>): Promise<Situation> => {
  const { request, client } = known
  const resource = request.resource && (await findResourceFor(ctx, client, request.resource.identifier))
  return { ...known, resource }
}

/** Reads the metadata of the client. Those that could not be read are not asked for again: the interaction is over. */
const knowing = async (ctx: Ctx, id: string, before: Situation): Promise<Situation> => {
  const situation = before.progress.isRefused ? before : await knownIn(ctx, before)
  if (isKnown(situation.client) || !situation.signIn || situation.progress.isRefused) return situation
  return keeping(ctx, id, situation, { ...situation.progress, isRefused: true })
}

/** The next step; an error that ends the interaction is a step as well. */
export const moveOn = async (ctx: Ctx, id: string, situation: Situation, shown?: Shown): Promise<Moved> => {
  const next = await nextOrError(ctx, situation)
  if ('step' in next && next.step === 'lacked_factor') return askFactor(ctx, id, situation, next)
  return { id, situation, next, ...(shown && { shown }) }
}

const nextOrError = (ctx: Ctx, situation: Situation): Promise<Next | OAuthError> =>
  findNext(ctx, situation).catch((err: unknown) => {
    if (err instanceof OAuthError) return err
    throw err
  })

/** Begins the factor that a sign-in by a connection lacks. The interaction ends where the person has none. */
const askFactor = async (
  ctx: Ctx,
  id: string,
  situation: Situation,
  { signIn, member }: Extract<Next, { step: 'lacked_factor' }>,
): Promise<Moved> => {
  const secondStep = await askForFactor(ctx, signIn, member)
  const { progress } = situation
  const asked = secondStep
    ? { ...progress, secondStep, lackedBy: signIn.id }
    : { ...progress, isRefused: true }
  return moveOn(ctx, id, await keeping(ctx, id, situation, asked))
}

/** Keeps the answers so far. Throws 400 where another act has been faster. */
export const keeping = async (
  ctx: Ctx,
  id: string,
  situation: Situation,
  progress: Progress,
): Promise<Situation> => {
  const { version } = situation
  if ((await store.updateProgress(ctx.db, { id, version }, progress)) !== 1) throw wrongStep()
  return { ...situation, progress, version: version + 1 }
}

/** Ends an interaction before it is answered: it answers once. Throws 404 where another act has been faster. */
export const closeInteraction = async ({ db }: Ctx, { id, situation: { version } }: Moved): Promise<void> => {
  if ((await store.deleteInteractionRow(db, { id, version })) !== 1) throw interactionUnknown()
}

/** Opens a sign-in in place of the browser's. Throws 400, and opens none, where another act has been faster. */
export const openingHere =
  ({ id }: InteractionRef, situation: Situation, connection?: ConnectionOfSignIn) =>
  async (ctx: TransactionCtx, proved: Pick<Proved, 'account' | 'amr'>): Promise<OpenedHere> => {
    const { secondStep: _, lackedBy: __, toProve: ___, ...progress } = situation.progress
    const kept = await keeping(ctx, id, situation, progress)
    return { ...(await openingSignIn(situation.signIn, connection)(ctx, proved)), situation: kept }
  }

/** A sign-in that was opened at an interaction. */
export interface OpenedHere extends OpenedSignIn {
  situation: Situation
}

/** The present step, when it is one of these. Throws 400 otherwise. */
export const requireStep = async <Step extends Question['step']>(
  ctx: Ctx,
  situation: Situation,
  ...steps: Step[]
): Promise<Extract<Question, { step: Step }>> => {
  const next = await nextOrError(ctx, situation)
  const isOne = (one: typeof next): one is Extract<Question, { step: Step }> =>
    'step' in one && (steps as string[]).includes(one.step)
  if (!isOne(next)) throw wrongStep()
  return next
}

/** Goes on with the sign-in that a proof has opened. Another person's in this browser ends. */
export const signedIn = async (
  ctx: Ctx,
  { id }: InteractionRef,
  { cookie, replaced, situation }: OpenedHere,
): Promise<Moved> => {
  if (replaced) await endSignIn(ctx, replaced)
  const next = { ...situation, signIn: await findSignIn(ctx, cookie) }
  return { ...(await moveOn(ctx, id, await knowing(ctx, id, next))), cookie }
}

/** The application that mailed links lead back to; undefined for the console, and while the client is unknown. */
export const applicationOf = ({ client }: Situation): number | undefined =>
  isKnown(client) && client.id !== consoleClient.id ? client.id : undefined
