/** The tokens of a session. */
export interface Tokens {
  accessToken: string
  refreshToken: string
  /** When the access token ends, in milliseconds since 1970 by the clock of this machine. */
  expiresAt: number
}

/** Where the tokens of the session are kept. Who shares one, shares the session. */
export interface TokenStorage {
  get(): Tokens | undefined | Promise<Tokens | undefined>
  /** Undefined: forget them. */
  set(tokens: Tokens | undefined): void | Promise<void>
  /**
   * Names the storage where several tabs or threads share it: only one at a time refreshes, through Web Locks, since a
   * refresh token that is used twice ends the session.
   */
  readonly lockName?: string
  /** Calls back when others may have changed what is stored; gives what ends that. */
  watch?(onChange: () => void): () => void
}

/**
 * Keeps the session in memory: it ends with the page or the process. The default.
 *
 * @example
 * const client = createClient({ storage: memoryTokens() })
 */
export const memoryTokens = (): TokenStorage => {
  let held: Tokens | undefined
  return {
    get: () => held,
    set: (tokens) => {
      held = tokens
    },
  }
}

/** Undefined for what is no JSON. What else it is, who reads it looks at (tokens.ts). */
const parse = (text: string | null): Tokens | undefined => {
  try {
    return (JSON.parse(text ?? 'null') as Tokens | null) ?? undefined
  } catch {
    return undefined
  }
}

/** As much of the event `storage` as is used; it comes from other tabs only. */
interface StorageChange {
  /** Null when all was cleared. */
  key: string | null
}

type Listener = (change: StorageChange) => void

/** A page; not a worker or a server, where nothing else changes the storage. */
interface Page {
  addEventListener?(type: 'storage', listener: Listener): void
  removeEventListener?(type: 'storage', listener: Listener): void
}

/**
 * Keeps the session in the browser's localStorage: it lasts for 7 days from its last refresh, and all tabs of the origin
 * share it. Any script of the origin can read it: let none in that you do not trust.
 *
 * @param key The name it has there; another for each service that one origin talks to.
 * @example
 * const client = createClient({ storage: browserTokens() })
 */
export const browserTokens = (key = 'tenantry.session'): TokenStorage => ({
  lockName: key,
  get: () => parse(localStorage.getItem(key)),
  set: (tokens) =>
    tokens ? localStorage.setItem(key, JSON.stringify(tokens)) : localStorage.removeItem(key),
  watch: (onChange) => {
    const page = globalThis as Page
    const listener: Listener = ({ key: changed }) => {
      if (changed === key || changed === null) onChange()
    }
    page.addEventListener?.('storage', listener)
    return () => page.removeEventListener?.('storage', listener)
  },
})
