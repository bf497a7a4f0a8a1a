import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { RateLimiterRes } from 'rate-limiter-flexible'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import type { Cache, Limit } from './cache.ts'

/** The part of the cache store that counts attempts. */
export type Limiter = Pick<Cache, 'consume' | 'giveBack' | 'count'>

/** Where attempts are counted; `id` is already free of personal data. */
interface Counter {
  add(id: string, windowSeconds: number): Promise<RateLimiterRes>
  takeBack(id: string, windowSeconds: number): Promise<unknown>
  read(id: string): Promise<RateLimiterRes | null>
}

/**
 * Windows that one process remembers. 100,000 take 45 MB (measured); whoever wants a counter of theirs
 * forgotten has to make that many attempts under other keys for each few guesses won.
 */
const windowsMax = 100_000

/** 22 characters of base64url are 132 bits: no two keys meet by chance. */
const digestLength = 22

/** The library wants both; each call compares with its own points and brings its own window. */
const unused = { points: 1, duration: 1 }

/**
 * The library's script, with one line before it: attempts given back never go below zero, and never start a
 * window (given back after the window's end they would be credit for the next one).
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
 * Counts in the memory of this process. Windows run on the system's clock (the library knows no other). Beyond
 * `windowsMax` the window not counted in for longest is forgotten: to let strangers share a counter instead
 * would hand a flood the means to lock others out.
 */
export function createMemoryLimiter(): Limiter {
  const counter = new RateLimiterMemory({ ...unused, keyPrefix: '' })
  const known = new LRUCache<string, true>({
    // Not `max`, which sets aside room for all of them at once: 6 MB for each of several limits.
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
 * Counts in Redis, exactly, over all replicas. Its calls reject when Redis fails: the library's own insurance
 * limiter is left out, because a call given up at its deadline would later be counted there a second time.
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
 * One counter serves every limit: `penalty` counts like the library's `consume`, but leaves the comparison with
 * `points` to us instead of rejecting.
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

/** Keys may hold e-mail addresses, and be of any length: only their digest is kept. */
function idOf(limit: Limit, key: string): string {
  return `${limit.name}:${hash('sha256', key, 'base64url').slice(0, digestLength)}`
}
