import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../test/waits.ts'
import type { Cache, Invalidation } from './cache.ts'
import { openCache } from './open.ts'

/** A Redis database for this test, so that other data stays as it is. */
function ownDatabase(): string {
  const url = new URL(process.env['REDIS_URL'] ?? '')
  url.pathname = '/13'
  return url.href
}

const tenant = 'tenant-a'
const channel = 'tenantry:changes:13'
const startMs = Date.now()
/** The second replica's clock is ahead by this many milliseconds. */
const aheadMs = 250

describe.runIf(process.env['REDIS_URL'])('two caches on one Redis', () => {
  let redis: Redis
  let first: Cache
  let second: Cache
  let minute = 0
  const delays: number[] = []
  const warnings: string[] = []

  const log = { info: () => undefined, warn: (_fields: unknown, text?: string) => warnings.push(text ?? '') }
  const open = (offsetMs: number) =>
    openCache({ redisUrl: ownDatabase(), databaseUrl: undefined }, log, {
      now: () => new Date(startMs + minute * 60_000 + offsetMs),
      onPropagation: (seconds) => delays.push(seconds),
    })
  const forgetAll = async () => {
    const keys = await redis.keys('tenantry:*')
    if (keys.length > 0) await redis.del(keys)
  }

  beforeAll(async () => {
    redis = new Redis(ownDatabase())
    ;[first, second] = await Promise.all([open(0), open(aheadMs)])
  })
  beforeEach(() => {
    minute = 0
    delays.length = 0
    warnings.length = 0
  })
  afterEach(forgetAll)
  afterAll(async () => {
    await Promise.all([first.close(), second.close()])
    await forgetAll()
    await redis.quit()
  })

  test('both are up as soon as they are open', async () => {
    expect(first.kind).toBe('redis')
    expect(await Promise.all([first.ping(), second.ping()])).toEqual(['up', 'up'])
  })

  test('each hears the changes of the other, and its own at once and only once', async () => {
    const heard: unknown[][] = [[], []]
    first.subscribe((change) => heard[0]?.push(change))
    second.subscribe((change) => heard[1]?.push(change))
    const ofUser: Invalidation = { kind: 'user', tenantId: tenant, userId: 7, sessionId: '' }
    const ofTenant: Invalidation = { kind: 'tenant', tenantId: tenant }
    const ofKeys: Invalidation = { kind: 'keys' }

    const published = first.publish(ofUser)
    expect(heard).toEqual([[ofUser], []])
    await published
    await first.publish(ofTenant)
    await eventually(() => expect(heard[1]).toEqual([ofUser, ofTenant]))
    await second.publish(ofKeys)
    await eventually(() => expect(heard[0]).toEqual([ofUser, ofTenant, ofKeys]))
    await first.ping()
    expect(heard[1]).toEqual([ofUser, ofTenant, ofKeys])
  })

  test('the replica that hears a change measures its delay in seconds, by the clocks of both', async () => {
    await first.publish({ kind: 'keys' })
    await eventually(() => expect(delays).toEqual([aheadMs / 1000]))
  })

  test('a malformed message is ignored with a warning', async () => {
    const heard: unknown[] = []
    first.subscribe((change) => heard.push(change))
    const sentAt = Date.now()
    const malformed = [
      'not JSON',
      'null',
      JSON.stringify({ from: 'x', sentAt }),
      JSON.stringify({ from: 'x', sentAt, change: { kind: 'user', tenantId: 1, userId: 1, sessionId: '' } }),
      JSON.stringify({ from: 'x', sentAt: 'now', change: { kind: 'keys' } }),
    ]
    for (const text of malformed) await redis.publish(channel, text)
    await eventually(() => expect(warnings).toHaveLength(2 * malformed.length))
    expect(heard).toEqual([])
  })

  test('presence counts users of one tenant seen in the last five minutes by any replica', async () => {
    first.touch(tenant, 1)
    first.touch('tenant-b', 5)
    expect(await first.countOnline(tenant)).toBe(1)
    minute = 3
    second.touch(tenant, 1)
    second.touch(tenant, 2)
    expect(await second.countOnline(tenant)).toBe(2)
    expect(await first.countOnline(tenant)).toBe(2)
    expect(new Set(await first.listOnline(tenant, 10))).toEqual(new Set([1, 2]))
    expect(await first.listOnline(tenant, 1)).toHaveLength(1)
    minute = 6
    expect(await first.countOnline(tenant)).toBe(2)
    minute = 8.1
    expect(await first.countOnline(tenant)).toBe(0)
  })

  test('presence reaches the other replica by itself, and is kept no longer than needed', async () => {
    for (let userId = 0; userId < 2500; userId += 1) first.touch(tenant, userId)
    await eventually(async () => expect(await second.countOnline(tenant)).toBe(2500))
    minute = 6
    first.touch(tenant, 1)
    await first.countOnline(tenant)
    expect(await redis.zcard(`tenantry:online:${tenant}`)).toBe(1)
    expect(await redis.pttl(`tenantry:online:${tenant}`)).toBeGreaterThan(290_000)
  })

  test('a user, or a whole tenant, is forgotten for all replicas', async () => {
    for (const userId of [1, 2, 3]) first.touch(tenant, userId)
    expect(await first.countOnline(tenant)).toBe(3)
    await second.forgetPresence(tenant, 2)
    expect(await first.countOnline(tenant)).toBe(2)
    await second.forgetPresence(tenant)
    expect(await first.countOnline(tenant)).toBe(0)
  })

  test('exactly as many of 100 attempts at once over both pass as the limit has points', async () => {
    const limit = { name: 'login', points: 10, windowSeconds: 60 }
    const attempts = Array.from({ length: 100 }, (_, n) => (n % 2 ? first : second).consume(limit, 'a'))
    const answers = await Promise.all(attempts)
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(10)
    const refused = answers.find(({ allowed }) => !allowed)
    expect(refused?.retryAfterSeconds).toBeGreaterThan(50)
    expect(refused?.retryAfterSeconds).toBeLessThanOrEqual(60)
    expect(await second.count(limit, 'a')).toBe(100)
  })

  test('a window ends when its time is over, however many attempts failed in it', async () => {
    const limit = { name: 'login', points: 1, windowSeconds: 3 }
    expect(await first.consume(limit, 'a')).toEqual({ allowed: true, retryAfterSeconds: 0 })
    expect(await first.consume(limit, 'a')).toEqual({ allowed: false, retryAfterSeconds: 3 })
    // Each check is one more failed attempt.
    await eventually(async () => expect((await first.consume(limit, 'a')).allowed).toBe(true))
  })

  test('an attempt given back can be made again, but gives no credit', async () => {
    const limit = { name: 'login', points: 3, windowSeconds: 60 }
    for (let attempt = 0; attempt < 3; attempt += 1) await first.consume(limit, 'a')
    await second.giveBack(limit, 'a')
    expect(await first.count(limit, 'a')).toBe(2)
    await Promise.all(Array.from({ length: 5 }, () => second.giveBack(limit, 'a')))
    expect(await first.count(limit, 'a')).toBe(0)
    await first.giveBack(limit, 'never counted')
    expect(await redis.keys('tenantry:limit:*')).toHaveLength(1)
  })

  test('no e-mail address goes to Redis, and every key there expires', async () => {
    const limit = { name: 'login', points: 3, windowSeconds: 60 }
    await first.consume(limit, 'jane@example.com|192.0.2.1')
    first.touch(tenant, 1)
    await first.countOnline(tenant)
    const keys = await redis.keys('*')
    expect(keys.join()).not.toContain('jane')
    expect(keys.every((key) => key.startsWith('tenantry:'))).toBe(true)
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0)
  })
})
