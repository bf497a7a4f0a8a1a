import { noAnswer, type ApiError } from './errors.ts'
import { createKnown, type Known, type SignedOutListener } from './known.ts'
import { createLock } from './lock.ts'
import type { Tokens, TokenStorage } from './storage.ts'
import { tokensIn } from './tokens.ts'
import { abortable, within } from './waiting.ts'

/** More than a storage takes that works. */
const storageMs = 10_000

/** What an application's own storage throws becomes an ApiError, and so does that it never answers. */
const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await within(storageMs, undefined, ({ signal }) => abortable(Promise.resolve(work()), signal))
  } catch (cause) {
    throw noAnswer('storage', cause)
  }
}

const nothing = (): void => undefined

/** The storage, and ways to bring it to what is known. */
const createKeeper = (storage: TokenStorage, known: Known) => {
  const alone = createLock(storage.lockName)
  const get = async () => tokensIn(await guarded(() => storage.get()))
  const set = (tokens: Tokens | undefined) => guarded(() => storage.set(tokens))

  /** Gives what holds. */
  const settle = async (wrote = nothing): Promise<Tokens | undefined> => {
    const stored = await get()
    const tokens = known.truth(stored)
    if (tokens === stored) return tokens
    await set(tokens)
    wrote()
    known.stored()
    return known.truth(tokens)
  }

  /** When a refresh that is under way has ended, here or in another tab: it may write after us. Never rejects. */
  const settleAfterwards = () => alone(settle).catch(nothing)

  let mending: Promise<unknown> | undefined
  const read = async (): Promise<Tokens | undefined> => {
    const steps = known.steps()
    const stored = await get()
    const tokens = known.truth(stored)
    if (tokens !== stored) {
      mending ??= settleAfterwards().finally(() => {
        mending = undefined
      })
    }
    if (steps === known.steps()) known.see(tokens)
    return tokens
  }

  return { alone, read, set, settle, settleAfterwards }
}

/** The tokens of the session, in a storage that others write, too, or that fails. */
export const createHeld = (storage: TokenStorage, onSignedOut: SignedOutListener) => {
  const known = createKnown(onSignedOut)
  const { alone, read, set, settle, settleAfterwards } = createKeeper(storage, known)

  const look = (): void => void read().catch(nothing)
  const unwatch = storage.watch?.(look)
  if (unwatch) look()

  return {
    alone,
    read,
    close: () => unwatch?.(),
    replace: async (tokens: Tokens): Promise<void> => {
      const before = await read()
      known.replaced(before, tokens)
      await set(tokens).catch((err: unknown) => {
        known.replaced(tokens, before)
        throw err
      })
      void settleAfterwards()
    },
    end: async (): Promise<void> => {
      const tokens = await read()
      if (!tokens) return
      known.ended(tokens)
      const settled = settle()
      known.see(await settled.catch(() => undefined))
      await settled
      void settleAfterwards()
    },
    /** Ends the session that the service refuses to renew. Never rejects. */
    refused: async (tokens: Tokens, cause: ApiError, wrote: () => void): Promise<void> => {
      known.ended(tokens, cause)
      known.see(await settle(wrote).catch(() => known.truth(tokens)))
    },
    /** Keeps what these were renewed to, in memory where the storage fails; gives what holds now. Never rejects. */
    renewed: async (stale: Tokens, tokens: Tokens, wrote: () => void): Promise<Tokens | undefined> => {
      known.renewed(stale, tokens)
      return settle(wrote).catch(() => known.truth(tokens))
    },
  }
}

export type Held = ReturnType<typeof createHeld>
