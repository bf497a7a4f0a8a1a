import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ownRedis } from '../../../lab/own-redis.ts'
import { endsWithin, eventually } from '../../test/waits.ts'
import type { Cache } from './cache.ts'
import { openRedisCache } from './redis.ts'

const tenant = 'tenant-a'
const limit = { name: 'login', points: 3, windowSeconds: 60 }

/** The longest duration of a call in milliseconds. */
const callMsMax = 400

/** Every call of the interface that could wait. */
const calls: ((cache: Cache) => Promise<unknown>)[] = [
  (cache) => cache.ping(),
  (cache) => cache.publish({ kind: 'keys' }),
  (cache) => cache.countOnline(tenant),
  (cache) => cache.listOnline(tenant, 10),
  (cache) => cache.forgetPresence(tenant, 1),
  (cache) => cache.consume(limit, 'timed'),
  (cache) => cache.giveBack(limit, 'timed'),
  (cache) => cache.count(limit, 'timed'),
]

describe.runIf(process.env['REDIS_URL'])('a cache whose Redis goes away', () => {
  let server: Awaited<ReturnType<typeof ownRedis>>
  let lines: string[]
  const caches: Cache[] = []

  const open = async (user = '') => {
    const note = (fields: unknown, text?: string) => void lines.push(`${JSON.stringify(fields)} ${text}`)
    const hooks = { now: () => new Date(), onPropagation: () => undefined }
    const url = `redis://${user}127.0.0.1:${server.port}`
    const cache = await openRedisCache(url, { info: note, warn: note }, hooks)
    caches.push(cache)
    return cache
  }
  const isUp = (cache: Cache) =>
    eventually(async () => {
      cache.touch(tenant, 1)
      expect(await cache.ping()).toBe('up')
    })

  beforeEach(async () => {
    lines = []
    server = await ownRedis()
    await server.start()
  })
  afterEach(async () => {
    server.thaw()
    await Promise.all(caches.splice(0).map((cache) => cache.close()))
    await server.remove()
  })

  test('a frozen Redis delays no call beyond 400 ms, and none noticeably once it is given up', async () => {
    const cache = await open()
    server.freeze()
    expect(await endsWithin(callMsMax, () => Promise.all(calls.map((call) => call(cache))))).toBe(true)
    const burst = Array.from({ length: 100 }, () => calls).flat()
    expect(await endsWithin(50, () => Promise.all(burst.map((call) => call(cache))))).toBe(true)
    expect(await cache.ping()).toBe('down')
  })

  test('calls made one after the other while Redis freezes are delayed no longer either', async () => {
    const cache = await open()
    server.freeze()
    const overlapping: Promise<boolean>[] = []
    for (let turn = 0; turn < 30; turn += 1) {
      overlapping.push(endsWithin(callMsMax, () => cache.consume(limit, 'timed')))
      await sleep(20)
    }
    expect(await Promise.all(overlapping)).not.toContain(false)
  })

  // The client closes its sockets after 2 s. One value tests a recovery before that, the other after it.
  test.each([500, 3000])(
    'a Redis frozen for more than %d ms is taken up again, and caches forget what may be stale',
    async (frozenMs) => {
      const [cache, other] = await Promise.all([open(), open()])
      const heard: unknown[] = []
      other.subscribe((change) => heard.push(change))
      server.freeze()
      for (let turn = 0; turn < 4; turn += 1) await cache.publish({ kind: 'tenant', tenantId: tenant })
      await sleep(frozenMs)
      server.thaw()
      await Promise.all([isUp(cache), isUp(other)])
      await eventually(() => expect(heard).toContain(undefined))
    },
  )

  test('limits count in this process while Redis is away', async () => {
    const cache = await open()
    await server.kill()
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.consume(limit, 'a')))
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3)
    expect(await cache.count(limit, 'a')).toBe(100)
    await cache.giveBack(limit, 'a')
    expect(await cache.count(limit, 'a')).toBe(99)
  })

  test('presence is that of this process while Redis is away', async () => {
    const cache = await open()
    cache.touch(tenant, 1)
    await server.kill()
    cache.touch(tenant, 2)
    expect(await cache.countOnline(tenant)).toBe(2)
    await cache.forgetPresence(tenant)
    expect(await cache.countOnline(tenant)).toBe(0)
  })

  test('a Redis that comes back is taken up without help, and every cache forgets all', async () => {
    const [cache, other] = await Promise.all([open(), open()])
    const heard: unknown[] = []
    cache.subscribe((change) => heard.push(change))
    await server.kill()
    await eventually(async () => expect(await cache.ping()).toBe('down'))
    await server.start()
    await Promise.all([isUp(cache), isUp(other)])
    expect(heard).toContain(undefined)
    heard.length = 0
    await other.publish({ kind: 'keys' })
    await eventually(() => expect(heard).toContainEqual({ kind: 'keys' }))
    await cache.consume(limit, 'a')
    expect(await other.count(limit, 'a')).toBe(1)
  })

  test('a Redis that is full is given up like one that is away, and taken up when it has room', async () => {
    const cache = await open()
    const operator = new Redis(server.port)
    await operator.config('SET', 'maxmemory', '1')
    const answers = await Promise.all(Array.from({ length: 10 }, () => cache.consume(limit, 'a')))
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3)
    // The probe of each second still finds Redis full.
    await sleep(1500)
    expect(await cache.ping()).toBe('down')
    await operator.config('SET', 'maxmemory', '0')
    await operator.quit()
    await isUp(cache)
  })

  test('a cache opened while Redis is unreachable opens within 1.5 s, and mends itself', async () => {
    await server.kill()
    expect(await endsWithin(1500, open)).toBe(true)
    const [cache] = caches
    if (!cache) throw new Error('not opened')
    expect(await cache.ping()).toBe('down')
    expect((await cache.consume(limit, 'a')).allowed).toBe(true)
    const heard: unknown[] = []
    cache.subscribe((change) => heard.push(change))
    await server.start()
    await isUp(cache)
    expect(heard).toEqual([undefined])
  })

  test('it closes within 500 ms, whether Redis answers, is frozen or is gone', async () => {
    const [answered, frozen, gone] = await Promise.all([open(), open(), open()])
    expect(await endsWithin(500, () => answered.close())).toBe(true)
    server.freeze()
    expect(await endsWithin(500, () => frozen.close())).toBe(true)
    await server.kill()
    expect(await endsWithin(500, () => gone.close())).toBe(true)
    expect(await gone.ping()).toBe('down')
  })

  test('the log tells an outage in a few lines without the password', async () => {
    const operator = new Redis(server.port)
    await operator.config('SET', 'requirepass', 'right-secret')
    operator.disconnect()
    const refused = await open('user:wrong-secret@')
    expect(await refused.ping()).toBe('down')
    const accepted = await open(':right-secret@')
    expect(await accepted.ping()).toBe('up')
    await server.kill()
    for (let turn = 0; turn < 40; turn += 1) {
      await Promise.all([refused.ping(), accepted.ping()])
      await sleep(50)
    }
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.length).toBeLessThanOrEqual(6)
    expect(lines.join()).not.toContain('secret')
  })
})
