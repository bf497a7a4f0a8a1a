/** What becomes of a session whose storage fails, hangs or holds something else, or whose lock is never given. */
import { getEventListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { newTenant, password, register } from '../../server/test/factories.ts'
import { clock, service } from '../../server/test/harness.ts'
import { ApiError, createClient, memoryTokens, type Tokens, type TokenStorage } from '../src/client.ts'
import { createLock } from '../src/lock.ts'
import { closeScripted, startScripted, success } from './scripted.ts'
import { accessTokenMs, pair, refused, sharedStorage, signedIn } from './signed-in.ts'

afterEach(closeScripted)

const full = new Error('the disk is full')

/** A storage that fails as long as it is told to. */
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
  message: 'The session could not be read or kept',
  cause: full,
}

describe('a storage that fails', () => {
  test('after a refresh loses nothing: the session goes on, and is kept when the storage is well', async () => {
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
    await expect.poll(() => storage.get()).not.toEqual(first)
    const another = createClient({ baseUrl: service.url, storage })
    expect(await another.profile.get()).toMatchObject({ status: 1 })
    expect(ends).toEqual([])
  })

  test('is told to the caller as an ApiError, with what the storage said', async () => {
    const { storage, fails } = failing()
    const { client } = await signedIn(await register(), { storage })
    fails.get = true
    const calls = [client.profile.get(), client.auth.session(), client.auth.refresh(), client.auth.signOut()]
    for (const call of calls) {
      const err = await refused(call)
      expect(err).toBeInstanceOf(ApiError)
      expect(err).toMatchObject(isStorageError)
    }
  })

  test('lets nobody sign in: who was signed in before, stays', async () => {
    const { storage, fails } = failing()
    const tenant = await newTenant()
    const second = await tenant.member()
    const { client, ends } = await signedIn(tenant.admin, { storage })
    fails.set = true
    expect(await refused(client.auth.login({ email: second.email, password }))).toMatchObject(isStorageError)
    expect(await client.profile.get()).toMatchObject({ id: tenant.admin.userId })
    expect(ends).toEqual([])
  })

  test('keeps nobody from signing out of this client, which tries again to forget', async () => {
    const { storage, fails } = failing()
    const { client, ends } = await signedIn(await register(), { storage })
    fails.set = true
    expect(await refused(client.auth.signOut())).toMatchObject(isStorageError)
    expect(await client.auth.session()).toBe(undefined)
    expect(await refused(client.profile.get())).toMatchObject({ reason: 'tokenMissing' })
    expect(ends).toEqual([undefined])
    fails.set = false
    await refused(client.profile.get())
    await expect.poll(() => storage.get()).toBe(undefined)
  })
})

test('a storage that is slow to say that nobody is signed in ends no session that began meanwhile', async () => {
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
  const client = createClient({ baseUrl: service.url, storage: never })
  const login = { email: 'ada@example.com', password }

  test('holds a call no longer than its timeout', async () => {
    const { url } = await startScripted(pair)
    const another = createClient({ baseUrl: url, storage: never, timeoutMs: 50 })
    for (const call of [another.profile.get(), another.auth.refresh(), another.auth.login(login)]) {
      expect(await refused(call)).toMatchObject({ reason: 'timeout' })
    }
  })

  test('holds a call no longer than its signal', async () => {
    const signal = AbortSignal.timeout(50)
    const calls = [client.profile.get({ signal }), client.auth.refresh({ signal })]
    for (const call of calls) expect(await refused(call)).toBe(signal.reason)
    expect(await refused(client.users.list({}, { signal }))).toBe(signal.reason)
  })

  test('is an error of the storage after 10 seconds', async () => {
    expect(await refused(client.auth.session())).toMatchObject({ reason: 'storage', status: 0 })
  })
})

describe('what is stored', () => {
  const sound = { accessToken: 'a.e30.c', refreshToken: 'r', expiresAt: Date.now() + 1_000_000 }

  test.each([
    ['an older format', { token: 'a.b.c' }],
    ['a text', 'a.b.c'],
    ['a token that is no text', { ...sound, accessToken: 7 }],
    ['a token that no header can hold', { ...sound, accessToken: 'a\nb' }],
    ['no refresh token', { ...sound, refreshToken: undefined }],
    ['a time that is none', { ...sound, expiresAt: 'tomorrow' }],
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
    ['not what a token says', '"text"'],
    ['a tenant that no header can hold', '{"sub":"7","tid":"a\\nb","sid":"s"}'],
    ['numbers', '{"sub":7,"tid":1,"sid":2}'],
  ])('may be a token that says nothing: %s', async (_what, claims) => {
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
  /** Takes a lock as a tab does that is frozen then. */
  const freeze = async (name: string): Promise<void> => {
    const given = Promise.withResolvers<undefined>()
    const hold = () => {
      given.resolve(undefined)
      return new Promise(() => undefined)
    }
    locks.request(name, hold).catch(() => undefined)
    await given.promise
  }

  test('is taken from who holds it for too long', async () => {
    const name = `frozen-${Math.random()}`
    await freeze(name)
    expect(await createLock(name, 50)(async () => 'done')).toBe('done')
    expect(await createLock(name)(async () => 'done, at once')).toBe('done, at once')
  }, 5000)

  test('is done without where the platform refuses it', async () => {
    // A name that begins like this is refused by Web Locks.
    const alone = createLock('-', 50)
    await expect(locks.request('-', () => undefined)).rejects.toThrow(DOMException)
    expect(await alone(async () => 'done')).toBe('done')
  })

  test('does not take the outcome from work whose lock was taken away', async () => {
    const name = `stolen-${Math.random()}`
    let runs = 0
    const work = createLock(name)(async () => {
      runs += 1
      await locks.request(name, { steal: true }, () => undefined)
      await pause(20)
      return 'done'
    })
    expect(await work).toBe('done')
    expect(runs).toBe(1)
  })

  test('holds nobody who has aborted', async () => {
    const storage = sharedStorage()
    const { client, refreshes } = await signedIn(await register(), { storage })
    await freeze(storage.lockName ?? '')
    clock.advance(accessTokenMs + 1000)
    const controller = new AbortController()
    const call = refused(client.profile.get({ signal: controller.signal }))
    await pause(100)
    controller.abort(new Error('left'))
    expect(await call).toEqual(new Error('left'))
    expect(await refused(client.profile.get({ timeoutMs: 50 }))).toMatchObject({ reason: 'timeout' })
    expect(refreshes()).toBe(0)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})
