/** A change that every replica must hear about, so that it drops its cached state. */
export type Change =
  | {
      kind: 'user'
      tenantId: string
      userId: number
      /** The only session that is concerned; "" for the whole user. */
      sessionId: string
    }
  /** A person in all their tenants. */
  | { kind: 'account'; accountId: number }
  | { kind: 'tenant'; tenantId: string }
  /** Permissions and templates, which any caller may hold. */
  | { kind: 'catalogue' }
  | { kind: 'keys' }
  /** Settings of a tenant, or of one user; without a tenant those of the installation, and declarations. */
  | { kind: 'settings'; tenantId: string; userId: number }
  /** Feature flags, which every replica holds. */
  | { kind: 'flags' }
  /** A user's notifications; `userId` 0 stands for all users. New ones have ids from `firstId` to `lastId`; 0 for none. */
  | { kind: 'inbox'; tenantId: string; userId: number; firstId: number; lastId: number }

/** The answer of `Cache.consume`: whether the attempt may go on, or how long the caller has to wait. */
export interface Allowance {
  allowed: boolean
  retryAfterSeconds: number
}

/** A limit on attempts: `points` in a fixed window of `windowSeconds`, which starts with the first attempt. */
export interface Limit {
  name: string
  points: number
  windowSeconds: number
}

/**
 * The state that replicas share besides the database; all of it may be lost without harm. It lives in this process by
 * default and in Redis with REDIS_URL. No call throws or waits longer than a few hundred milliseconds. Without Redis
 * each call falls back to this process's memory.
 */
export interface Cache {
  readonly kind: 'in-process' | 'redis'
  ping(): Promise<'up' | 'down'>
  /** Tells every replica about a change, this one first. Resolves when the change was handed over or given up. */
  publish(change: Change): Promise<void>
  /**
   * Registers a listener for every replica's changes. `undefined` means that changes may be lost: forget everything.
   */
  subscribe(listener: (change: Change | undefined) => void): void
  /** Whether every change of every replica arrives here now. */
  isHearing(): boolean
  /** Notes that a user is active now. */
  touch(tenantId: string, userId: number): void
  /** Counts users active in the last 5 minutes (docs/contract.md, "Dashboard"). */
  countOnline(tenantId: string): Promise<number>
  /** The users whom `countOnline` counts, the last seen of them up to `max`. */
  listOnline(tenantId: string, max: number): Promise<number[]>
  /** Forgets the presence of a disabled or deleted user, or of a whole tenant. */
  forgetPresence(tenantId: string, userId?: number): Promise<void>
  /** Counts one attempt against a limit. */
  consume(limit: Limit, key: string): Promise<Allowance>
  /** Returns one attempt that `consume` counted. */
  giveBack(limit: Limit, key: string): Promise<void>
  /** Counts the attempts in the running window without adding one. */
  count(limit: Limit, key: string): Promise<number>
  close(): Promise<void>
}
