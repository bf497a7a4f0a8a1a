import { ApiError } from './errors.ts'
import { alone } from './lock.ts'
import type { TokenPair } from './schema.ts'
import type { Tokens, TokenStorage } from './storage.ts'
import { isSameSession, tokensOf } from './tokens.ts'
import { abortable, backoffMs, sleep, startDeadline } from './waiting.ts'

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

const isPassing = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 502

/** Asks until there is an answer, as long as asking again is no theft. */
const refreshPatiently = async (refresh: Refresh, token: string): Promise<TokenPair> => {
  const endsAt = Date.now() + repeatMs
  const attempt = async (count: number): Promise<TokenPair> => {
    const deadline = startDeadline(count === 0 ? repeatMs - 500 : lastAttemptMs)
    try {
      return await refresh(token, deadline.signal)
    } catch (err) {
      if (!(err instanceof ApiError) || !isPassing(err)) throw err
      const waitMs = (err.retryAfterSeconds ?? 0) * 1000 + backoffMs(count)
      if (Date.now() + waitMs >= endsAt) throw err
      await sleep(waitMs)
      return await attempt(count + 1)
    } finally {
      deadline.stop()
    }
  }
  return attempt(0)
}

/** How tokens are renewed. `end` forgets the session, for the reason given. */
export const createRenewal = (
  storage: TokenStorage,
  refresh: Refresh,
  end: (cause: ApiError) => Promise<void>,
) => {
  let renewal: Promise<Tokens | undefined> | undefined

  const isHeld = async ({ refreshToken }: Tokens): Promise<boolean> =>
    (await storage.get())?.refreshToken === refreshToken

  const renewAlone = async (stale: Tokens, wrote: () => void): Promise<Tokens | undefined> => {
    // Who held the lock before may have renewed them.
    if (!(await isHeld(stale))) return storage.get()
    const askedAt = Date.now()
    try {
      const tokens = tokensOf(await refreshPatiently(refresh, stale.refreshToken), askedAt)
      // Whoever signed out or in meanwhile is right.
      if (!(await isHeld(stale))) return await storage.get()
      wrote()
      await storage.set(tokens)
      return tokens
    } catch (err) {
      wrote()
      if (isOver(err) && (await isHeld(stale))) await end(err)
      throw err
    }
  }

  /**
   * Renews these tokens: once for all who ask at the same time. Gives those that are valid now, also when another tab was
   * faster; undefined when that session is no more. Throws what the service answers, after it has ended the session, too.
   */
  return async (stale: Tokens, signal: AbortSignal): Promise<Tokens | undefined> => {
    renewal ??= alone(storage.lockName, (wrote) => renewAlone(stale, wrote)).finally(() => {
      renewal = undefined
    })
    const tokens = await abortable(renewal, signal)
    // A request of one user never goes out in the name of another who has signed in meanwhile.
    return tokens && isSameSession(stale, tokens) ? tokens : undefined
  }
}
