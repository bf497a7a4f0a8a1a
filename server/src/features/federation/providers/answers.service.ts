/** Answers of providers. After a test, a page shows the result. A sign-in continues at its interaction. */
import { builtInTenant } from '../../../access/permissions.ts'
import { nobody } from '../../../access/actor.ts'
import { inTenant, inTransaction, type Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Providers } from '../../../protocols/oidc/known-providers.ts'
import { oidcRefusals } from '../../../protocols/oidc/code-flow.ts'
import { addIdentityTo, type ProviderPerson } from '../../accounts/identities/identities.service.ts'
import { requireLivingSession } from '../../accounts/sessions/sessions.service.ts'
import { readCookie } from '../oauth/browser/cookies.service.ts'
import type { BrowserCookies } from '../oauth/interaction/interactions.service.ts'
import { admitPerson, decide, hasEnded, personAt } from './admission.service.ts'
import {
  findAttemptProvider,
  keepAnswer,
  openProvider,
  spendAttempt,
  takeKept,
  type AttemptProvider,
  type AttemptPurpose,
} from './attempts.service.ts'
import * as store from './attempts.store.ts'
import { readAnswerOf } from './exchange.service.ts'
import type { DescribedPerson } from './provider-person.ts'
import { callbackOf } from './providers.service.ts'
import { testPageOf } from './tests.service.ts'

export type { Providers }

/** The next page of the browser after an answer. */
export type ProviderAnswer =
  /** The sign-in continues at its interaction. */
  | { kind: 'on'; interactionId: string; cookie: string | undefined }
  /** The person can continue at the interaction with another way. */
  | { kind: 'refused'; number: number; interactionId: string }
  /** The page shows the result. */
  | { kind: 'tested'; page: string }
  /** The account of the session has another identity, or not. */
  | { kind: 'added' }
  | { kind: 'not_added'; number: number }
  /** This browser has no open attempt for the answer. */
  | { kind: 'over' }

/** Errors of a sign-in that refuse the person. */
const refusing = new Set([401, 403, 409])

/** Errors of a person who has cancelled (RFC 6749, 4.1.2.1; Apple). */
const cancelled = new Set(['access_denied', 'user_cancelled_authorize'])

/** A person who is refused learns no reason. */
const refusedNumber = 301

interface Spent {
  provider: AttemptProvider
  purpose: AttemptPurpose
}

/** Marks the provider as tested if its answer describes a person. Signs nobody in. */
const finishTest = async (
  ctx: Ctx,
  { provider }: Spent,
  person: DescribedPerson,
): Promise<ProviderAnswer> => {
  const { kind: result } = await decide(ctx, provider, person)
  await inTransaction(inTenant({ ...ctx, actor: nobody }, builtInTenant.id), async (ctx) =>
    store.updateTested(ctx.db, provider, ctx.parts.now()),
  )
  return { kind: 'tested', page: testPageOf(provider, result) }
}

const finishSignIn = async (
  ctx: Ctx,
  {
    provider,
    interactionId,
    cookies,
  }: { provider: AttemptProvider; interactionId: string; cookies: BrowserCookies },
  person: DescribedPerson,
): Promise<ProviderAnswer> => {
  const refused = { kind: 'refused', number: refusedNumber, interactionId } as const
  if (provider.status !== 'active') return refused
  const admitted = await admitPerson(ctx, { id: interactionId, cookies }, provider, person).catch(
    (err: unknown) => {
      if (err instanceof AppError && refusing.has(err.status)) return refused
      throw err
    },
  )
  return admitted.kind === 'refused' ? refused : { kind: 'on', interactionId, cookie: admitted.cookie }
}

/** Adds the identity to the account of the session that asked for it, if the session has not ended. */
const finishAddition = async (
  ctx: Ctx,
  { provider, purpose }: Spent,
  person: DescribedPerson,
): Promise<ProviderAnswer> => {
  const { account_id: accountId, session_id: sessionId } = purpose
  if (accountId === null || sessionId === null) return { kind: 'over' }
  return addToSession(ctx, { accountId, sessionId }, personAt(provider, person)).catch((err: unknown) => {
    if (err instanceof AppError) return { kind: 'not_added', number: refusedNumber }
    throw err
  })
}

const addToSession = (
  ctx: Ctx,
  session: { accountId: number; sessionId: string },
  person: ProviderPerson,
): Promise<ProviderAnswer> =>
  inTransaction(inTenant({ ...ctx, actor: nobody }, builtInTenant.id), async (ctx) => {
    await requireLivingSession(ctx, session)
    await addIdentityTo(ctx, session.accountId, person)
    return { kind: 'added' }
  })

/** A person who has cancelled is back at the sign-in at once. */
const refusalOf = (
  interactionId: string | null,
  reason: keyof typeof oidcRefusals,
  answer: URLSearchParams,
): ProviderAnswer => {
  const number = oidcRefusals[reason]
  if (interactionId === null) return { kind: 'not_added', number }
  return cancelled.has(answer.get('error') ?? '')
    ? { kind: 'on', interactionId, cookie: undefined }
    : { kind: 'refused', number, interactionId }
}

const finish = async (
  { ctx, cookies, providers, browser }: Receiver,
  { provider, purpose }: Spent,
  answer: URLSearchParams,
): Promise<ProviderAnswer> => {
  const state = answer.get('state') ?? ''
  const received = { binding: { state, browser }, callbackUrl: callbackOf(ctx, provider.slug), answer }
  const person = await readAnswerOf(ctx, providers, openProvider(ctx, provider), received)
  const { interaction_id: interactionId } = purpose
  if ('refused' in person) {
    if (purpose.purpose === 'test') return { kind: 'tested', page: testPageOf(provider, person.refused) }
    return refusalOf(interactionId, person.refused, answer)
  }
  if (purpose.purpose === 'test') return finishTest(ctx, { provider, purpose }, person)
  if (interactionId === null) return finishAddition(ctx, { provider, purpose }, person)
  return finishSignIn(ctx, { provider, interactionId, cookies }, person)
}

interface Receiver {
  ctx: Ctx
  cookies: BrowserCookies
  providers: Providers
  browser: string
}

const orEnded = (err: unknown): ProviderAnswer => {
  if (hasEnded(err)) return { kind: 'over' }
  throw err
}

/** Processes an answer by redirection, or one that was posted and waits under a handle. */
export const takeProviderAnswer = async (
  providers: Providers,
  ctx: Ctx,
  { slug, answer }: { slug: string; answer: URLSearchParams },
  cookies: BrowserCookies,
): Promise<ProviderAnswer> => {
  const browser = readCookie(cookies.browser)
  const provider = await findAttemptProvider(ctx, slug)
  if (!browser || !provider) return { kind: 'over' }
  const receiver = { ctx, cookies, providers, browser }
  const handle = answer.get('handle')
  if (handle !== null) {
    const kept = await takeKept(ctx, provider.id, { handle, browser })
    if (!kept) return { kind: 'over' }
    return finish(receiver, { provider, purpose: kept }, new URLSearchParams(kept.answer)).catch(orEnded)
  }
  const purpose = await spendAttempt(ctx, provider.id, { state: answer.get('state') ?? '', browser })
  return purpose ? finish(receiver, { provider, purpose }, answer).catch(orEnded) : { kind: 'over' }
}

const postedNames = ['code', 'state', 'error', 'iss', 'user'] as const

/** Keeps a posted answer until its browser asks for it. Returns the handle, or undefined without an attempt. */
export const keepProviderAnswer = async (
  ctx: Ctx,
  slug: string,
  posted: Partial<Record<(typeof postedNames)[number], string>>,
): Promise<string | undefined> => {
  const provider = await findAttemptProvider(ctx, slug)
  const answer = new URLSearchParams()
  for (const name of postedNames) {
    if (posted[name] !== undefined) answer.set(name, posted[name])
  }
  return provider && keepAnswer(ctx, provider.id, answer)
}
