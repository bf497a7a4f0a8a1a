/**
 * A change that makes cached state stale, or has queued something. Every replica receives it, drops that state, and
 * looks at the queue.
 */
export type Invalidation =
  | {
      kind: 'user'
      tenantId: string
      userId: number
      /** The session; "" means every session of the user. */
      sessionId: string
    }
  /** A person in all tenants of the person. */
  | { kind: 'account'; accountId: number }
  | { kind: 'tenant'; tenantId: string }
  /** Permissions and templates. They concern every caller. */
  | { kind: 'catalogue' }
  | { kind: 'keys' }
  /** Settings of a tenant or of one user. Without a tenant, the installation's settings and declarations. */
  | { kind: 'settings'; tenantId: string; userId: number }
  /** Feature flags. Every replica caches them. */
  | { kind: 'flags' }
  /**
   * A user's notifications; `userId` 0 means all users. New ones have ids from `firstId` to `lastId`, or both are 0.
   */
  | { kind: 'inbox'; tenantId: string; userId: number; firstId: number; lastId: number }
  /** E-mails, logout tokens, audit records, or sealed records for webhooks. They make no cached state stale. */
  | { kind: 'queued'; queue: 'mail' | 'logout' | 'audit' | 'webhooks' }
  /**
   * Only for the sealer of this replica: audit records may wait. It notifies other replicas of its own ones, once for
   * those of a second.
   */
  | { kind: 'recorded'; isOwn: boolean }

/** The answer of `Cache.consume`. */
export interface Allowance {
  allowed: boolean
  retryAfterSeconds: number
}

/** Allows `points` attempts in a fixed window of `windowSeconds`. The first attempt starts the window. */
export interface Limit {
  name: string
  points: number
  windowSeconds: number
}

/**
 * State that replicas share besides the database. Its loss does no harm. By default it is in this process's memory,
 * with REDIS_URL in Redis. No call throws or waits longer than a few hundred milliseconds. If Redis fails, a call uses
 * this process's memory.
 */
export interface Cache {
  readonly kind: 'in-process' | 'redis'
  ping(): Promise<'up' | 'down'>
  /**
   * Applies a change in this replica first, then sends it to the others, unless it concerns only this one. Resolves
   * after the sending, or when it gives up.
   */
  publish(change: Invalidation): Promise<void>
  /**
   * Registers a listener for every replica's changes. `undefined` means that changes may be lost, so the listener drops
   * all cached state.
   */
  subscribe(listener: (change: Invalidation | undefined) => void): void
  /** True if this replica now receives every change of every replica. */
  isHearing(): boolean
  /** Marks a user as active now. */
  touch(tenantId: string, userId: number): void
  /** Counts users active in the last 5 minutes (docs/contract.md, "Dashboard"). */
  countOnline(tenantId: string): Promise<number>
  /** The users that `countOnline` counts: at most `max`, the last active ones. */
  listOnline(tenantId: string, max: number): Promise<number[]>
  /** Removes the presence of a disabled or deleted user, or of a whole tenant. */
  forgetPresence(tenantId: string, userId?: number): Promise<void>
  consume(limit: Limit, key: string): Promise<Allowance>
  /** Returns one attempt that `consume` counted. */
  giveBack(limit: Limit, key: string): Promise<void>
  /** Counts the attempts in the running window without adding one. */
  count(limit: Limit, key: string): Promise<number>
  close(): Promise<void>
}
