/**
 * Answers and tokens are remembered this long. A change in Tenantry has to count within 2 seconds; the rest of that time is
 * for the answer on its way.
 */
const rememberMs = 1500

/** Some 10 MB of tokens and answers. Beyond it, the guard asks more often. */
const entriesMax = 10_000

export interface Memory<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  /** Forgets the entries that match. */
  forget(matches: (value: T) => boolean): void
}

/** Remembers each value for 1.5 seconds from `set` on, 10,000 at most: the oldest go first. */
export const createMemory = <T>(): Memory<T> => {
  const entries = new Map<string, { value: T; since: number }>()
  const isFresh = (since: number): boolean => performance.now() - since < rememberMs
  return {
    get: (key) => {
      const entry = entries.get(key)
      return entry && isFresh(entry.since) ? entry.value : undefined
    },
    set: (key, value) => {
      entries.delete(key)
      entries.set(key, { value, since: performance.now() })
      // A Map keeps the order of insertion, so the outdated entries stand first.
      for (const [oldest, { since }] of entries) {
        if (entries.size <= entriesMax && isFresh(since)) break
        entries.delete(oldest)
      }
    },
    forget: (matches) => {
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key)
    },
  }
}
