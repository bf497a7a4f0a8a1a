import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Invalidation } from './cache.ts'
import { openMemoryCache } from './memory.ts'
import { openCache } from './open.ts'

const login = { name: 'login', points: 3, windowSeconds: 1 }
const tenant = 'tenant-a'
const other = 'tenant-b'
const log = { info: () => undefined, warn: () => undefined }

/** A cache whose clock the test sets in minutes. */
function openAtMinute() {
  let minute = 0
  const cache = openMemoryCache(() => new Date(minute * 60_000))
  return {
    cache,
    setMinute: (value: number) => {
      minute = value
    },
  }
}

describe('the in-process cache', () => {
  test('without a Redis URL this cache opens, and it is up', async () => {
    const hooks = { now: () => new Date(), onPropagation: () => undefined }
    const cache = await openCache({ redisUrl: undefined, databaseUrl: undefined }, log, hooks)
    expect(cache.kind).toBe('in-process')
    expect(await cache.ping()).toBe('up')
    await cache.close()
  })

  test('a change reaches every listener before publish returns', () => {
    const { cache } = openAtMinute()
    const heard: unknown[] = []
    cache.subscribe((change) => heard.push(change))
    cache.subscribe((change) => heard.push(change))
    const change: Invalidation = { kind: 'user', tenantId: tenant, userId: 1, sessionId: '' }
    void cache.publish(change)
    expect(heard).toEqual([change, change])
  })
})

describe('presence in this process', () => {
  test('it counts the users of one tenant seen in the last five minutes, each once', async () => {
    const { cache, setMinute } = openAtMinute()
    cache.touch(tenant, 1)
    cache.touch(tenant, 1)
    cache.touch(other, 9)
    setMinute(3)
    cache.touch(tenant, 2)
    expect(await cache.countOnline(tenant)).toBe(2)
    setMinute(5)
    expect(await cache.countOnline(tenant)).toBe(1)
    expect(await cache.listOnline(tenant, 10)).toEqual([2])
    expect(await cache.countOnline(other)).toBe(0)
    expect(await cache.countOnline('nobody')).toBe(0)
  })

  test('a user stays online with another request', async () => {
    const { cache, setMinute } = openAtMinute()
    cache.touch(tenant, 1)
    cache.touch(tenant, 2)
    setMinute(4)
    cache.touch(tenant, 1)
    setMinute(8)
    expect(await cache.countOnline(tenant)).toBe(1)
  })

  test('it forgets a user or a whole tenant on demand', async () => {
    const { cache } = openAtMinute()
    for (const userId of [1, 2, 3]) cache.touch(tenant, userId)
    cache.touch(other, 1)
    await cache.forgetPresence(tenant, 2)
    expect(await cache.countOnline(tenant)).toBe(2)
    await cache.forgetPresence(tenant)
    expect(await cache.countOnline(tenant)).toBe(0)
    expect(await cache.countOnline(other)).toBe(1)
  })

  test('it remembers the last 100,000 users that it has seen', async () => {
    const { cache } = openAtMinute()
    for (let userId = 0; userId < 60_000; userId += 1) cache.touch(other, userId)
    for (let userId = 0; userId < 60_000; userId += 1) cache.touch(tenant, userId)
    expect(await cache.countOnline(tenant)).toBe(60_000)
    expect(await cache.countOnline(other)).toBe(40_000)
  })
})

describe('limits in this process', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('of 100 attempts at once exactly as many pass as the limit has points', async () => {
    const { cache } = openAtMinute()
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.consume(login, 'a')))
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3)
    expect(answers.at(-1)).toEqual({ allowed: false, retryAfterSeconds: 1 })
  })

  test('keys and limits are counted apart', async () => {
    const { cache } = openAtMinute()
    await cache.consume(login, 'a')
    expect(await cache.count(login, 'a')).toBe(1)
    expect(await cache.count(login, 'b')).toBe(0)
    expect(await cache.count({ ...login, name: 'register' }, 'a')).toBe(0)
  })

  test('a window ends when its time is over, however many attempts failed in it', async () => {
    vi.useFakeTimers()
    const cache = openMemoryCache(() => new Date())
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await cache.consume(login, 'a')
      vi.advanceTimersByTime(99)
    }
    expect(await cache.consume(login, 'a')).toMatchObject({ allowed: false })
    vi.advanceTimersByTime(11)
    expect(await cache.count(login, 'a')).toBe(0)
    expect(await cache.consume(login, 'a')).toEqual({ allowed: true, retryAfterSeconds: 0 })
  })

  test('an attempt given back can be made again, but gives no credit', async () => {
    const { cache } = openAtMinute()
    for (let attempt = 0; attempt < 3; attempt += 1) await cache.consume(login, 'a')
    await cache.giveBack(login, 'a')
    expect(await cache.count(login, 'a')).toBe(2)
    for (let time = 0; time < 5; time += 1) await cache.giveBack(login, 'a')
    expect(await cache.count(login, 'a')).toBe(0)
  })

  test('a flood of keys stays within 100,000 windows, and a key still in use is not forgotten', async () => {
    const { cache } = openAtMinute()
    const limit = { name: 'flood', points: 3, windowSeconds: 600 }
    for (let key = 0; key < 150_000; key += 1) {
      await cache.consume(limit, `key ${key}`)
      if (key % 50_000 === 0) await cache.consume(limit, 'used')
    }
    expect(await cache.count(limit, 'used')).toBe(3)
    expect(await cache.count(limit, 'key 49999')).toBe(0)
    expect(await cache.count(limit, 'key 50010')).toBe(1)
  })
})
