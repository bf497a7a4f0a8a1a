import { ApiError, isPassing } from './errors.ts'
import type { Held } from './held.ts'
import type { TokenPair } from './schema.ts'
import type { Tokens } from './storage.ts'
import { isSameUser, tokensOf } from './tokens.ts'
import { abortable, backoffMs, sleep, within } from './waiting.ts'

/** Asks the service for a new pair. */
export type Refresh = (refreshToken: string, signal: AbortSignal) => Promise<TokenPair>

/**
 * A refresh whose answer was lost may be repeated for 10 seconds (service contract, Authentication); later it would look
 * like a theft and end the session. So no attempt begins after 8, and only one that leaves time for another is cut off.
 */
const repeatMs = 8000
const lastAttemptMs = 20_000

/** The service has refused the token itself. A disabled tenant does not use it up, so it may be good again later. */
const isOver = (err: unknown): err is ApiError =>
  err instanceof ApiError && (err.reason === 'refreshTokenInvalid' || err.reason === 'invalidInput')

/** Asks until there is an answer, as long as asking again is no theft. */
const refreshPatiently = async (refresh: Refresh, token: string): Promise<TokenPair> => {
  const endsAt = Date.now() + repeatMs
  const attempt = async (count: number): Promise<TokenPair> => {
    const timeoutMs = count === 0 ? repeatMs - 500 : lastAttemptMs
    try {
      return await within(timeoutMs, undefined, ({ signal }) => refresh(token, signal))
    } catch (err) {
      if (!isPassing(err)) throw err
      const waitMs = (err.retryAfterSeconds ?? 0) * 1000 + backoffMs(count)
      if (Date.now() + waitMs >= endsAt) throw err
      await sleep(waitMs)
      return attempt(count + 1)
    }
  }
  return attempt(0)
}

/** How tokens are renewed. */
export const createRenewal = (held: Held, refresh: Refresh) => {
  /** By the refresh token that is used up. */
  const running = new Map<string, Promise<Tokens | undefined>>()

  const renewAlone = async (stale: Tokens, wrote: () => void): Promise<Tokens | undefined> => {
    const tokens = await held.read()
    // Who held the lock before may have renewed them, or have signed out or in.
    if (tokens?.refreshToken !== stale.refreshToken) return tokens
    const askedAt = Date.now()
    try {
      const pair = await refreshPatiently(refresh, stale.refreshToken)
      return await held.renewed(stale, tokensOf(pair, askedAt), wrote)
    } catch (err) {
      if (isOver(err)) await held.refused(stale, err, wrote)
      throw err
    }
  }

  /**
   * Renews these tokens: once for all who ask at the same time. Gives those that are valid now, also when another tab was
   * faster; undefined when that session is no more. Throws what the service answers, after it has ended the session, too.
   */
  return async (stale: Tokens, signal: AbortSignal): Promise<Tokens | undefined> => {
    const key = stale.refreshToken
    const renewal =
      running.get(key) ?? held.alone((wrote) => renewAlone(stale, wrote)).finally(() => running.delete(key))
    running.set(key, renewal)
    const tokens = await abortable(renewal, signal)
    // A request of one user never goes out in the name of another who has signed in meanwhile.
    return tokens && isSameUser(stale, tokens) ? tokens : undefined
  }
}
