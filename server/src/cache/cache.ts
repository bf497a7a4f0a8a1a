/** What changed, so that every replica forgets what it remembers about it. */
export type Change =
  | { kind: 'user'; tenantId: string; userId: number }
  | { kind: 'tenant'; tenantId: string }
  | { kind: 'keys' }

/** The answer to `Cache.consume`: whether the attempt may go on, and if not, how long to wait. */
export interface Allowance {
  allowed: boolean
  retryAfterSeconds: number
}

/** A limit on attempts: `points` of them in a fixed window of `windowSeconds` from the first. */
export interface Limit {
  name: string
  points: number
  windowSeconds: number
}

/**
 * The cache store: what replicas share besides the database, and what may be lost without harm. In-process by
 * default, Redis with REDIS_URL. No call ever throws or waits longer than a few hundred milliseconds: with Redis
 * away each falls back to the memory of this process.
 */
export interface Cache {
  readonly kind: 'in-process' | 'redis'
  ping(): Promise<'up' | 'down'>
  /** Tells every replica, this one first, that something changed. Resolves once handed over (or given up). */
  publish(change: Change): Promise<void>
  /** `listener` hears every change published by any replica; `undefined` means: changes may have been missed, forget all. */
  subscribe(listener: (change: Change | undefined) => void): void
  /** Notes that a user was seen just now. */
  touch(tenantId: string, userId: number): void
  /** How many users of the tenant were seen in the last 5 minutes (contract: dashboard, onlineCount). */
  countOnline(tenantId: string): Promise<number>
  /** Forgets the presence of a user (disabled, deleted) or, without one, of a whole tenant. */
  forgetPresence(tenantId: string, userId?: number): Promise<void>
  /** Counts one attempt against a limit. */
  consume(limit: Limit, key: string): Promise<Allowance>
  /** Gives back one attempt counted by `consume`. */
  giveBack(limit: Limit, key: string): Promise<void>
  /** Attempts counted in the running window, without counting one. */
  count(limit: Limit, key: string): Promise<number>
  close(): Promise<void>
}
