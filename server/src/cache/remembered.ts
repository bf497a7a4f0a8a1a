import { LRUCache } from 'lru-cache'
import type { Invalidation } from './cache.ts'

/**
 * The lifetime of a cached value in milliseconds. Replicas announce changes at once. The lifetime limits the effect of
 * a lost message: nobody keeps a lost permission for longer than 2 seconds.
 */
const rememberedMs = 1500
/** The most entries. An entry takes about 1 kB. */
const rememberedMax = 10_000

/** A change that can make a cached value stale. */
export type RememberedInvalidation = Exclude<
  Invalidation,
  { kind: 'keys' | 'inbox' | 'flags' | 'queued' | 'recorded' }
>

const concernsRemembered = (change: Invalidation): change is RememberedInvalidation =>
  !['keys', 'inbox', 'flags', 'queued', 'recorded'].includes(change.kind)

/** Caches values from the database, for 1.5 seconds or until a change concerns them. */
export interface Remembered<T> {
  get: (key: string) => T | undefined
  /** Reads a value from the database. Simultaneous callers share one read. */
  read: (key: string, read: () => Promise<T | undefined>) => Promise<T | undefined>
  /** Drops the values that a change concerns. Without a change, drops all values. */
  forget: (change: Invalidation | undefined) => void
}

interface Rules<T> {
  isConcerned: (value: T, change: RememberedInvalidation) => boolean
  /**
   * False for a value that must not be cached, because not all its changes are announced. Undefined is never cached.
   */
  lasts?: (value: T) => boolean
  /** Bounds the memory of values that can be large. */
  size?: { max: number; of: (value: T) => number }
}

export const createRemembered = <T extends object>({
  isConcerned,
  lasts = () => true,
  size,
}: Rules<T>): Remembered<T> => {
  const remembered = new LRUCache<string, T>({
    max: rememberedMax,
    // Reads the clock at each look. Otherwise a timer of a millisecond keeps the time, and entries live as long as it waits.
    ttlResolution: 0,
    ...(size && { maxSize: size.max, sizeCalculation: (value: T) => size.of(value) }),
  })
  const reading = new Map<string, Promise<T | undefined>>()
  let changes = 0

  const readAnew = async (key: string, read: () => Promise<T | undefined>): Promise<T | undefined> => {
    const startedAt = performance.now()
    const changesBefore = changes
    const value = await read()
    const ttl = rememberedMs - (performance.now() - startedAt)
    // If a value was read before a change arrived, it serves only the callers that asked before the change.
    if (value && lasts(value) && changes === changesBefore && ttl >= 1) {
      remembered.set(key, value, { ttl, start: performance.now() })
    }
    return value
  }

  return {
    get: (key) => remembered.get(key),
    read: (key, read) => {
      const moment = `${key} ${changes}`
      const running = reading.get(moment)
      if (running) return running
      const started = readAnew(key, read).finally(() => reading.delete(moment))
      reading.set(moment, started)
      return started
    },
    forget: (change) => {
      if (change && !concernsRemembered(change)) return
      changes += 1
      if (change === undefined) return remembered.clear()
      for (const [key, value] of remembered.entries()) {
        if (isConcerned(value, change)) remembered.delete(key)
      }
    },
  }
}

interface UserOfTenant {
  tenantId: string
  userId: number
  accountId?: number | undefined
}

/** True if the change concerns the user. A change of the catalogue concerns every user. */
export const concernsUser = (user: UserOfTenant, change: RememberedInvalidation): boolean => {
  if (change.kind === 'settings') return false
  if (change.kind === 'catalogue') return true
  if (change.kind === 'account') return user.accountId === change.accountId
  return user.tenantId === change.tenantId && (change.kind === 'tenant' || user.userId === change.userId)
}
