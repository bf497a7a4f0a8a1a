/**
 * How long answers and tokens are remembered. A change in Tenantry has to count within 2 seconds; the remaining 0.5
 * seconds are for an answer under way.
 */
const rememberMs = 1500

/** About 10 MB of tokens and answers. Beyond it, the guard asks more often. */
const entriesMax = 10_000

export interface Memory<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
  forget(matches: (value: T) => boolean): void
}

/** Remembers each value for 1.5 seconds after `set`, and at most 10,000 values. The oldest are dropped first. */
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
      // A Map iterates in order of insertion, so the outdated entries come first.
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
