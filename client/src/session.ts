import type { ApiError } from './errors.ts'
import { createRenewal, type Refresh } from './renewal.ts'
import type { TokenPair } from './schema.ts'
import type { Tokens, TokenStorage } from './storage.ts'
import { isSameSession, tokensOf } from './tokens.ts'

/** Tells that the session that was there is gone; see `ClientOptions.onSignedOut`. */
export type SignedOutListener = (cause: ApiError | undefined) => void

/** How long before its end an access token is renewed: more than a request takes. */
const earlyMs = 30_000

/** Holds the session: reads, renews and ends it. The storage is the truth, since other tabs write it too. */
export const createSession = (storage: TokenStorage, refresh: Refresh, onSignedOut: SignedOutListener) => {
  const end = async (cause?: ApiError): Promise<void> => {
    const held = await storage.get()
    await storage.set(undefined)
    if (held) onSignedOut(cause)
  }

  const renew = createRenewal(storage, refresh, end)

  storage.watch?.((before, after) => {
    if (before && !isSameSession(before, after)) onSignedOut(undefined)
  })

  return {
    /** The tokens to send a request with, renewed when they are about to end; undefined when nobody is signed in. */
    current: async (signal: AbortSignal): Promise<Tokens | undefined> => {
      const tokens = await storage.get()
      return tokens && Date.now() > tokens.expiresAt - earlyMs ? renew(tokens, signal) : tokens
    },
    held: async (): Promise<Tokens | undefined> => storage.get(),
    renew,
    open: async (pair: TokenPair, askedAt: number): Promise<void> => storage.set(tokensOf(pair, askedAt)),
    end,
  }
}

export type SessionHolder = ReturnType<typeof createSession>
