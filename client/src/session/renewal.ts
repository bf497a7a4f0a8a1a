import { ApiError, isTransient } from '../errors.ts'
import { abortable, backoffMs, sleep, within } from '../waiting.ts'
import type { Renewal, States } from './states.ts'
import type { Tokens } from './storage.ts'
import type { StoredTokens } from './stored-tokens.ts'
import { isSameUser, tokensOf, type Renewed } from './tokens.ts'

export type Refresh = (tokens: Tokens, signal: AbortSignal) => Promise<Renewed>

/**
 * For 10 seconds, the service answers a repeated refresh again (docs/contract.md, "Authentication"). After that it
 * ends the session as stolen. Therefore no attempt begins after 8 seconds. Only the first attempt is cut off, which
 * leaves time for a second.
 */
const repeatMs = 8000
const lastAttemptMs = 20_000

/** True if the service refused the refresh token itself. A disabled tenant leaves the token valid. */
const isRefused = (err: unknown): err is ApiError =>
  err instanceof ApiError && (err.reason === 'refreshTokenInvalid' || err.reason === 'invalidInput')

/** Repeats an unanswered refresh for as long as the service accepts the same refresh token again. */
export const refreshPatiently = async (refresh: Refresh, tokens: Tokens): Promise<Tokens> => {
  const askedAt = Date.now()
  const endsAt = askedAt + repeatMs
  const attempt = async (count: number): Promise<Renewed> => {
    const timeoutMs = count === 0 ? repeatMs - 500 : lastAttemptMs
    try {
      return await within(timeoutMs, undefined, ({ signal }) => refresh(tokens, signal))
    } catch (err) {
      if (!isTransient(err)) throw err
      const waitMs = (err.retryAfterSeconds ?? 0) * 1000 + backoffMs(count)
      if (Date.now() + waitMs >= endsAt) throw err
      await sleep(waitMs)
      return attempt(count + 1)
    }
  }
  return tokensOf(await attempt(0), askedAt)
}

/**
 * Renews tokens, once for all concurrent requests. Returns the valid tokens, also if another tab renewed them first;
 * undefined if the user is no longer signed in. Throws the service's refusal, also if it ended the session.
 */
export const createRenewal = (
  states: States,
  { exclusively, read, settle }: StoredTokens,
  refresh: Refresh,
) => {
  const renewUnderLock = async (stale: Tokens, wrote: () => void): Renewal => {
    const tokens = await read()
    // While this renewal waited for the lock, another tab may have renewed, signed out or signed in.
    if (!states.holds(stale)) return tokens
    try {
      const renewed = await refreshPatiently(refresh, stale)
      states.renewed(stale, renewed)
      // If the storage fails, the client continues with the tokens in memory.
      return await settle(wrote).catch(() => states.validTokens(renewed))
    } catch (err) {
      if (isRefused(err)) {
        states.end(stale, err)
        states.found(await settle(wrote).catch(() => states.validTokens(stale)))
      }
      throw err
    }
  }

  const sharedRenewal = (stale: Tokens): Renewal => {
    const state = states.state
    if (state.name === 'renewing' && states.holds(stale)) return state.renewal
    const renewal: Renewal = exclusively((wrote) => renewUnderLock(stale, wrote)).finally(() =>
      states.renewalEnded(renewal),
    )
    states.renew(stale, renewal)
    return renewal
  }

  return async (stale: Tokens, signal: AbortSignal): Renewal => {
    const tokens = await abortable(sharedRenewal(stale), signal)
    // A request of one user must not carry the tokens of another.
    return tokens && isSameUser(stale, tokens) ? tokens : undefined
  }
}
