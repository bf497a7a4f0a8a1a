/** How the SDK keeps a session alive, and notices its end: against the real service, whose clock the tests move. */
import { afterEach, describe, expect, test } from 'vitest'
import { newTenant, password, platformAdmin, register } from '../../server/test/factories.ts'
import { clock, service } from '../../server/test/harness.ts'
import { createClient, memoryTokens, type Tokens, type TokenStorage } from '../src/client.ts'
import { sessionIdOf } from '../src/tokens.ts'
import { answer as reply, closeScripted, failure, hangUp, startScripted, success } from './scripted.ts'
import {
  accessTokenMs,
  gated,
  pair,
  refreshPath,
  refused,
  sharedStorage,
  signedIn,
  type Send,
} from './signed-in.ts'

afterEach(closeScripted)

/** A storage that holds the first write after the login back, as a slow disk does, while others go through. */
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

/** What was thrown where nobody catches it, while this work was done. */
const uncaught = async (work: () => Promise<void>): Promise<unknown[]> => {
  const others = process.listeners('uncaughtException')
  const caught: unknown[] = []
  process.removeAllListeners('uncaughtException').on('uncaughtException', (err) => caught.push(err))
  try {
    await work()
    await expect.poll(() => caught).toHaveLength(1)
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

  test('are not renewed for another 401: a wrong old password stays one', async () => {
    const { client, refreshes } = await signedIn(await register())
    const change = client.auth.changePassword({ old_password: 'wrong', new_password: password })
    expect(await refused(change)).toMatchObject({ status: 401, reason: 'oldPasswordWrong' })
    expect(refreshes()).toBe(0)
  })
})

describe('a refresh', () => {
  test('whose answer was lost is repeated in time, and the session lives on', async () => {
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

  test('is not given up when one of those who wait for it aborts', async () => {
    const { gate, isAsked, send } = gated()
    const { client, refreshes } = await signedIn(await register(), { fetch: send })
    clock.advance(accessTokenMs + 1000)
    const controller = new AbortController()
    const patient = client.profile.get()
    const impatient = refused(client.profile.get({ signal: controller.signal }))
    await isAsked.promise
    controller.abort(new Error('left'))
    expect(await impatient).toEqual(new Error('left'))
    gate.resolve(undefined)
    expect(await patient).toMatchObject({ status: 1 })
    expect(refreshes()).toBe(1)
  })

  test('leaves alone who has signed out meanwhile', async () => {
    const { gate, isAsked, send } = gated()
    const { client, ends } = await signedIn(await register(), { fetch: send })
    const renewal = refused(client.auth.refresh())
    await isAsked.promise
    await client.auth.signOut()
    gate.resolve(undefined)
    expect(await renewal).toMatchObject({ status: 401 })
    expect(await client.auth.session()).toBe(undefined)
    expect(ends).toEqual([undefined])
  })

  test('does not bring back who signs out while it writes, and tells that once', async () => {
    const { storage, isWriting, letWrite } = slowStorage()
    const { client, ends } = await signedIn(await register(), { storage })
    const renewal = refused(client.auth.refresh())
    await isWriting
    await client.auth.signOut()
    expect(await client.auth.session()).toBe(undefined)
    letWrite()
    await renewal
    await expect.poll(() => storage.get()).toBe(undefined)
    expect(await client.auth.session()).toBe(undefined)
    expect(ends).toEqual([undefined])
  })

  test('does not take the place of who signs in while it writes', async () => {
    const tenant = await newTenant()
    const second = await tenant.member()
    const { storage, isWriting, letWrite } = slowStorage()
    const { client, ends } = await signedIn(tenant.admin, { storage })
    const renewal = client.auth.refresh()
    await isWriting
    const { accessToken } = await client.auth.login({ email: second.email, password })
    letWrite()
    expect(await refused(renewal)).toMatchObject({ status: 401 })
    await expect.poll(() => storage.get()).toMatchObject({ accessToken })
    expect(await client.profile.get()).toMatchObject({ id: second.userId })
    expect(ends).toEqual([])
  })

  test('is one of its own for who signs in while another is under way', async () => {
    const tenant = await newTenant()
    const second = await tenant.member()
    const { gate, isAsked, send } = gated()
    const { client, refreshes } = await signedIn(tenant.admin, { fetch: send })
    const renewal = refused(client.auth.refresh())
    await isAsked.promise
    const before = await client.auth.login({ email: second.email, password })
    const own = client.auth.refresh()
    gate.resolve(undefined)
    expect(await renewal).toMatchObject({ status: 401 })
    const after = await own
    expect([sessionIdOf(after), refreshes()]).toEqual([sessionIdOf(before), 2])
    expect(after.refreshToken).not.toBe(before.refreshToken)
  })

  test('that is written back is not used before it is gone: who has signed in since, is', async () => {
    const tenant = await newTenant()
    const second = await tenant.member()
    const storage = memoryTokens()
    const { client, ends } = await signedIn(tenant.admin, { storage })
    const first = await storage.get()
    await client.auth.login({ email: second.email, password })
    await storage.set(first)
    expect(await client.profile.get()).toMatchObject({ id: second.userId })
    await client.auth.signOut()
    expect(ends).toEqual([undefined])
  })

  test('of another tab does not bring back who signs out in this one', async () => {
    // Nothing tells the one that signs out of what the other writes.
    const watch = () => () => undefined
    const { storage, isWriting, letWrite } = slowStorage({ ...sharedStorage(), watch })
    const who = await register()
    const tabs = [await signedIn(who, { storage }), await signedIn(who, { storage })] as const
    const renewal = refused(tabs[0].client.auth.refresh())
    await isWriting
    await tabs[1].client.auth.signOut()
    letWrite()
    await renewal
    await expect.poll(() => storage.get()).toBe(undefined)
    expect(await tabs[1].client.auth.session()).toBe(undefined)
    expect(tabs[1].ends).toEqual([undefined])
  })

  test('before the end of a token is done without when it fails: the token is good still', async () => {
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

  test('waits as long as the service asks for, and goes on', async () => {
    const { url, asked } = await startScripted(
      pair,
      failure(42901, { 'retry-after': '1' }),
      failure(50301, { 'retry-after': '1' }),
      pair,
    )
    const client = createClient({ baseUrl: url })
    await client.auth.login({ email: 'ada@example.com', password })
    await client.auth.refresh()
    const times = asked.map(({ atMs }) => atMs)
    expect(times).toHaveLength(4)
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(995)
    expect((times[3] ?? 0) - (times[2] ?? 0)).toBeGreaterThanOrEqual(995)
  })

  test('is begun no later than 8 seconds after its first attempt', async () => {
    const { url, asked } = await startScripted(pair, hangUp)
    const client = createClient({ baseUrl: url })
    await client.auth.login({ email: 'ada@example.com', password })
    expect(await refused(client.auth.refresh())).toMatchObject({ reason: 'network' })
    const times = asked.slice(1).map(({ atMs }) => atMs)
    expect(times.length).toBeGreaterThan(3)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(8000)
  })

  test('is over for the next caller when it has failed', async () => {
    const { url, asked } = await startScripted(pair, reply(500, ''), reply(500, ''), pair)
    const client = createClient({ baseUrl: url })
    await client.auth.login({ email: 'ada@example.com', password })
    expect(await refused(client.auth.refresh())).toMatchObject({ status: 500 })
    expect(await refused(client.auth.refresh())).toMatchObject({ status: 500 })
    expect(await client.auth.refresh()).toMatchObject({ refreshToken: 'r' })
    expect(asked).toHaveLength(4)
  })

  test('can be asked for, and gives the tokens that hold from then on', async () => {
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
    await Promise.all([client.auth.signOut(), client.auth.signOut(), client.auth.signOut()])
    expect(ends).toEqual([undefined])
  })

  test('ends for its caller as the service says, whatever a listener throws', async () => {
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

  test('that another tab replaces by one of the same user goes on', async () => {
    const storage = sharedStorage()
    const { admin } = await newTenant()
    const [one, other] = [await signedIn(admin, { storage }), await signedIn(admin, { storage })]
    clock.advance(accessTokenMs + 1000)
    await other.client.auth.login({ email: admin.email, password })
    expect(await one.client.profile.get()).toMatchObject({ id: admin.userId })
    expect([one.ends, other.ends, one.refreshes()]).toEqual([[], [], 0])
  })

  test('of a client that was closed ends without being told', async () => {
    const storage = sharedStorage()
    const { admin } = await newTenant()
    const [open, closed] = [await signedIn(admin, { storage }), await signedIn(admin, { storage })]
    closed.client.close()
    await open.client.auth.signOut()
    await expect.poll(() => open.ends).toEqual([undefined])
    expect(closed.ends).toEqual([])
  })

  test('is ended in every tab that is open', async () => {
    const storage = sharedStorage()
    const { admin } = await newTenant()
    const [one, other] = [await signedIn(admin, { storage }), await signedIn(admin, { storage })]
    await one.client.auth.signOut()
    await expect.poll(() => other.ends).toEqual([undefined])
    expect(one.ends).toEqual([undefined])
  })

  test('that the service has ended is forgotten, and its end is told once', async () => {
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

  test('of a tenant that is disabled is kept: it goes on when the tenant is enabled', async () => {
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

  test('is forgotten by signing out, which is told without a cause', async () => {
    const { client, ends } = await signedIn(await register())
    await client.auth.signOut()
    await client.auth.signOut()
    expect(ends).toEqual([undefined])
    expect(await refused(client.profile.get())).toMatchObject({ status: 401, reason: 'tokenMissing' })
    expect(await refused(client.auth.refresh())).toMatchObject({ status: 401, reason: 'refreshTokenInvalid' })
  })

  test('tells who is signed in, and where', async () => {
    const { id, admin } = await newTenant()
    const { client } = await signedIn(admin)
    expect(await client.auth.session()).toMatchObject({ userId: admin.userId, tenantId: id })
  })

  test('of another user is not used for a request that was made in the name of the first', async () => {
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
  test('is the own one, also where the API asks for the header', async () => {
    const { id, admin } = await newTenant()
    const { client } = await signedIn(admin)
    const roles = await client.roles.list()
    expect(new Set(roles.map(({ tenant_id }) => tenant_id))).toEqual(new Set([id]))
  })

  test('is the one named for a platform administrator, with the session they have', async () => {
    const { id, admin } = await newTenant()
    const { client, refreshes } = await signedIn(await platformAdmin())
    const there = client.inTenant(id)
    const { items, isCapped } = await there.users.list()
    expect([items.map((user) => user.id), isCapped]).toEqual([[admin.userId], false])
    clock.advance(accessTokenMs + 1000)
    await Promise.all([there.roles.list(), client.roles.list()])
    expect(refreshes()).toBe(1)
  })

  test('is refused to everybody else', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const { client } = await signedIn(one.admin)
    expect(await refused(client.inTenant(other.id).users.list())).toMatchObject({
      status: 403,
      reason: 'tenantForeign',
    })
  })
})
