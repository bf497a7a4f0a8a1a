import type { Redis } from 'ioredis'
import { onlineMs } from './presence.ts'

/** The most users in one batch, so that a single ZADD takes at most about a millisecond. */
const batchSizeMax = 1000

/** The users that any replica has seen. Promises reject when Redis fails. */
export interface RedisPresence {
  /** Adds a user to the next `flush`. Returns true if the batch is full, so that the caller must flush it. */
  touch: (tenantId: string, userId: number) => boolean
  flush: () => Promise<void>
  /** Drops the batch, so that it does not grow while Redis is away. */
  discard: () => void
  count: (tenantId: string) => Promise<number>
  /** At most `max` users, the last active ones. */
  list: (tenantId: string, max: number) => Promise<number[]>
  forget: (tenantId: string, userId: number | undefined) => Promise<void>
}

/**
 * Presence as one sorted set per tenant; the score is the time of the last request. `flush` writes all users of a batch
 * together, so that a request waits for no command. A set has the users of the last 5 minutes, and expires.
 */
export function createRedisPresence(client: Redis, clock: () => number): RedisPresence {
  let batch = new Map<string, Map<number, number>>()
  let batchSize = 0

  function discard(): void {
    batch = new Map()
    batchSize = 0
  }

  async function flush(): Promise<void> {
    const full = batch
    discard()
    const bound = clock() - onlineMs
    await Promise.all([...full].flatMap(([tenantId, seen]) => write(client, keyOf(tenantId), seen, bound)))
  }

  function touch(tenantId: string, userId: number): boolean {
    const seen = batch.get(tenantId) ?? new Map<number, number>()
    if (!seen.has(userId)) batchSize += 1
    batch.set(tenantId, seen.set(userId, clock()))
    return batchSize >= batchSizeMax
  }

  async function count(tenantId: string): Promise<number> {
    const bound = `(${clock() - onlineMs}`
    const [, online] = await Promise.all([flush(), client.zcount(keyOf(tenantId), bound, '+inf')])
    return online
  }

  async function list(tenantId: string, max: number): Promise<number[]> {
    const bound = `(${clock() - onlineMs}`
    const listing = client.zrevrangebyscore(keyOf(tenantId), '+inf', bound, 'LIMIT', 0, max)
    const [, ids] = await Promise.all([flush(), listing])
    return ids.map(Number)
  }

  async function forget(tenantId: string, userId: number | undefined): Promise<void> {
    if (userId === undefined) {
      batch.delete(tenantId)
      await client.del(keyOf(tenantId))
    } else {
      batch.get(tenantId)?.delete(userId)
      await client.zrem(keyOf(tenantId), userId)
    }
  }

  return { touch, flush, discard, count, list, forget }
}

function write(client: Redis, key: string, seen: Map<number, number>, bound: number): Promise<unknown>[] {
  const scores = [...seen].flatMap(([userId, seenAt]) => [seenAt, userId])
  return [
    client.zadd(key, ...scores),
    client.zremrangebyscore(key, '-inf', bound),
    client.pexpire(key, onlineMs),
  ]
}

function keyOf(tenantId: string): string {
  return `tenantry:online:${tenantId}`
}
