import type { ApiError } from './errors.ts'
import type { Tokens } from './storage.ts'
import { isSameUser, sessionIdOf } from './tokens.ts'

/** Tells that the session that was there is gone; see `ClientOptions.onSignedOut`. */
export type SignedOutListener = (cause: ApiError | undefined) => void

/**
 * What a client has done to its session itself. It knows that before its storage does, and better: another tab may write
 * back what was over, and a storage may fail.
 */
export const createKnown = (onSignedOut: SignedOutListener) => {
  /** What it has made the session last. */
  let own: Tokens | undefined
  /** The session that it has ended or replaced last, and what the service said to that. */
  let over: { id: string; cause: ApiError | undefined } | undefined
  /** Refresh tokens that are used up, and may still be in the storage. */
  const spent = new Set<string>()
  let seen: Tokens | undefined
  let steps = 0

  const isOver = (one: Tokens): boolean => spent.has(one.refreshToken) || sessionIdOf(one) === over?.id
  const become = (tokens: Tokens | undefined): void => {
    own = tokens
    steps += 1
  }

  return {
    /** What holds when this is stored. */
    truth: (stored: Tokens | undefined) => (stored && isOver(stored) ? own : stored),
    /** How much it has done. What was read before the last of it is out of date. */
    steps: () => steps,
    /** Takes note of what holds, and tells when the user who was signed in is not any more: once, whoever saw it first. */
    see: (tokens: Tokens | undefined): void => {
      const before = seen
      seen = tokens
      if (!before || isSameUser(before, tokens)) return
      const cause = sessionIdOf(before) === over?.id ? over.cause : undefined
      // By itself: what a listener throws is no failure of the call that happened to notice.
      queueMicrotask(() => onSignedOut(cause))
    },
    replaced: (before: Tokens | undefined, tokens: Tokens | undefined): void => {
      if (before) over = { id: sessionIdOf(before), cause: undefined }
      become(tokens)
      seen = tokens
    },
    ended: (tokens: Tokens, cause?: ApiError): void => {
      if (sessionIdOf(tokens) === over?.id) return
      over = { id: sessionIdOf(tokens), cause }
      become(undefined)
    },
    renewed: (stale: Tokens, tokens: Tokens): void => {
      if (isOver(stale)) return
      spent.add(stale.refreshToken)
      become(tokens)
    },
    /** The storage holds what is known. */
    stored: (): void => spent.clear(),
  }
}

export type Known = ReturnType<typeof createKnown>
