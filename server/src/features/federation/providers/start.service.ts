/** The start of a sign-in at a provider. It creates an attempt of the browser, which an answer spends. */
import type { Ctx } from '../../../context.ts'
import { oidcRefusals } from '../../../protocols/oidc/code-flow.ts'
import type { Providers } from '../../../protocols/oidc/known-providers.ts'
import { readWays } from '../../sign-in/ways/ways.service.ts'
import { readCookie } from '../oauth/browser/cookies.service.ts'
import { readState, type BrowserCookies } from '../oauth/interaction/interactions.service.ts'
import {
  createAttempt,
  findAttemptProvider,
  openProvider,
  spendTicket,
  type AttemptProvider,
  type AttemptPurpose,
} from './attempts.service.ts'
import { beginAt } from './exchange.service.ts'
import { hasEnded } from './admission.service.ts'
import { callbackOf } from './providers.service.ts'
import { testPageOf } from './tests.service.ts'

export interface StartAtProvider {
  provider: string
  interaction?: string | undefined
  ticket?: string | undefined
}

export type ProviderStart =
  | { kind: 'away'; address: string; browser: string }
  /** The console begins its own sign-in, or shows why a test failed. */
  | { kind: 'console'; page: string }
  /** Nothing begins: the provider is unknown or closed, or the interaction has ended. */
  | { kind: 'over' }
  /** The provider does not answer. */
  | { kind: 'refused'; number: number; interactionId: string }

interface Beginning {
  browser: string
  purpose: AttemptPurpose
  loginHint: string
}

const sendAway = async (
  ctx: Ctx,
  providers: Providers,
  provider: AttemptProvider,
  { browser, purpose, loginHint }: Beginning,
): Promise<ProviderStart> => {
  const state = await createAttempt(ctx, provider.id, { browser, purpose })
  const bound = { binding: { state, browser }, callbackUrl: callbackOf(ctx, provider.slug), loginHint }
  const address = await beginAt(ctx, providers, openProvider(ctx, provider), bound).catch(() => undefined)
  if (address !== undefined) return { kind: 'away', address, browser }
  if (purpose.purpose === 'test') {
    return { kind: 'console', page: testPageOf(provider, 'provider_unreachable') }
  }
  const { interaction_id: interactionId } = purpose
  if (interactionId === null) return { kind: 'over' }
  return { kind: 'refused', number: oidcRefusals.provider_unreachable, interactionId }
}

/** Whether the installation has the provider open. */
export const isOpen = async (ctx: Ctx, { slug, status }: AttemptProvider): Promise<boolean> =>
  status === 'active' && (await readWays(ctx)).providers.some((one) => one.slug === slug)

const withTicket = async (
  ctx: Ctx,
  provider: AttemptProvider,
  { ticket, cookies }: { ticket: string; cookies: BrowserCookies },
): Promise<Beginning | undefined> => {
  const browser = readCookie(cookies.browser)
  const purpose = browser && (await spendTicket(ctx, provider.id, { ticket, browser }))
  if (!browser || !purpose) return undefined
  const isAllowed = purpose.purpose === 'test' || (await isOpen(ctx, provider))
  return isAllowed ? { browser, purpose, loginHint: '' } : undefined
}

/** Sends a browser to an active provider. A ticket can also begin a test, whatever the status. */
export const startAtProvider = async (
  providers: Providers,
  ctx: Ctx,
  { provider: slug, interaction, ticket }: StartAtProvider,
  cookies: BrowserCookies,
): Promise<ProviderStart> => {
  const provider = await findAttemptProvider(ctx, slug)
  if (!provider) return { kind: 'over' }
  if (ticket !== undefined) {
    const beginning = await withTicket(ctx, provider, { ticket, cookies })
    return beginning ? sendAway(ctx, providers, provider, beginning) : { kind: 'over' }
  }
  if (!(await isOpen(ctx, provider))) return { kind: 'over' }
  if (interaction === undefined) return { kind: 'console', page: `/console/sign-in?provider=${slug}` }
  return forInteraction(ctx, interaction, cookies)
    .then((beginning) => sendAway(ctx, providers, provider, beginning))
    .catch((err: unknown) => {
      if (hasEnded(err)) return { kind: 'over' }
      throw err
    })
}

const forInteraction = async (ctx: Ctx, id: string, cookies: BrowserCookies): Promise<Beginning> => {
  const { progress, request, browser = '' } = await readState(ctx, { id, cookies })
  const purpose = { purpose: 'sign_in', interaction_id: id, account_id: null, session_id: null } as const
  return { browser, purpose, loginHint: progress.email ?? request.loginHint }
}
