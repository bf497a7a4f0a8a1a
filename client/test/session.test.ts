/** How the SDK keeps a session alive, and notices its end: against the real service, whose clock the tests move. */
import { afterEach, describe, expect, test } from 'vitest'
import { newTenant, password, platformAdmin, register, type Caller } from '../../server/test/factories.ts'
import { clock, service } from '../../server/test/harness.ts'
import {
  createClient,
  memoryTokens,
  type ApiError,
  type ClientOptions,
  type Tokens,
  type TokenStorage,
} from '../src/client.ts'
import { closeScripted, failure, startScripted, success } from './scripted.ts'

afterEach(closeScripted)

const refreshPath = '/api/v1/auth/refresh'
const accessTokenMs = 7_200_000

type Send = typeof fetch

/** A client that notes the paths it asks for; `send` sees each request on its way. */
const signedIn = async (
  who: Pick<Caller, 'email'>,
  { fetch: send = fetch, ...options }: ClientOptions = {},
) => {
  const paths: string[] = []
  const ends: (ApiError | undefined)[] = []
  const client = createClient({
    baseUrl: service.url,
    onSignedOut: (cause) => ends.push(cause),
    fetch: (input, init) => {
      paths.push(new URL(input as string).pathname)
      return send(input, init)
    },
    ...options,
  })
  await client.auth.login({ email: who.email, password })
  paths.length = 0
  return { client, paths, ends, refreshes: () => paths.filter((path) => path === refreshPath).length }
}

/** As all tabs of a browser have it, with the delay of a disk. */
const sharedStorage = (): TokenStorage => {
  const held = memoryTokens()
  return {
    lockName: `test-${Math.random()}`,
    get: async () => structuredClone(await held.get()),
    set: async (tokens) => held.set(tokens),
  }
}

/** Holds the answer of a refresh back until the gate is opened. */
const gated = () => {
  const [gate, isAsked] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  const send: Send = async (input, init) => {
    const response = await fetch(input, init)
    if (!(input as string).endsWith(refreshPath)) return response
    isAsked.resolve(undefined)
    await gate.promise
    return response
  }
  return { gate, isAsked, send }
}

const refused = (call: Promise<unknown>): Promise<unknown> => call.catch((err: unknown) => err)

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
    const pair = success({ access_token: 'a.e30.c', refresh_token: 'r', expires_in: 7200 })
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

  test('can be asked for, and gives the tokens that hold from then on', async () => {
    const { client, refreshes } = await signedIn(await register())
    const { expiresAt } = await client.auth.refresh()
    expect(expiresAt).toBeGreaterThan(Date.now())
    await client.profile.get()
    expect(refreshes()).toBe(1)
  })
})

describe('a session', () => {
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
