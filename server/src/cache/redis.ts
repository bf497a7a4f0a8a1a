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
import { inBackground } from '../traced-steps.ts'

/** The interval between checks of the connections. Presence is written as often. */
const tendMs = 1000

export interface CacheHooks {
  /** The clock of the service. */
  now: () => Date
  /** Receives the delay of another replica's change, from the clocks of two hosts. */
  onPropagation: (seconds: number) => void
}

/**
 * The cache of several replicas, in Redis 6 or newer. Resolves when connected, or after a second without a connection.
 * Until Redis answers, every call uses this process's memory. Throws only for an invalid URL.
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
  const flush = (): Promise<void> => breaker.run('PIPELINE ZADD', shared.flush, shared.discard)

  async function tend(): Promise<void> {
    // Probes with a write, because a full Redis and a replica both answer PING.
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
    ping: () => breaker.run('PING', askRedis, () => 'down'),
    publish: channel.publish,
    subscribe: channel.subscribe,
    isHearing: channel.isHearing,
    ...presenceWithFallback(breaker, shared, createPresence(clock)),
    ...limiterWithFallback(breaker, createRedisLimiter(client), createMemoryLimiter(hooks.now)),
    async close() {
      clearInterval(timer)
      await Promise.all([hangUp(client), hangUp(subscriber)])
    },
  }
}

/** Also keeps presence in this process, for times when Redis fails. */
function presenceWithFallback(
  breaker: Breaker,
  shared: RedisPresence,
  own: Presence,
): Pick<Cache, 'touch' | 'countOnline' | 'listOnline' | 'forgetPresence'> {
  return {
    touch(tenantId, userId) {
      own.touch(tenantId, userId)
      if (!shared.touch(tenantId, userId)) return
      void inBackground(() => breaker.run('PIPELINE ZADD', shared.flush, shared.discard))
    },
    countOnline: (tenantId) =>
      breaker.run(
        'ZCOUNT',
        () => shared.count(tenantId),
        () => own.count(tenantId),
      ),
    listOnline: (tenantId, max) =>
      breaker.run(
        'ZREVRANGEBYSCORE',
        () => shared.list(tenantId, max),
        () => own.list(tenantId, max),
      ),
    async forgetPresence(tenantId, userId) {
      own.forget(tenantId, userId)
      await breaker.run(
        userId === undefined ? 'DEL' : 'ZREM',
        () => shared.forget(tenantId, userId),
        () => undefined,
      )
    },
  }
}

/** When Redis fails, this process's windows start empty. So an outage at most doubles a replica's limit. */
function limiterWithFallback(breaker: Breaker, shared: Limiter, own: Limiter): Limiter {
  return {
    consume: (limit, key) =>
      breaker.run(
        'EVALSHA',
        () => shared.consume(limit, key),
        () => own.consume(limit, key),
      ),
    giveBack: (limit, key) =>
      breaker.run(
        'EVALSHA',
        () => shared.giveBack(limit, key),
        () => own.giveBack(limit, key),
      ),
    count: (limit, key) =>
      breaker.run(
        'GET',
        () => shared.count(limit, key),
        () => own.count(limit, key),
      ),
  }
}
