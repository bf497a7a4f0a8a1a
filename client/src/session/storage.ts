/** The tokens of a session. */
export interface Tokens {
  accessToken: string
  /** Empty where a cookie holds it (`ClientOptions.cookiePath`). */
  refreshToken: string
  /** End of the access token in milliseconds since 1970, by the clock of this machine. */
  expiresAt: number
}

/** Keeps the tokens of the session. Clients that share a storage share the session. */
export interface TokenStorage {
  get(): Tokens | undefined | Promise<Tokens | undefined>
  /** Forgets the tokens when they are undefined. */
  set(tokens: Tokens | undefined): void | Promise<void>
  /**
   * Names a storage that several tabs or threads share. They refresh one at a time, through Web Locks: a refresh token that
   * is used twice ends the session.
   */
  readonly lockName?: string
  /** Calls back when another tab may have changed the storage. Gives a function that ends the watching. */
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

/** Undefined when the text is not JSON. `tokensIn` (tokens.ts) checks the fields. */
const parse = (text: string | null): Tokens | undefined => {
  try {
    return (JSON.parse(text ?? 'null') as Tokens | null) ?? undefined
  } catch {
    return undefined
  }
}

/** The part of the event `storage` that the SDK uses. Only other tabs cause it. */
interface StorageChange {
  /** Null when the whole storage was cleared. */
  key: string | null
}

type Listener = (change: StorageChange) => void

/** A page. Workers and servers have no such event. */
interface Page {
  addEventListener?(type: 'storage', listener: Listener): void
  removeEventListener?(type: 'storage', listener: Listener): void
}

/**
 * Keeps the session in the browser's localStorage for all tabs of the origin, until 7 days after its last refresh. Every
 * script of the origin can read it: allow only scripts that you trust.
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
