/** Sessions against the real service, whose clock the tests advance. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { newTenant, password, platformAdmin, register } from '../../server/test/factories.ts'
import { clock, service } from '../../server/test/harness.ts'
import { createClient, memoryTokens, type Tokens, type TokenStorage } from '../src/client.ts'
import { sessionIdOf } from '../src/session/tokens.ts'
import {
  answer as reply,
  closeScripted,
  expectPauses,
  failure,
  fakeTime,
  hangUp,
  pair,
  scriptedFetch,
  silence,
  startScripted,
  success,
  type Script,
} from './scripted.ts'
import {
  accessTokenMs,
  gated,
  patiently,
  refreshPath,
  refused,
  sharedStorage,
  signedIn,
  type Send,
  signInAs,
} from './signed-in.ts'

afterEach(closeScripted)

/** A client that has signed in, in faked time; the scripts answer its refreshes. */
const signedInInFakeTime = async (...scripts: Script[]) => {
  fakeTime()
  const { send, asked } = scriptedFetch(pair, ...scripts)
  const client = createClient({ baseUrl: 'https://admin.example.com', fetch: send })
  await client.auth.login({ email: 'ada@example.com', password })
  return { client, refreshes: () => asked.slice(1) }
}

/** A storage that delays the first write after the login until `letWrite`. Other writes go through. */
const slowStorage = (inner: TokenStorage = memoryTokens()) => {
  const [gate, writing] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  let known: string | undefined
  const storage: TokenStorage = {
    ...inner,
    set: async (tokens) => {
      const id = tokens && sessionIdOf(tokens)
      if (id !== undefined && id === known) {
        writing.resolve(undefined)
        await gate.promise
      }
      known = id
      await inner.set(tokens)
    },
  }
  return { storage, isWriting: writing.promise, letWrite: () => gate.resolve(undefined) }
}

/** The uncaught errors during some work. */
const uncaught = async (work: () => Promise<void>): Promise<unknown[]> => {
  const others = process.listeners('uncaughtException')
  const caught: unknown[] = []
  process.removeAllListeners('uncaughtException').on('uncaughtException', (err) => caught.push(err))
  try {
    await work()
    await expect.poll(() => caught, patiently).toHaveLength(1)
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener)
  }
  return caught
}

describe('tokens that the service refuses', () => {
  test('are renewed once for any number of concurrent requests, writes too', async () => {
    const { admin } = await newTenant()
    const { client, refreshes } = await signedIn(admin)
    clock.advance(accessTokenMs + 1000)
    const reads = Array.from({ length: 20 }, () => client.users.list())
    const writes = Array.from({ length: 5 }, (_, index) => client.settings.tenant.put(`key-${index}`, index))
    await Promise.all([...reads, ...writes])
    expect(await client.settings.tenant.list()).toHaveLength(5)
    expect(refreshes()).toBe(1)
  })

  test('are renewed once for all clients that share the storage', async () => {
    const { admin } = await newTenant()
    const storage = sharedStorage()
    const tabs = [await signedIn(admin, { storage }), await signedIn(admin, { storage })]
    clock.advance(accessTokenMs + 1000)
    await Promise.all(tabs.flatMap(({ client }) => [client.profile.get(), client.users.list()]))
    expect(tabs.map(({ refreshes }) => refreshes()).join('+')).toMatch(/^(0\+1|1\+0)$/)
  })

  test('are renewed before they end, counted by the clock of this machine', async () => {
    const { admin } = await newTenant()
    const storage = memoryTokens()
    const { client, paths } = await signedIn(admin, { storage })
    const held = (await storage.get()) as Tokens
    expect(held.expiresAt - Date.now()).toBeGreaterThan(accessTokenMs - 10_000)
    await storage.set({ ...held, expiresAt: Date.now() + 20_000 })
    await Promise.all([client.profile.get(), client.profile.get()])
    expect(paths).toEqual([refreshPath, '/api/v1/profile', '/api/v1/profile'])
    expect((await storage.get())?.expiresAt).toBeGreaterThan(Date.now() + accessTokenMs - 10_000)
  })

  test('are not renewed again when the new ones are refused as well', async () => {
    const { url, asked } = await startScripted(pair, failure(40102), pair, failure(40102))
    const client = createClient({ baseUrl: url })
    await client.auth.login({ email: 'ada@example.com', password })
    expect(await refused(client.profile.get())).toMatchObject({ reason: 'tokenInvalid' })
    expect(asked.map(({ path }) => path)).toEqual([
      '/api/v1/auth/login',
      '/api/v1/profile',
      refreshPath,
      '/api/v1/profile',
    ])
  })

  test('are not renewed for another 401, such as a wrong old password', async () => {
    const { client, refreshes } = await signedIn(await register())
    const change = client.auth.changePassword({ old_password: 'wrong', new_password: password })
    expect(await refused(change)).toMatchObject({ status: 401, reason: 'oldPasswordWrong' })
    expect(refreshes()).toBe(0)
  })
})

describe('a refresh', () => {
  test('a refresh whose answer was lost is repeated in time, and the session continues', async () => {
    let isLost = false
    const losing: Send = async (input, init) => {
      const response = await fetch(input, init)
      if (!(input as string).endsWith(refreshPath) || isLost) return response
      isLost = true
      throw new TypeError('fetch failed')
    }
    const { client, refreshes, ends } = await signedIn(await register(), { fetch: losing })
    clock.advance(accessTokenMs + 1000)
    expect(await client.profile.get()).toMatchObject({ status: 1 })
    expect(refreshes()).toBe(2)
    clock.advance(accessTokenMs + 1000)
    await client.profile.get()
    expect(ends).toEqual([])
  })

  test('continues when one of the waiting requests aborts', async () => {
    const { gate, isAsked, send } = gated()
    const { client, refreshes } = await signedIn(await register(), { fetch: send })
    clock.advance(accessTokenMs + 1000)
    const controller = new AbortController()
    const patient = client.profile.get()
    const impatient = refused(client.profile.get({}, { signal: controller.signal }))
    await isAsked.promise
    controller.abort(new Error('left'))
    expect(await impatient).toEqual(new Error('left'))
    gate.resolve(undefined)
    expect(await patient).toMatchObject({ status: 1 })
    expect(refreshes()).toBe(1)
  })

  test('does not undo a sign-out that happens meanwhile', async () => {
    const { gate, isAsked, send } = gated()
    const { client, ends } = await signedIn(await register(), { fetch: send })
    const renewal = refused(client.auth.refresh())
    await isAsked.promise
    await client.session.logout()
    gate.resolve(undefined)
    expect(await renewal).toMatchObject({ status: 401 })
    expect(await client.auth.session()).toBe(undefined)
    expect(ends).toEqual([undefined])
  })

  test('does not undo a sign-out while it writes, and the listener is called once', async () => {
    const { storage, isWriting, letWrite } = slowStorage()
    const { client, ends } = await signedIn(await register(), { storage })
    const renewal = refused(client.auth.refresh())
    await isWriting
    await client.session.logout()
    expect(await client.auth.session()).toBe(undefined)
    letWrite()
    await renewal
    await expect.poll(() => storage.get(), patiently).toBe(undefined)
    expect(await client.auth.session()).toBe(undefined)
    expect(ends).toEqual([undefined])
  })

  test('does not replace a user who signs in while it writes', async () => {
    const tenant = await newTenant()
    const second = await tenant.member()
    const { storage, isWriting, letWrite } = slowStorage()
    const { client, ends } = await signedIn(tenant.admin, { storage })
    const renewal = client.auth.refresh()
    await isWriting
    const { accessToken } = await signInAs(client, second)
    letWrite()
    expect(await refused(renewal)).toMatchObject({ status: 401 })
    await expect.poll(() => storage.get(), patiently).toMatchObject({ accessToken })
    expect(await client.profile.get()).toMatchObject({ id: second.userId })
    expect(ends).toEqual([])
  })

  test('a refresh of the new user runs beside that of the user before', async () => {
    const tenant = await newTenant()
    const second = await tenant.member()
    const { gate, isAsked, send } = gated()
    const { client, refreshes } = await signedIn(tenant.admin, { fetch: send })
    const renewal = refused(client.auth.refresh())
    await isAsked.promise
    const before = await signInAs(client, second)
    const own = client.auth.refresh()
    gate.resolve(undefined)
    expect(await renewal).toMatchObject({ status: 401 })
    const after = await own
    expect([sessionIdOf(after), refreshes()]).toEqual([sessionIdOf(before), 2])
    expect(after.refreshToken).not.toBe(before.refreshToken)
  })

  test('old tokens that another tab writes back do not replace the user who signed in since', async () => {
    const tenant = await newTenant()
    const second = await tenant.member()
    const storage = memoryTokens()
    const { client, ends } = await signedIn(tenant.admin, { storage })
    const first = await storage.get()
    await client.auth.login({ email: second.email, password })
    await storage.set(first)
    expect(await client.profile.get()).toMatchObject({ id: second.userId })
    await client.session.logout()
    expect(ends).toEqual([undefined])
  })

  test('a refresh of another tab does not undo a sign-out in this one', async () => {
    // Without `watch`, the tab that signs out does not notice the other one's write.
    const watch = () => () => undefined
    const { storage, isWriting, letWrite } = slowStorage({ ...sharedStorage(), watch })
    const who = await register()
    const tabs = [await signedIn(who, { storage }), await signedIn(who, { storage })] as const
    const renewal = refused(tabs[0].client.auth.refresh())
    await isWriting
    await tabs[1].client.session.logout()
    letWrite()
    await renewal
    await expect.poll(() => storage.get(), patiently).toBe(undefined)
    expect(await tabs[1].client.auth.session()).toBe(undefined)
    expect(tabs[1].ends).toEqual([undefined])
  })

  test('a failed refresh is ignored while the token is still valid', async () => {
    const storage = memoryTokens()
    const { url, asked } = await startScripted(
      pair,
      failure(50302, { 'retry-after': '9' }),
      success({ id: 7 }),
    )
    const client = createClient({ baseUrl: url, storage })
    await client.auth.login({ email: 'ada@example.com', password })
    await storage.set({ ...((await storage.get()) as Tokens), expiresAt: Date.now() + 20_000 })
    expect(await client.profile.get()).toEqual({ id: 7 })
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/auth/login', refreshPath, '/api/v1/profile'])
    await storage.set({ ...((await storage.get()) as Tokens), expiresAt: Date.now() - 1 })
    const refusing = createClient({ baseUrl: (await startScripted(failure(50001))).url, storage })
    expect(await refused(refusing.profile.get())).toMatchObject({ reason: 'internal' })
  })

  test('waits as long as the service asks for, and continues', async () => {
    const { client, refreshes } = await signedInInFakeTime(
      failure(42901, { 'retry-after': '1' }),
      failure(50301, { 'retry-after': '1' }),
      pair,
    )
    const call = client.auth.refresh()
    await vi.advanceTimersByTimeAsync(5000)
    expect(await call).toMatchObject({ refreshToken: 'r' })
    expectPauses(refreshes(), [
      [1000, 1250],
      [1000, 1500],
    ])
  })

  test('begins no attempt later than 8 seconds after the first', async () => {
    const { client, refreshes } = await signedInInFakeTime(hangUp)
    const call = refused(client.auth.refresh())
    await vi.advanceTimersByTimeAsync(29_000)
    expect(await call).toMatchObject({ reason: 'network' })
    const times = refreshes().map(({ atMs }) => atMs)
    expect(times.length).toBeGreaterThan(3)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(8000)
  })

  test('a hanging refresh is cut off after 7.5 seconds, in time for another', async () => {
    const { client, refreshes } = await signedInInFakeTime(silence, pair)
    const call = client.auth.refresh()
    await vi.advanceTimersByTimeAsync(8000)
    expect(await call).toMatchObject({ refreshToken: 'r' })
    expectPauses(refreshes(), [[7500, 7750]])
  })

  test('a failed refresh is not shared with the next caller', async () => {
    const { url, asked } = await startScripted(pair, reply(500, ''), reply(500, ''), pair)
    const client = createClient({ baseUrl: url })
    await client.auth.login({ email: 'ada@example.com', password })
    expect(await refused(client.auth.refresh())).toMatchObject({ status: 500 })
    expect(await refused(client.auth.refresh())).toMatchObject({ status: 500 })
    expect(await client.auth.refresh()).toMatchObject({ refreshToken: 'r' })
    expect(asked).toHaveLength(4)
  })

  test('can be asked for, and gives the new tokens', async () => {
    const { client, refreshes } = await signedIn(await register())
    const { expiresAt } = await client.auth.refresh()
    expect(expiresAt).toBeGreaterThan(Date.now())
    await client.profile.get()
    expect(refreshes()).toBe(1)
  })
})

describe('a session', () => {
  test('ends once, however many sign out at the same time', async () => {
    const { client, ends } = await signedIn(await register(), { storage: sharedStorage() })
    await Promise.all([client.session.logout(), client.session.logout(), client.session.logout()])
    expect(ends).toEqual([undefined])
  })

  test('a sign-out ends the session at the service, so that copied tokens are dead', async () => {
    const storage = memoryTokens()
    const { client } = await signedIn(await register(), { storage })
    const copy = (await storage.get()) as Tokens
    await client.session.logout()
    const bearer = { headers: { authorization: `Bearer ${copy.accessToken}` } }
    expect((await fetch(`${service.url}/api/v1/ping`, bearer)).status).toBe(401)
    const stolen = memoryTokens()
    await stolen.set(copy)
    const thief = createClient({ baseUrl: service.url, storage: stolen })
    expect(await refused(thief.auth.refresh())).toMatchObject({ reason: 'refreshTokenInvalid' })
  })

  test('ends at the service with an access token that is over', async () => {
    const who = await register()
    const { client } = await signedIn(who)
    const other = await signedIn(who)
    clock.advance(accessTokenMs + 1000)
    await client.session.logout()
    expect(await other.client.auth.sessions()).toHaveLength(2)
  })

  test('ends here without the service, too', async () => {
    const storage = memoryTokens()
    const send: Send = (input, init) =>
      (input as string).endsWith('/auth/logout')
        ? Promise.reject(new TypeError('offline'))
        : fetch(input, init)
    const { client, ends } = await signedIn(await register(), { storage, fetch: send })
    await client.session.logout()
    expect([await storage.get(), ends]).toEqual([undefined, [undefined]])
  })

  test('ends with the answer of the service, whatever a listener throws', async () => {
    const tenant = await newTenant()
    const who = await tenant.member()
    const fault = new Error('a listener of the application')
    const onSignedOut = () => {
      throw fault
    }
    const { client } = await signedIn(who, { onSignedOut })
    await tenant.admin.put(`/users/${who.userId}`, { status: 0 })
    const [caught] = await uncaught(async () => {
      expect(await refused(client.profile.get())).toMatchObject({ reason: 'refreshTokenInvalid' })
    })
    expect(caught).toBe(fault)
  })

  test('continues when another tab signs in the same user', async () => {
    const storage = sharedStorage()
    const { admin } = await newTenant()
    const [one, other] = [await signedIn(admin, { storage }), await signedIn(admin, { storage })]
    clock.advance(accessTokenMs + 1000)
    await other.client.auth.login({ email: admin.email, password })
    expect(await one.client.profile.get()).toMatchObject({ id: admin.userId })
    expect([one.ends, other.ends, one.refreshes()]).toEqual([[], [], 0])
  })

  test('a session of a closed client ends without a call of the listener', async () => {
    const storage = sharedStorage()
    const { admin } = await newTenant()
    const [open, closed] = [await signedIn(admin, { storage }), await signedIn(admin, { storage })]
    closed.client.close()
    await open.client.session.logout()
    await expect.poll(() => open.ends, patiently).toEqual([undefined])
    expect(closed.ends).toEqual([])
  })

  test('ends in every open tab', async () => {
    const storage = sharedStorage()
    const { admin } = await newTenant()
    const [one, other] = [await signedIn(admin, { storage }), await signedIn(admin, { storage })]
    await one.client.session.logout()
    await expect.poll(() => other.ends, patiently).toEqual([undefined])
    expect(one.ends).toEqual([undefined])
  })

  test('a session that the service ended is forgotten, and the listener is called once', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const who = await tenant.member()
    const { client, ends, refreshes } = await signedIn(who)
    await admin.put(`/users/${who.userId}`, { status: 0 })
    const answers = await Promise.all([refused(client.profile.get()), refused(client.profile.get())])
    for (const answer of answers) expect(answer).toMatchObject({ status: 401, reason: 'refreshTokenInvalid' })
    expect(ends).toEqual([answers[0]])
    expect(await client.auth.session()).toBe(undefined)
    expect(await refused(client.profile.get())).toMatchObject({ reason: 'tokenMissing' })
    expect(refreshes()).toBe(1)
  })

  test('a session of a disabled tenant is kept, and continues when the tenant is enabled', async () => {
    const { id, admin } = await newTenant()
    const root = await platformAdmin()
    const { client, ends } = await signedIn(admin)
    await root.put(`/org/tenants/${id}`, { status: 0 })
    expect(await refused(client.profile.get())).toMatchObject({ status: 403, reason: 'tenantDisabled' })
    expect(await refused(client.auth.refresh())).toMatchObject({ status: 401, reason: 'tenantSuspended' })
    await root.put(`/org/tenants/${id}`, { status: 1 })
    expect(await client.profile.get()).toMatchObject({ id: admin.userId })
    expect(ends).toEqual([])
  })

  test('is forgotten by signing out, and the listener gets no cause', async () => {
    const { client, ends } = await signedIn(await register())
    await client.session.logout()
    await client.session.logout()
    expect(ends).toEqual([undefined])
    expect(await refused(client.profile.get())).toMatchObject({ status: 401, reason: 'tokenMissing' })
    expect(await refused(client.auth.refresh())).toMatchObject({ status: 401, reason: 'refreshTokenInvalid' })
  })

  test('names the signed-in user and their tenant', async () => {
    const { id, admin } = await newTenant()
    const { client } = await signedIn(admin)
    expect(await client.auth.session()).toMatchObject({ userId: admin.userId, tenantId: id })
  })

  test('a session of another user is not used for a request of the first user', async () => {
    const storage = sharedStorage()
    const tenant = await newTenant()
    const { admin } = tenant
    const second = await tenant.member()
    let isSwitched = false
    const switching: Send = async (input, init) => {
      const response = await fetch(input, init)
      if (response.status === 401 && !isSwitched) {
        isSwitched = true
        await createClient({ baseUrl: service.url, storage }).auth.login({ email: second.email, password })
      }
      return response
    }
    const { client } = await signedIn(admin, { storage, fetch: switching })
    clock.advance(accessTokenMs + 1000)
    const write = client.settings.tenant.put('of', 'admin')
    expect(await refused(write)).toMatchObject({ status: 401, reason: 'tokenInvalid' })
    expect(await client.profile.get()).toMatchObject({ id: second.userId })
  })
})

describe('the tenant in scope', () => {
  test('is the user’s own, also where the API asks for the header', async () => {
    const { id, admin } = await newTenant()
    const { client } = await signedIn(admin)
    const roles = await client.roles.list()
    expect(new Set(roles.map(({ tenant_id }) => tenant_id))).toEqual(new Set([id]))
  })

  test('is the one that a platform administrator names, with the same session', async () => {
    const { id, admin } = await newTenant()
    const { client, refreshes } = await signedIn(await platformAdmin())
    const there = client.inTenant(id)
    const { items, isCapped } = await there.users.list()
    expect([items.map((user) => user.id), isCapped]).toEqual([[admin.userId], false])
    clock.advance(accessTokenMs + 1000)
    await Promise.all([there.roles.list(), client.roles.list()])
    expect(refreshes()).toBe(1)
  })

  test('is refused to all other users', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const { client } = await signedIn(one.admin)
    expect(await refused(client.inTenant(other.id).users.list())).toMatchObject({
      status: 403,
      reason: 'tenantForeign',
    })
  })
})
