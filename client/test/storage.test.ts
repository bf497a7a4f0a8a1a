/** Sessions whose storage fails, hangs or holds foreign data, and whose lock another tab keeps. */
import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newTenant, password, register } from '../../server/test/factories.ts'
import { clock, service } from '../../server/test/harness.ts'
import { ApiError, createClient, memoryTokens, type Tokens, type TokenStorage } from '../src/client.ts'
import { createLock } from '../src/session/lock.ts'
import { closeScripted, fakeTime, pair, scriptedFetch, startScripted, success } from './scripted.ts'
import { accessTokenMs, patiently, refused, sharedStorage, signedIn } from './signed-in.ts'

afterEach(closeScripted)

const full = new Error('the disk is full')

/** A storage that fails while `fails` says so. */
const failing = () => {
  const inner = memoryTokens()
  const fails = { get: false, set: false }
  const storage: TokenStorage = {
    get: () => {
      if (fails.get) throw full
      return inner.get()
    },
    set: async (tokens) => {
      if (fails.set) throw full
      await inner.set(tokens)
    },
  }
  return { storage, fails }
}

const isStorageError = {
  name: 'ApiError',
  reason: 'storage',
  status: 0,
  code: 0,
  message: 'The storage of the session failed',
  cause: full,
}

describe('a storage that fails', () => {
  test('a storage that fails after a refresh loses nothing: the tokens are stored when it works again', async () => {
    const { storage, fails } = failing()
    const { client, ends, refreshes } = await signedIn(await register(), { storage })
    const first = (await storage.get()) as Tokens
    fails.set = true
    for (const _ of [1, 2, 3]) {
      clock.advance(accessTokenMs + 1000)
      expect(await client.profile.get()).toMatchObject({ status: 1 })
    }
    expect([refreshes(), await storage.get()]).toEqual([3, first])
    fails.set = false
    await client.profile.get()
    await expect.poll(() => storage.get(), patiently).not.toEqual(first)
    const another = createClient({ baseUrl: service.url, storage })
    expect(await another.profile.get()).toMatchObject({ status: 1 })
    expect(ends).toEqual([])
  })

  test('rejects the call with an ApiError whose cause is the error of the storage', async () => {
    const { storage, fails } = failing()
    const { client } = await signedIn(await register(), { storage })
    fails.get = true
    const calls = [
      client.profile.get(),
      client.auth.session(),
      client.auth.refresh(),
      client.session.logout(),
    ]
    for (const call of calls) {
      const err = await refused(call)
      expect(err).toBeInstanceOf(ApiError)
      expect(err).toMatchObject(isStorageError)
    }
  })

  test('lets no user sign in: the user before stays signed in', async () => {
    const { storage, fails } = failing()
    const tenant = await newTenant()
    const second = await tenant.member()
    const { client, ends } = await signedIn(tenant.admin, { storage })
    fails.set = true
    expect(await refused(client.auth.login({ email: second.email, password }))).toMatchObject(isStorageError)
    expect(await client.profile.get()).toMatchObject({ id: tenant.admin.userId })
    expect(ends).toEqual([])
  })

  test('does not keep a user from signing out: the client retries to forget the tokens', async () => {
    const { storage, fails } = failing()
    const { client, ends } = await signedIn(await register(), { storage })
    fails.set = true
    expect(await refused(client.session.logout())).toMatchObject(isStorageError)
    expect(await client.auth.session()).toBe(undefined)
    expect(await refused(client.profile.get())).toMatchObject({ reason: 'tokenMissing' })
    expect(ends).toEqual([undefined])
    fails.set = false
    await refused(client.profile.get())
    await expect.poll(() => storage.get(), patiently).toBe(undefined)
  })
})

test('a slow read of an empty storage does not end a session that began meanwhile', async () => {
  const inner = memoryTokens()
  const gate = Promise.withResolvers<undefined>()
  let isSlow = true
  const storage: TokenStorage = {
    set: (tokens) => inner.set(tokens),
    get: async () => {
      const stored = await inner.get()
      if (isSlow) {
        isSlow = false
        await gate.promise
      }
      return stored
    },
  }
  const ends: unknown[] = []
  const client = createClient({ baseUrl: service.url, storage, onSignedOut: (cause) => ends.push(cause) })
  const early = client.auth.session()
  await client.auth.login({ email: (await register()).email, password })
  gate.resolve(undefined)
  expect(await early).toBe(undefined)
  expect(await client.profile.get()).toMatchObject({ status: 1 })
  expect(ends).toEqual([])
})

describe('a storage that never answers', () => {
  const never: TokenStorage = { get: () => new Promise(() => undefined), set: () => undefined }
  const client = createClient({
    baseUrl: 'https://admin.example.com',
    storage: never,
    fetch: scriptedFetch(pair).send,
    timeoutMs: 5000,
  })
  const login = { email: 'ada@example.com', password }

  test('holds a call no longer than its timeout', async () => {
    fakeTime()
    const calls = [client.profile.get(), client.auth.refresh(), client.auth.login(login)].map(refused)
    await vi.advanceTimersByTimeAsync(5000)
    for (const call of calls) expect(await call).toMatchObject({ reason: 'timeout' })
  })

  test('holds a call no longer than its signal', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const calls = [client.profile.get({}, { signal }), client.auth.refresh({ signal })].map(refused)
    controller.abort(new Error('left'))
    for (const call of calls) expect(await call).toBe(signal.reason)
    expect(await refused(client.users.list({}, { signal }))).toBe(signal.reason)
  })

  test('is an error of the storage after 10 seconds', async () => {
    fakeTime()
    const call = refused(client.auth.session())
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await call).toMatchObject({ reason: 'storage', status: 0 })
  })
})

describe('stored data', () => {
  const sound = { accessToken: 'a.e30.c', refreshToken: 'r', expiresAt: Date.now() + 1_000_000 }

  test.each([
    ['an older format', { token: 'a.b.c' }],
    ['a string', 'a.b.c'],
    ['a token that is not a string', { ...sound, accessToken: 7 }],
    ['a token that no header can hold', { ...sound, accessToken: 'a\nb' }],
    ['no refresh token', { ...sound, refreshToken: undefined }],
    ['a time that is not a number', { ...sound, expiresAt: 'tomorrow' }],
  ])('is no session when it is %s', async (_what, stored) => {
    const { url, asked } = await startScripted(success({ id: 7 }))
    const client = createClient({
      baseUrl: url,
      storage: { get: () => stored as Tokens, set: () => undefined },
    })
    expect(await client.auth.session()).toBe(undefined)
    await client.profile.get()
    expect(asked).toMatchObject([{ token: undefined }])
  })

  test.each([
    ['no JSON', '{'],
    ['not an object', '"text"'],
    ['a tenant that no header can hold', '{"sub":"7","tid":"a\\nb","sid":"s"}'],
    ['numbers', '{"sub":7,"tid":1,"sid":2}'],
  ])('may be a token without readable claims: %s', async (_what, claims) => {
    const { url, asked } = await startScripted(success({ id: 7 }))
    const storage = memoryTokens()
    await storage.set({ ...sound, accessToken: `a.${Buffer.from(claims).toString('base64url')}.c` })
    const client = createClient({ baseUrl: url, storage })
    expect(await client.auth.session()).toBe(undefined)
    expect(await client.profile.get()).toEqual({ id: 7 })
    expect(asked).toHaveLength(1)
  })
})

describe('the lock of a storage', () => {
  const { locks } = navigator
  /** Takes a lock and keeps it, as a frozen tab does. */
  const freeze = async (name: string): Promise<void> => {
    const given = Promise.withResolvers<undefined>()
    const hold = () => {
      given.resolve(undefined)
      return new Promise(() => undefined)
    }
    locks.request(name, hold).catch(() => undefined)
    await given.promise
  }

  const isHeld = async (name: string) => (await locks.query()).held?.some((lock) => lock.name === name)
  const isAwaited = async (name: string) => (await locks.query()).pending?.some((lock) => lock.name === name)

  test('is stolen from a tab that holds it for too long', async () => {
    const name = `frozen-${Math.random()}`
    await freeze(name)
    expect(await createLock(name, 50)(async () => 'done')).toBe('done')
    expect(await createLock(name)(async () => 'done, at once')).toBe('done, at once')
  }, 20_000)

  test('is skipped where the platform refuses it', async () => {
    // Web Locks refuse a name that begins with a hyphen.
    const alone = createLock('-', 50)
    await expect(locks.request('-', () => undefined)).rejects.toThrow(DOMException)
    expect(await alone(async () => 'done')).toBe('done')
  })

  test('a stolen lock does not change the outcome of its work', async () => {
    const name = `stolen-${Math.random()}`
    const request = vi.spyOn(locks, 'request')
    onTestFinished(() => request.mockRestore())
    let runs = 0
    const work = createLock(name)(async () => {
      runs += 1
      const [given] = request.mock.results
      await locks.request(name, { steal: true }, () => undefined)
      await expect(given?.value).rejects.toThrow(DOMException)
      return 'done'
    })
    expect(await work).toBe('done')
    expect(runs).toBe(1)
  })

  test('does not hold a call that aborts', async () => {
    const storage = sharedStorage()
    const { lockName = '' } = storage
    const { client, paths } = await signedIn(await register(), { storage })
    await expect.poll(() => isHeld(lockName), patiently).toBe(false)
    await storage.set({ ...((await storage.get()) as Tokens), expiresAt: Date.now() })
    await freeze(lockName)
    const controller = new AbortController()
    const call = refused(client.profile.get({}, { signal: controller.signal }))
    await expect.poll(() => isAwaited(lockName), patiently).toBe(true)
    controller.abort(new Error('left'))
    expect(await call).toEqual(new Error('left'))
    expect(await refused(client.profile.get({}, { timeoutMs: 50 }))).toMatchObject({ reason: 'timeout' })
    expect(paths).toEqual([])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})
