export interface Tokens {
  accessToken: string
  /** Empty if a cookie holds it (`ClientOptions.cookiePath`). */
  refreshToken: string
  /** Expiry of the access token in milliseconds since 1970, by the clock of this machine. */
  expiresAt: number
}

/** Keeps the tokens of the session. Clients that share a storage share the session. */
export interface TokenStorage {
  get(): Tokens | undefined | Promise<Tokens | undefined>
  /** Undefined removes the tokens. */
  set(tokens: Tokens | undefined): void | Promise<void>
  /**
   * Names a storage that several tabs or threads share. Through Web Locks, they refresh one at a time: a refresh
   * token that is used twice ends the session.
   */
  readonly lockName?: string
  /** Calls `onChange` if another tab may have changed the storage. Returns the function that ends the watching. */
  watch?(onChange: () => void): () => void
}

/**
 * The default: keeps the session in memory, until the page or the process ends.
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

/** Undefined when the text is not JSON. `tokensIn` (tokens.ts) checks the fields. */
const parse = (text: string | null): Tokens | undefined => {
  try {
    return (JSON.parse(text ?? 'null') as Tokens | null) ?? undefined
  } catch {
    return undefined
  }
}

/** The part of the `storage` event that the SDK uses. A browser fires it only for writes of other tabs. */
interface StorageChange {
  /** Null if the whole storage was cleared. */
  key: string | null
}

type Listener = (change: StorageChange) => void

/** The events of a page. Workers and servers have none. */
interface Page {
  addEventListener?(type: 'storage', listener: Listener): void
  removeEventListener?(type: 'storage', listener: Listener): void
}

/**
 * Keeps the session in the browser's localStorage for all tabs of the origin, until 7 days after its last refresh.
 * Every script of the origin can read it: allow only scripts that you trust.
 *
 * @param key Its name in localStorage. An origin that talks to several services needs one for each.
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
