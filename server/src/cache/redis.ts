import type { Breaker } from './breaker.ts'
import { createBreaker } from './breaker.ts'
import type { Cache } from './cache.ts'
import { createChannel } from './channel.ts'
import type { CacheLog } from './connection.ts'
import { connect, firstAnswer, hangUp } from './connection.ts'
import type { Limiter } from './limiter.ts'
import { createMemoryLimiter, createRedisLimiter } from './limiter.ts'
import type { Presence } from './presence.ts'
import { createPresence } from './presence.ts'
import type { RedisPresence } from './redis-presence.ts'
import { createRedisPresence } from './redis-presence.ts'

/** How often connections are looked after, and presence is written. */
const tendMs = 1000

/** What the cache is given from outside. */
export interface CacheHooks {
  /** The clock, as in the context. */
  now: () => Date
  /** Hears how long a change of another replica took to arrive (the clocks of two hosts are compared). */
  onPropagation: (seconds: number) => void
}

/**
 * The cache store of several replicas, in Redis 6 or newer. Resolves when connected, or after a second at most
 * without: then every call falls back to the memory of this process, and Redis is taken up when it comes.
 * Throws only for a URL that is none.
 */
export async function openRedisCache(url: string, log: CacheLog, hooks: CacheHooks): Promise<Cache> {
  const clock = (): number => hooks.now().getTime()
  const client = connect(url, 'tenantry-commands', log)
  const subscriber = connect(url, 'tenantry-changes', log)
  const breaker = createBreaker(log)
  const channel = createChannel({
    client,
    subscriber,
    breaker,
    log,
    clock,
    onPropagation: hooks.onPropagation,
  })
  const shared = createRedisPresence(client, clock)
  const flush = (): Promise<void> => breaker.run(shared.flush, shared.discard)

  async function tend(): Promise<void> {
    // A write, because a Redis that is full, or a replica, still answers PING.
    await breaker.probe(() => client.set('tenantry:probe', '', 'PX', tendMs))
    await Promise.all([flush(), channel.tend()])
  }

  async function askRedis(): Promise<'up' | 'down'> {
    await client.ping()
    return channel.isHearing() ? 'up' : 'down'
  }

  const timer = setInterval(() => void tend(), tendMs).unref()
  await Promise.all([firstAnswer(client), firstAnswer(subscriber)])
  await channel.settled()
  return {
    kind: 'redis',
    ping: () => breaker.run(askRedis, () => 'down'),
    publish: channel.publish,
    subscribe: channel.subscribe,
    ...presenceWithFallback(breaker, shared, createPresence(clock)),
    ...limiterWithFallback(breaker, createRedisLimiter(client), createMemoryLimiter()),
    async close() {
      clearInterval(timer)
      await Promise.all([hangUp(client), hangUp(subscriber)])
    },
  }
}

/** Own presence is kept all the time, so that it is known when Redis goes away. */
function presenceWithFallback(
  breaker: Breaker,
  shared: RedisPresence,
  own: Presence,
): Pick<Cache, 'touch' | 'countOnline' | 'forgetPresence'> {
  return {
    touch(tenantId, userId) {
      own.touch(tenantId, userId)
      if (shared.touch(tenantId, userId)) void breaker.run(shared.flush, shared.discard)
    },
    countOnline: (tenantId) =>
      breaker.run(
        () => shared.count(tenantId),
        () => own.count(tenantId),
      ),
    async forgetPresence(tenantId, userId) {
      own.forget(tenantId, userId)
      await breaker.run(
        () => shared.forget(tenantId, userId),
        () => undefined,
      )
    },
  }
}

/** Own windows start empty when Redis goes away: an outage at most doubles what a replica lets through. */
function limiterWithFallback(breaker: Breaker, shared: Limiter, own: Limiter): Limiter {
  return {
    consume: (limit, key) =>
      breaker.run(
        () => shared.consume(limit, key),
        () => own.consume(limit, key),
      ),
    giveBack: (limit, key) =>
      breaker.run(
        () => shared.giveBack(limit, key),
        () => own.giveBack(limit, key),
      ),
    count: (limit, key) =>
      breaker.run(
        () => shared.count(limit, key),
        () => own.count(limit, key),
      ),
  }
}
