import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Cache, Limit } from './cache.ts'

/** The part of the cache store that counts attempts. */
export type Limiter = Pick<Cache, 'consume' | 'giveBack' | 'count'>

/** Counts attempts; `id` is a digest and contains no personal data. */
interface Counter {
  add(id: string, windowSeconds: number): Promise<RateLimiterRes>
  takeBack(id: string, windowSeconds: number): Promise<unknown>
  read(id: string): Promise<RateLimiterRes | null>
}

/**
 * Windows that one process remembers: 100,000 take 45 MB (measured). Pushing out one's own window takes that many
 * attempts under other keys, for a few more guesses.
 */
const windowsMax = 100_000

/** 22 characters of base64url are 132 bits: no two keys meet by chance. */
const digestLength = 22

/** The library requires both. Each call compares with its own points and passes its own window. */
const unused = { points: 1, duration: 1 }

/**
 * The library's script, with one line in front. An attempt given back never makes the count negative and never starts
 * a window, where it would be credit for the next one.
 */
const countScript = `
if tonumber(ARGV[1]) < 0 and tonumber(redis.call('get', KEYS[1]) or '0') <= 0 then return {0, 0} end
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local consumed = redis.call('incrby', KEYS[1], ARGV[1])
local ttl = redis.call('pttl', KEYS[1])
if ttl == -1 then
  redis.call('expire', KEYS[1], ARGV[2])
  ttl = 1000 * ARGV[2]
end
return {consumed, ttl}`

/**
 * Counts in this process's memory, on the system's clock (the library supports no other). Beyond `windowsMax` the
 * least recently counted window is dropped. Sharing a counter among strangers would let a flood lock others out.
 */
export function createMemoryLimiter(): Limiter {
  const counter = new RateLimiterMemory({ ...unused, keyPrefix: '' })
  const known = new LRUCache<string, true>({
    // `max` would allocate room for all windows at once: 6 MB for each of several limits.
    maxSize: windowsMax,
    sizeCalculation: () => 1,
    dispose: (_value, id, reason) => {
      if (reason === 'evict') void counter.delete(id)
    },
  })
  return createLimiter({
    add(id, windowSeconds) {
      known.set(id, true)
      return counter.penalty(id, 1, { customDuration: windowSeconds })
    },
    async takeBack(id, windowSeconds) {
      const window = await counter.get(id)
      if (window && window.consumedPoints > 0) {
        await counter.reward(id, 1, { customDuration: windowSeconds })
      }
    },
    read: (id) => counter.get(id),
  })
}

/**
 * Counts in Redis, exactly, over all replicas. Calls reject when Redis fails. The library's insurance limiter is not
 * used: an attempt abandoned at its deadline would be counted there a second time.
 */
export function createRedisLimiter(client: Redis): Limiter {
  const counter = new RateLimiterRedis({
    ...unused,
    storeClient: client,
    keyPrefix: 'tenantry:limit',
    customIncrTtlLuaScript: countScript,
  })
  return createLimiter({
    add: (id, windowSeconds) => counter.penalty(id, 1, { customDuration: windowSeconds }),
    takeBack: (id, windowSeconds) => counter.reward(id, 1, { customDuration: windowSeconds }),
    read: (id) => counter.get(id),
  })
}

/**
 * One counter serves every limit. `penalty` counts like the library's `consume`, but does not reject, so that we
 * compare with `points`.
 */
function createLimiter(counter: Counter): Limiter {
  return {
    async consume(limit, key) {
      const window = await counter.add(idOf(limit, key), limit.windowSeconds)
      if (window.consumedPoints <= limit.points) return { allowed: true, retryAfterSeconds: 0 }
      return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(window.msBeforeNext / 1000)) }
    },
    async giveBack(limit, key) {
      await counter.takeBack(idOf(limit, key), limit.windowSeconds)
    },
    async count(limit, key) {
      return (await counter.read(idOf(limit, key)))?.consumedPoints ?? 0
    },
  }
}

/** Keys may contain e-mail addresses and have any length, so only a digest is stored. */
function idOf(limit: Limit, key: string): string {
  return `${limit.name}:${hash('sha256', key, 'base64url').slice(0, digestLength)}`
}
