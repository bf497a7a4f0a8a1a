import { isTransient } from '../errors.ts'
import type { TokenPair } from '../schema.ts'
import { abortable } from '../waiting.ts'
import { createRenewal, type Refresh } from './renewal.ts'
import { States, type SignedOutListener } from './states.ts'
import type { Tokens, TokenStorage } from './storage.ts'
import { createStoredTokens } from './stored-tokens.ts'
import { tokensOf } from './tokens.ts'

/** An access token is renewed this long before it expires. A request takes less time. */
const earlyMs = 30_000

export interface RemoteSession {
  refresh: Refresh
  /** Ends the session. */
  logout: (tokens: Tokens) => Promise<unknown>
  /** Moves the refresh token of a new session to its cookie, if the client uses one. */
  keep: (tokens: Tokens) => Promise<Tokens>
}

/** Returns the tokens for a request, renewed if they expire soon; undefined if no user is signed in. */
const createCurrent =
  (read: () => Promise<Tokens | undefined>, renew: ReturnType<typeof createRenewal>) =>
  async (signal: AbortSignal): Promise<Tokens | undefined> => {
    const tokens = await abortable(read(), signal)
    if (!tokens || Date.now() <= tokens.expiresAt - earlyMs) return tokens
    try {
      return await renew(tokens, signal)
    } catch (err) {
      if (isTransient(err) && Date.now() < tokens.expiresAt) return tokens
      throw err
    }
  }

/** The session of a client. `states.ts` draws its states and transitions. */
export const createSession = (
  storage: TokenStorage,
  { refresh, logout, keep }: RemoteSession,
  onSignedOut: SignedOutListener,
) => {
  const states = new States(onSignedOut)
  const stored = createStoredTokens(storage, states)
  const { read, write, settle, settleLater } = stored
  const renew = createRenewal(states, stored, refresh)

  const readStorage = (): void => void read().catch(() => undefined)
  const unwatch = storage.watch?.(readStorage)
  if (unwatch) readStorage()

  return {
    tokens: read,
    renew,
    close: () => unwatch?.(),
    current: createCurrent(read, renew),
    open: async (pair: TokenPair, askedAt: number): Promise<Tokens> => {
      const tokens = await keep(tokensOf(pair, askedAt))
      await read()
      const replaced = states.signIn(tokens)
      await write(tokens).catch((err: unknown) => {
        states.signInFailed(tokens, replaced)
        throw err
      })
      void settleLater()
      return tokens
    },
    end: async (): Promise<void> => {
      const tokens = await read()
      if (!tokens) return
      states.end(tokens)
      // Forgets the tokens at once. If the service is unreachable, its session lasts until the tokens expire.
      const loggedOut = logout(tokens).catch(() => undefined)
      const settled = settle()
      states.found(await settled.catch(() => undefined))
      await loggedOut
      await settled
      void settleLater()
    },
  }
}

export type ClientSession = ReturnType<typeof createSession>
