import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Cache, Limit } from './cache.ts'

export type Limiter = Pick<Cache, 'consume' | 'giveBack' | 'count'>

/** The attempts of a window, and the milliseconds until its end. */
interface Window {
  count: number
  leftMs: number
}

/** `id` is a digest and contains no personal data. */
interface Counter {
  add(id: string, windowSeconds: number): Promise<Window>
  takeBack(id: string, windowSeconds: number): Promise<unknown>
  read(id: string): Promise<number>
}

/**
 * The most windows that one process remembers. To evict a window, an attacker needs as many attempts under other keys.
 */
const windowsMax = 100_000

/** 22 characters of base64url are 132 bits, so two keys never collide. */
const digestLength = 22

/**
 * Adds to the count of a window. The first attempt starts the window. A returned attempt never makes the count
 * negative and never starts a window, where it would raise the limit.
 */
const countScript = `
if tonumber(ARGV[1]) < 0 and tonumber(redis.call('get', KEYS[1]) or '0') <= 0 then return {0, 0} end
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
return {redis.call('incrby', KEYS[1], ARGV[1]), redis.call('pttl', KEYS[1])}`

/**
 * Counts in this process's memory. Beyond `windowsMax` it drops the least recently counted window. Each key has a
 * counter of its own: with a shared counter, one caller's flood would lock out others.
 */
export function createMemoryLimiter(now: () => Date): Limiter {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({
    // `max` would allocate room for all windows at once: 6 MB for each of several limits.
    maxSize: windowsMax,
    sizeCalculation: () => 1,
  })
  const nowMs = () => now().getTime()
  const running = (id: string) => {
    const window = windows.get(id)
    return window && window.endsAt > nowMs() ? window : undefined
  }
  return createLimiter({
    async add(id, windowSeconds) {
      const window = running(id) ?? { count: 0, endsAt: nowMs() + 1000 * windowSeconds }
      window.count += 1
      windows.set(id, window)
      return { count: window.count, leftMs: window.endsAt - nowMs() }
    },
    async takeBack(id) {
      const window = running(id)
      if (window && window.count > 0) window.count -= 1
    },
    read: async (id) => running(id)?.count ?? 0,
  })
}

interface Counting {
  countAttempts(key: string, attempts: number, windowSeconds: number): Promise<[number, number]>
}

/** Counts exactly over all replicas, in Redis. Calls reject when Redis fails. */
export function createRedisLimiter(client: Redis): Limiter {
  client.defineCommand('countAttempts', { numberOfKeys: 1, lua: countScript })
  const counting = client as Redis & Counting
  const keyOf = (id: string) => `tenantry:limit:${id}`
  return createLimiter({
    async add(id, windowSeconds) {
      const [count, leftMs] = await counting.countAttempts(keyOf(id), 1, windowSeconds)
      return { count, leftMs }
    },
    takeBack: (id, windowSeconds) => counting.countAttempts(keyOf(id), -1, windowSeconds),
    read: async (id) => Number(await client.get(keyOf(id))),
  })
}

function createLimiter(counter: Counter): Limiter {
  return {
    async consume(limit, key) {
      const { count, leftMs } = await counter.add(idOf(limit, key), limit.windowSeconds)
      if (count <= limit.points) return { allowed: true, retryAfterSeconds: 0 }
      return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) }
    },
    async giveBack(limit, key) {
      await counter.takeBack(idOf(limit, key), limit.windowSeconds)
    },
    count: (limit, key) => counter.read(idOf(limit, key)),
  }
}

/** The digest of a key. The store gets only this: a key can contain an e-mail address, and has any length. */
function idOf(limit: Limit, key: string): string {
  return `${limit.name}:${hash('sha256', key, 'base64url').slice(0, digestLength)}`
}
