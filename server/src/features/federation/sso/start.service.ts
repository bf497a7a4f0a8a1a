/** The way to a provider: an attempt of a browser, which an answer spends. */
import { randomBytes, randomUUID } from 'node:crypto'
import { inTenant, type Ctx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { cookieHashOf, createCookie, readCookie } from '../oauth/cookies.service.ts'
import { readSituation, type BrowserCookies } from '../oauth/interaction-state.service.ts'
import { isOver, noteRefusal } from './answers.service.ts'
import * as store from './attempts.store.ts'
import { isSaml } from './connection-config.service.ts'
import { callbackOf, providerOf } from './on-the-way.service.ts'
import { beginOidc } from './oidc-sign-in.ts'
import type { NamedConnection, Providers } from './providers.service.ts'
import { refusals } from './reasons.ts'
import type { StartSignIn } from './sign-in.schemas.ts'
import { beginSaml } from './saml.service.ts'
import type { SamlConfig } from './saml-connection.ts'
import type { Way } from './saml-request.ts'
import { findTenantOf } from './tenant-of.service.ts'

/** docs/contract.md, "Enterprise sign-in". */
const attemptMs = 10 * 60_000

export type Started =
  | { kind: 'away'; way: Way; browser: string }
  /** The console begins its own sign-in first. */
  | { kind: 'console'; connectionId: string }
  /** Nothing begins: the connection is unknown or not active, or the interaction is over. */
  | { kind: 'over' }
  /** The provider does not answer: `number` is that of the reason. */
  | { kind: 'refused'; number: number; interactionId: string }

/** An attempt of a browser. */
interface Going {
  connection: store.ConnectionOnTheWay
  interactionId: string
  browser: string
  isTest: boolean
  loginHint: string
}

const keepAttempt = async (
  there: Ctx,
  { connection, interactionId, browser, isTest }: Going,
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

const goByOidc = async (
  there: Ctx,
  providers: Providers,
  going: Going,
  named: NamedConnection,
): Promise<Started> => {
  const { browser, loginHint } = going
  const provider = await providers.find(named).catch(() => undefined)
  if (!provider) {
    await noteRefusal(there, going, { refused: 'provider_unreachable' })
    return { kind: 'refused', number: refusals.provider_unreachable, interactionId: going.interactionId }
  }
  const state = randomBytes(32).toString('base64url')
  const callbackUrl = callbackOf(there, named.id)
  const address = await beginOidc(provider, named.config, {
    binding: { state, browser },
    callbackUrl,
    loginHint,
  })
  await keepAttempt(there, going, sha256(state))
  return { kind: 'away', way: { address, form: undefined }, browser }
}

const goBySaml = async (there: Ctx, going: Going, config: SamlConfig): Promise<Started> => {
  const { way, stateHash } = beginSaml(there, going.connection, config)
  await keepAttempt(there, going, stateHash)
  return { kind: 'away', way, browser: going.browser }
}

const go = (there: Ctx, providers: Providers, going: Going): Promise<Started> => {
  const { config } = going.connection
  return isSaml(config)
    ? goBySaml(there, going, config)
    : goByOidc(there, providers, going, providerOf(there, going.connection))
}

/** The interaction of this browser that goes on at the provider. */
const findInteraction = async (
  ctx: Ctx,
  interaction: string,
  cookies: BrowserCookies,
): Promise<Pick<Going, 'interactionId' | 'browser' | 'loginHint'>> => {
  const { progress, request, browser = '' } = await readSituation(ctx, { id: interaction, cookies })
  return { interactionId: interaction, browser, loginHint: progress.email ?? request.loginHint }
}

const ticketHash = (ticket: string): Buffer => sha256(`test ${ticket}`)

/** Makes the address of a test, which begins it once. */
export const createTest = async (there: Ctx, connectionId: string): Promise<string> => {
  const { parts, tenantId, db } = there
  const ticket = randomBytes(32).toString('base64url')
  await store.insertAttempt(db, {
    tenantId,
    id: randomUUID(),
    connectionId,
    interactionId: randomUUID(),
    browserHash: ticketHash(ticket),
    isTest: true,
    stateHash: ticketHash(ticket),
    expiresAt: new Date(parts.now().getTime() + attemptMs),
  })
  return `${parts.config.publicUrl}/sso/start?connection=${connectionId}&test=${ticket}`
}

const beginTest = async (
  there: Ctx,
  connection: store.ConnectionOnTheWay,
  ticket: string,
  cookies: BrowserCookies,
): Promise<Going | undefined> => {
  const hash = ticketHash(ticket)
  const spent = { connectionId: connection.id, stateHash: hash, browserHash: hash, now: there.parts.now() }
  const found = await store.deleteAttempt(there.db, there.tenantId, spent)
  const browser = readCookie(cookies.browser) ?? createCookie()
  return found && { connection, interactionId: found.interaction_id, browser, isTest: true, loginHint: '' }
}

const orOver = (err: unknown): Started => {
  if (isOver(err)) return { kind: 'over' }
  throw err
}

/** Sends a browser to the provider of an active connection, or of any for a test. */
export const startSignIn = async (
  providers: Providers,
  ctx: Ctx,
  asked: StartSignIn,
  cookies: BrowserCookies,
): Promise<Started> => {
  const tenantId = await findTenantOf(ctx, asked.connection)
  if (tenantId === undefined) return { kind: 'over' }
  const there = inTenant(ctx, tenantId)
  const connection = await store.selectOnTheWay(there.db, tenantId, asked.connection)
  if (!connection) return { kind: 'over' }
  if (asked.test !== undefined) {
    const going = await beginTest(there, connection, asked.test, cookies)
    return going ? go(there, providers, going) : { kind: 'over' }
  }
  if (connection.status !== 'active') return { kind: 'over' }
  const { interaction } = asked
  if (interaction === undefined) return { kind: 'console', connectionId: connection.id }
  return findInteraction(ctx, interaction, cookies)
    .then((found) => go(there, providers, { ...found, connection, isTest: false }))
    .catch(orOver)
}
