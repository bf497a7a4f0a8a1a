/** Answers of providers. After a test, a page shows the result. A sign-in continues at its interaction. */
import { nobody } from '../../../access/actor.ts'
import { inTenant, inTransaction, type Ctx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError, errorCodes } from '../../../errors/app-error.ts'
import { admit, previewSignIn } from '../linking/linking.service.ts'
import { noteOutcome } from '../linking/outcomes.service.ts'
import { plainPerson, type AcceptedAnswer } from '../linking/persons.service.ts'
import { continueAfterProvider, providerOpener } from '../oauth/interaction/account-proof.service.ts'
import { cookieHashOf, readCookie } from '../oauth/browser/cookies.service.ts'
import { readState, type BrowserCookies } from '../oauth/interaction/interactions.service.ts'
import * as store from './attempts.store.ts'
import { callbackOf, providerOf } from './oidc-provider.service.ts'
import type { Binding } from '../../../protocols/oidc/code-flow.ts'
import type { Providers } from '../../../protocols/oidc/known-providers.ts'
import { readOidc } from './oidc-sign-in.ts'
import { refusals, type Refusal } from './reasons.ts'
import { takeSamlAnswer } from './saml.service.ts'
import { findTenantOf } from './tenant-of.service.ts'

/** The next page of the browser after an answer. */
export type AnswerResult =
  /** The sign-in continues at its interaction. */
  | { kind: 'on'; interactionId: string; cookie: string | undefined }
  /** `number` identifies the reason. The person can continue at the interaction with another sign-in method. */
  | { kind: 'refused'; number: number; interactionId: string }
  /** `number` identifies the refusal; undefined for a passed test. */
  | { kind: 'tested'; number: number | undefined }
  /** This browser has no open attempt for the answer. */
  | { kind: 'over' }

type Answer = AcceptedAnswer | { refused: Refusal }

interface SpentAttempt {
  connection: store.AttemptConnection
  interactionId: string
  isTest: boolean
}

/** Stores a protocol error as an outcome that administrators see. */
export const noteRefusal = (
  there: Ctx,
  { connection, interactionId, isTest }: SpentAttempt,
  { refused }: { refused: Refusal },
): Promise<void> =>
  inTransaction({ ...there, actor: nobody }, async (ctx) =>
    noteOutcome(ctx, connection.id, {
      outcome: isTest ? 'test_failed' : 'refused',
      reason: refused,
      testId: isTest ? interactionId : undefined,
    }),
  )

/** The reasons that a guest learns. The others tell of users and accounts, here and in other tenants. */
const toldGuests = new Set<Refusal>(['address_missing', 'address_outside'])

/** Stores the result that a sign-in would have. If the person could sign in, the connection can become active. */
const test = async (
  there: Ctx,
  { connection, interactionId: testId }: SpentAttempt,
  { person, claims }: AcceptedAnswer,
): Promise<AnswerResult> => {
  const { tenantId } = there
  const verdict = await previewSignIn(there, { tenantId, connectionId: connection.id, person, claims })
  const isGuest = await store.isOfGuest(there.db, tenantId, testId)
  const isTold = verdict.kind === 'refused' && (!isGuest || toldGuests.has(verdict.reason))
  const reason = isTold ? verdict.reason : undefined
  await inTransaction({ ...there, actor: nobody }, async (ctx) => {
    const outcome = reason === undefined ? 'test_passed' : 'test_failed'
    const how = verdict.kind === 'proof' ? 'proved' : verdict.kind
    const noted = reason ?? (isGuest ? 'answered' : how)
    noteOutcome(ctx, connection.id, { outcome, reason: noted, testId, person, claims })
    if (reason === undefined) await store.updateTested(ctx.db, tenantId, connection, ctx.parts.now())
  })
  return { kind: 'tested', number: reason && refusals[reason] }
}

const processAnswer = async (
  { ctx, there, cookies }: { ctx: Ctx; there: Ctx; cookies: BrowserCookies },
  spent: SpentAttempt,
  answer: Answer,
): Promise<AnswerResult> => {
  const { connection, interactionId, isTest } = spent
  if ('refused' in answer) {
    await noteRefusal(there, spent, answer)
    const number = refusals[answer.refused]
    return isTest ? { kind: 'tested', number } : { kind: 'refused', number, interactionId }
  }
  const provided = { ...answer, person: plainPerson(answer.person) }
  if (isTest) return test(there, spent, provided)
  const ref = { id: interactionId, cookies }
  const state = await readState(ctx, ref)
  const brought = { tenantId: there.tenantId, connectionId: connection.id, ...provided }
  const outcome = await admit(ctx, brought, providerOpener(ref, state))
  if (outcome.kind === 'refused') {
    return { kind: 'refused', number: refusals[outcome.reason], interactionId }
  }
  const kept = { brought: { ...brought, claims: [] }, tenant: connection.tenant_name }
  const { cookie } = await continueAfterProvider(ctx, ref, state, { outcome, ...kept })
  return { kind: 'on', interactionId, cookie }
}

/** Whether the interaction has ended or changed meanwhile, which is no error of the service. */
export const hasEnded = (err: unknown): boolean =>
  err instanceof AppError && (err.status === 404 || err.code === errorCodes.stepWrong)

const orEnded = (err: unknown): AnswerResult => {
  if (hasEnded(err)) return { kind: 'over' }
  throw err
}

/** Spends this browser's attempt after an answer of an OpenID Connect provider. */
const spendAttempt = async (
  there: Ctx,
  id: string,
  { state, browser }: Binding,
): Promise<SpentAttempt | undefined> => {
  const { db, tenantId, parts } = there
  const connection = await store.selectAttemptConnection(db, tenantId, id)
  if (connection?.type !== 'oidc') return undefined
  const open = {
    connectionId: id,
    stateHash: sha256(state),
    browserHash: cookieHashOf(browser),
    now: parts.now(),
  }
  const attempt = await store.deleteAttempt(db, tenantId, open)
  return attempt && { connection, interactionId: attempt.interaction_id, isTest: attempt.is_test }
}

const readAnswer = async (
  there: Ctx,
  providers: Providers,
  { connection }: SpentAttempt,
  { binding, answer }: { binding: Binding; answer: URLSearchParams },
): Promise<Answer> => {
  const named = providerOf(there, connection)
  const provider = await providers.find(named).catch(() => undefined)
  if (!provider) return { refused: 'provider_unreachable' }
  const { attributes } = connection
  const by = { provider, config: named.config, attributes, now: there.parts.now() }
  return readOidc(by, { binding, callbackUrl: callbackOf(there, connection.id), answer })
}

/** Processes the answer of an OpenID Connect provider. */
export const takeOidcAnswer = async (
  providers: Providers,
  ctx: Ctx,
  { id, answer }: { id: string; answer: URLSearchParams },
  cookies: BrowserCookies,
): Promise<AnswerResult> => {
  const [browser, state] = [readCookie(cookies.browser), answer.get('state')]
  const tenantId = await findTenantOf(ctx, id)
  if (!browser || !state || tenantId === undefined) return { kind: 'over' }
  const [there, binding] = [inTenant(ctx, tenantId), { state, browser }]
  const spent = await spendAttempt(there, id, binding)
  if (!spent) return { kind: 'over' }
  const read = await readAnswer(there, providers, spent, { binding, answer })
  return processAnswer({ ctx, there, cookies }, spent, read).catch(orEnded)
}

/** Processes the stored answer of a SAML provider, when the browser requests it. */
export const takeKeptAnswer = async (
  ctx: Ctx,
  { id, handle }: { id: string; handle: string },
  cookies: BrowserCookies,
): Promise<AnswerResult> => {
  const browser = readCookie(cookies.browser)
  const taken = browser && (await takeSamlAnswer(ctx, id, { handle, browser }))
  if (!taken) return { kind: 'over' }
  const { tenantId, interactionId, isTest, outcome } = taken
  const there = inTenant(ctx, tenantId)
  const connection = await store.selectAttemptConnection(there.db, tenantId, id)
  if (!connection) return { kind: 'over' }
  return processAnswer({ ctx, there, cookies }, { connection, interactionId, isTest }, outcome).catch(orEnded)
}
