/** The start of a sign-in at a provider. It creates an attempt of the browser, which an answer spends. */
import { randomBytes, randomUUID } from 'node:crypto'
import { inTenant, type Ctx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { cookieHashOf, createCookie, readCookie } from '../oauth/browser/cookies.service.ts'
import { readState, type BrowserCookies } from '../oauth/interaction/interactions.service.ts'
import { hasEnded, noteRefusal } from './answers.service.ts'
import * as store from './attempts.store.ts'
import { isSaml } from './connection-config.service.ts'
import type { Providers } from '../../../protocols/oidc/known-providers.ts'
import { callbackOf, providerOf, type NamedConnection } from './oidc-provider.service.ts'
import { beginOidc } from './oidc-sign-in.ts'
import { refusals } from './reasons.ts'
import type { StartSignIn } from './sign-in.schemas.ts'
import { beginSaml } from './saml.service.ts'
import type { SamlConfig } from './saml-connection.ts'
import type { ProviderRequest } from './saml-request.ts'
import { startAtProvider, type ProviderStart } from '../providers/start.service.ts'
import { findTenantOf } from './tenant-of.service.ts'

export type { Providers }

/** docs/contract.md, "Enterprise sign-in". */
const attemptMs = 10 * 60_000

export type StartResult =
  | { kind: 'away'; request: ProviderRequest; browser: string }
  /** The console begins its own sign-in, or shows why a test of a provider failed. */
  | { kind: 'console'; page: string }
  /** Nothing begins: the connection is unknown or not active, or the interaction has ended. */
  | { kind: 'over' }
  /** The provider does not answer. `number` identifies the reason. */
  | { kind: 'refused'; number: number; interactionId: string }

interface BrowserAttempt {
  connection: store.AttemptConnection
  interactionId: string
  browser: string
  isTest: boolean
  loginHint: string
}

const storeAttempt = async (
  there: Ctx,
  { connection, interactionId, browser, isTest }: BrowserAttempt,
  stateHash: Buffer,
) =>
  store.insertAttempt(there.db, {
    tenantId: there.tenantId,
    id: randomUUID(),
    connectionId: connection.id,
    interactionId,
    browserHash: cookieHashOf(browser),
    isTest,
    stateHash,
    expiresAt: new Date(there.parts.now().getTime() + attemptMs),
  })

const startOidc = async (
  there: Ctx,
  providers: Providers,
  attempt: BrowserAttempt,
  named: NamedConnection,
): Promise<StartResult> => {
  const { browser, loginHint } = attempt
  const provider = await providers.find(named).catch(() => undefined)
  if (!provider) {
    await noteRefusal(there, attempt, { refused: 'provider_unreachable' })
    return { kind: 'refused', number: refusals.provider_unreachable, interactionId: attempt.interactionId }
  }
  const state = randomBytes(32).toString('base64url')
  const callbackUrl = callbackOf(there, named.id)
  const address = await beginOidc(provider, named.config, {
    binding: { state, browser },
    callbackUrl,
    loginHint,
  })
  await storeAttempt(there, attempt, sha256(state))
  return { kind: 'away', request: { address, form: undefined }, browser }
}

const startSaml = async (there: Ctx, attempt: BrowserAttempt, config: SamlConfig): Promise<StartResult> => {
  const { request, stateHash } = beginSaml(there, attempt.connection, config)
  await storeAttempt(there, attempt, stateHash)
  return { kind: 'away', request, browser: attempt.browser }
}

const sendToProvider = (there: Ctx, providers: Providers, attempt: BrowserAttempt): Promise<StartResult> => {
  const { config } = attempt.connection
  return isSaml(config)
    ? startSaml(there, attempt, config)
    : startOidc(there, providers, attempt, providerOf(there, attempt.connection))
}

/** The interaction of this browser that continues at the provider. */
const findInteraction = async (
  ctx: Ctx,
  interaction: string,
  cookies: BrowserCookies,
): Promise<Pick<BrowserAttempt, 'interactionId' | 'browser' | 'loginHint'>> => {
  const { progress, request, browser = '' } = await readState(ctx, { id: interaction, cookies })
  return { interactionId: interaction, browser, loginHint: progress.email ?? request.loginHint }
}

const ticketHash = (ticket: string): Buffer => sha256(`test ${ticket}`)

/** Creates the address of a test. The address works once. Tests of a guest have the setup link as their interaction. */
export const createTest = async (there: Ctx, connectionId: string): Promise<string> => {
  const { parts, tenantId, db } = there
  const ticket = randomBytes(32).toString('base64url')
  await store.insertAttempt(db, {
    tenantId,
    id: randomUUID(),
    connectionId,
    interactionId: there.actor.guest?.linkId ?? randomUUID(),
    browserHash: ticketHash(ticket),
    isTest: true,
    stateHash: ticketHash(ticket),
    expiresAt: new Date(parts.now().getTime() + attemptMs),
  })
  return `${parts.config.publicUrl}/sso/start?connection=${connectionId}&test=${ticket}`
}

const beginTest = async (
  there: Ctx,
  connection: store.AttemptConnection,
  ticket: string,
  cookies: BrowserCookies,
): Promise<BrowserAttempt | undefined> => {
  const hash = ticketHash(ticket)
  const spent = { connectionId: connection.id, stateHash: hash, browserHash: hash, now: there.parts.now() }
  const found = await store.deleteAttempt(there.db, there.tenantId, spent)
  const browser = readCookie(cookies.browser) ?? createCookie()
  return found && { connection, interactionId: found.interaction_id, browser, isTest: true, loginHint: '' }
}

const orEnded = (err: unknown): StartResult => {
  if (hasEnded(err)) return { kind: 'over' }
  throw err
}

/** Sends a browser to the provider of an active connection. For a test, the connection can have any status. */
export const startSignIn = async (
  providers: Providers,
  ctx: Ctx,
  asked: StartSignIn,
  cookies: BrowserCookies,
): Promise<StartResult> => {
  const { provider, connection } = asked
  if (provider !== undefined) {
    return atProvider(await startAtProvider(providers, ctx, { ...asked, provider }, cookies))
  }
  return connection === undefined
    ? { kind: 'over' }
    : startAt(providers, ctx, { ...asked, connection }, cookies)
}

const atProvider = (started: ProviderStart): StartResult => {
  if (started.kind === 'away') {
    return { kind: 'away', request: { address: started.address, form: undefined }, browser: started.browser }
  }
  return started
}

const startAt = async (
  providers: Providers,
  ctx: Ctx,
  asked: StartSignIn & { connection: string },
  cookies: BrowserCookies,
): Promise<StartResult> => {
  const tenantId = await findTenantOf(ctx, asked.connection)
  if (tenantId === undefined) return { kind: 'over' }
  const there = inTenant(ctx, tenantId)
  const connection = await store.selectAttemptConnection(there.db, tenantId, asked.connection)
  if (!connection) return { kind: 'over' }
  if (asked.test !== undefined) {
    const attempt = await beginTest(there, connection, asked.test, cookies)
    return attempt ? sendToProvider(there, providers, attempt) : { kind: 'over' }
  }
  if (connection.status !== 'active') return { kind: 'over' }
  const { interaction } = asked
  if (interaction === undefined) {
    return { kind: 'console', page: `/console/sign-in?connection=${connection.id}` }
  }
  return findInteraction(ctx, interaction, cookies)
    .then((found) => sendToProvider(there, providers, { ...found, connection, isTest: false }))
    .catch(orEnded)
}
