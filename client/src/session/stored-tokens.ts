import { noAnswer } from '../errors.ts'
import { abortable, within } from '../waiting.ts'
import { createLock } from './lock.ts'
import type { States } from './states.ts'
import type { Tokens, TokenStorage } from './storage.ts'
import { tokensIn } from './tokens.ts'

/** Ten times the duration on a slow disk. */
const storageMs = 10_000

/** Turns every failure of an application's storage into an `ApiError`, including a storage that never answers. */
const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await within(storageMs, undefined, ({ signal }) => abortable(Promise.resolve(work()), signal))
  } catch (cause) {
    throw noAnswer('storage', cause)
  }
}

const nothing = (): void => undefined

/** Reads and repairs the stored tokens. Other tabs write the same storage, and it may fail. */
export const createStoredTokens = (storage: TokenStorage, states: States) => {
  const exclusively = createLock(storage.lockName)
  const get = async () => tokensIn(await guarded(() => storage.get()))
  const write = (tokens: Tokens | undefined) => guarded(() => storage.set(tokens))

  /** Overwrites dead tokens in the storage by the client's own state. Returns the valid tokens. */
  const settle = async (wrote = nothing): Promise<Tokens | undefined> => {
    const stored = await get()
    const tokens = states.validTokens(stored)
    if (tokens === stored) return tokens
    await write(tokens)
    wrote()
    states.stored()
    return states.validTokens(tokens)
  }

  /**
   * Settles under the lock, after the running renewal of any tab: that renewal may write dead tokens back. Never
   * rejects.
   */
  const settleLater = () => exclusively(settle).catch(nothing)

  let settling: Promise<unknown> | undefined
  const read = async (): Promise<Tokens | undefined> => {
    const changes = states.changes
    const stored = await get()
    const tokens = states.validTokens(stored)
    if (tokens !== stored) {
      settling ??= settleLater().finally(() => {
        settling = undefined
      })
    }
    if (changes === states.changes) states.found(tokens)
    return tokens
  }

  return { exclusively, read, write, settle, settleLater }
}

export type StoredTokens = ReturnType<typeof createStoredTokens>
