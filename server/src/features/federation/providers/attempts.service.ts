/** Attempts at a provider. Each belongs to one browser, and its first answer spends it. */
import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { cookieHashOf, createCookie, readCookie } from '../oauth/browser/cookies.service.ts'
import * as store from './attempts.store.ts'
import { bindingOf } from './providers.service.ts'
import type { OpenedProvider } from './exchange.service.ts'

/** docs/contract.md, "Providers". */
const attemptMs = 10 * 60_000
const keptMs = 60_000

export type { AttemptProvider, AttemptPurpose } from './attempts.store.ts'

export const findAttemptProvider = ({ db }: Pick<Ctx, 'db'>, slug: string) =>
  store.selectAttemptProvider(db, slug)

export const openProvider = (
  { parts }: Pick<Ctx, 'parts'>,
  { id, slug, kind, config, updated_at: changedAt, sealed }: store.AttemptProvider,
): OpenedProvider => ({
  id,
  slug,
  kind,
  config,
  changedAt,
  secret: parts.secrets.open(sealed, bindingOf(id)),
})

const random = () => randomBytes(32).toString('base64url')

const insert = (
  { db, parts }: Pick<Ctx, 'db' | 'parts'>,
  providerId: string,
  { text, browser, purpose }: { text: string; browser: string; purpose: store.AttemptPurpose },
): Promise<unknown> =>
  store.insertAttempt(db, {
    ...purpose,
    providerId,
    stateHash: sha256(text),
    browserHash: cookieHashOf(browser),
    expiresAt: new Date(parts.now().getTime() + attemptMs),
  })

/** Stores an attempt, and returns its `state`. */
export const createAttempt = async (
  ctx: Pick<Ctx, 'db' | 'parts'>,
  providerId: string,
  { browser, purpose }: { browser: string; purpose: store.AttemptPurpose },
): Promise<string> => {
  const state = random()
  await insert(ctx, providerId, { text: state, browser, purpose })
  return state
}

const ticketText = (ticket: string): string => `ticket ${ticket}`

/** An address that begins an attempt once, in the browser of the cookie. */
export const createTicket = async (
  ctx: Pick<Ctx, 'db' | 'parts'>,
  { id, slug }: { id: string; slug: string },
  { cookie, purpose }: { cookie: string | undefined; purpose: Omit<store.AttemptPurpose, 'interaction_id'> },
): Promise<{ url: string; browser: string }> => {
  const [ticket, browser] = [random(), readCookie(cookie) ?? createCookie()]
  await insert(ctx, id, { text: ticketText(ticket), browser, purpose: { ...purpose, interaction_id: null } })
  return { url: `${ctx.parts.config.publicUrl}/sso/start?provider=${slug}&ticket=${ticket}`, browser }
}

export const spendAttempt = (
  { db, parts }: Ctx,
  providerId: string,
  { state, browser }: { state: string; browser: string },
) =>
  store.deleteAttempt(db, {
    providerId,
    stateHash: sha256(state),
    browserHash: cookieHashOf(browser),
    now: parts.now(),
  })

export const spendTicket = (
  ctx: Ctx,
  providerId: string,
  { ticket, browser }: { ticket: string; browser: string },
) => spendAttempt(ctx, providerId, { state: ticketText(ticket), browser })

/** Keeps a posted answer for its browser, whose cookie a foreign POST does not carry. Undefined without an attempt. */
export const keepAnswer = async (
  { db, parts }: Ctx,
  providerId: string,
  answer: URLSearchParams,
): Promise<string | undefined> => {
  const [handle, now] = [random(), parts.now()]
  const kept = {
    providerId,
    stateHash: sha256(answer.get('state') ?? ''),
    handleHash: sha256(handle),
    answer: answer.toString(),
    now,
    until: new Date(now.getTime() + keptMs),
  }
  return (await store.updateKept(db, kept)) === 1 ? handle : undefined
}

export const takeKept = (
  { db, parts }: Ctx,
  providerId: string,
  { handle, browser }: { handle: string; browser: string },
) =>
  store.deleteKept(db, {
    providerId,
    handleHash: sha256(handle),
    browserHash: cookieHashOf(browser),
    now: parts.now(),
  })
