import { isPassing } from './errors.ts'
import { createHeld } from './held.ts'
import type { SignedOutListener } from './known.ts'
import { createRenewal, type Refresh } from './renewal.ts'
import type { TokenPair } from './schema.ts'
import type { Tokens, TokenStorage } from './storage.ts'
import { tokensOf } from './tokens.ts'
import { abortable } from './waiting.ts'

/** How long before its end an access token is renewed: more than a request takes. */
const earlyMs = 30_000

/** Holds the session: reads, renews and ends it. */
export const createSession = (storage: TokenStorage, refresh: Refresh, onSignedOut: SignedOutListener) => {
  const held = createHeld(storage, onSignedOut)
  const renew = createRenewal(held, refresh)
  return {
    /** The tokens to send a request with, renewed when they are about to end; undefined when nobody is signed in. */
    current: async (signal: AbortSignal): Promise<Tokens | undefined> => {
      const tokens = await abortable(held.read(), signal)
      if (!tokens || Date.now() <= tokens.expiresAt - earlyMs) return tokens
      try {
        return await renew(tokens, signal)
      } catch (err) {
        if (isPassing(err) && Date.now() < tokens.expiresAt) return tokens
        throw err
      }
    },
    held: held.read,
    renew,
    open: async (pair: TokenPair, askedAt: number): Promise<Tokens> => {
      const tokens = tokensOf(pair, askedAt)
      await held.replace(tokens)
      return tokens
    },
    end: held.end,
    close: held.close,
  }
}

export type SessionHolder = ReturnType<typeof createSession>
