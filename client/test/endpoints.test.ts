/** Every endpoint of the API has its method, and every method was called here once, against the real service. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { newTenant, password, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'
import { createClient, type Client } from '../src/client.ts'
import { methodsOf } from './methods.ts'

/** What is no request of its own: what the token says, forgetting it, other ways to a list, another tenant, the end. */
const notEndpoints = [
  'auth.signOut',
  'auth.session',
  'inTenant',
  'close',
  'users.all',
  'roles.allHolders',
  'audit.all',
  'notifications.all',
]

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>
}

const { paths } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document

/** Each operation once: without HEAD, and without what answers at the host root as it does below `/api/v1`. */
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'head' && !(`/api/v1${path}` in paths))
    .map(([method, { operationId }]) => ({
      operationId,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      hasParameter: path.includes('{'),
    })),
)

/** The operation that a request is one of; a path without parameters goes before one that fits it by chance. */
const operationOf = (method: string, path: string): string => {
  const fitting = operations.filter((one) => one.method === method && one.pattern.test(path))
  const best = fitting.find(({ hasParameter }) => !hasParameter) ?? fitting[0]
  return best?.operationId ?? `${method} ${path} is no operation`
}

/** A client that notes the operation of each request. */
const noting = (): { client: Client; asked: string[] } => {
  const asked: string[] = []
  const client = createClient({
    baseUrl: service.url,
    fetch: (input, init) => {
      asked.push(operationOf(init?.method ?? 'GET', new URL(input as string).pathname))
      return fetch(input, init)
    },
  })
  return { client, asked }
}

/** What the calls of one group need, made anew for each. */
interface Scene {
  client: Client
  tenant: Tenant
  userId: number
}

type Calls = Record<string, () => Promise<unknown>>

const account = () => ({ email: `${unique()}@example.com`, username: unique('u'), password })

const authCalls = ({ client: { auth }, tenant }: Scene): Calls => ({
  'auth.registration': () => auth.registration(),
  'auth.register': () => auth.register(account()),
  'auth.login': () => auth.login({ email: tenant.admin.email, password }),
  'auth.refresh': () => auth.refresh(),
  'auth.changePassword': () => auth.changePassword({ old_password: password, new_password: password }),
  'auth.keySet': () => auth.keySet(),
})

const ownCalls = ({ client, tenant }: Scene): Calls => ({
  'profile.get': () => client.profile.get(),
  'dashboard.activity': () => client.dashboard.activity({ days: 7 }),
  'dashboard.stats': () => client.dashboard.stats(),
  'audit.list': () => client.audit.list({ page_size: 1 }),
  'audit.get': async () => client.audit.get((await tenant.admin.get('/audit/logs')).data.items[0].id),
  'audit.export': async () => (await client.audit.export({ format: 'ndjson' })).text(),
  'permissions.list': () => client.permissions.list({ module: 'user' }),
})

const userCalls = ({ client: { users }, userId }: Scene): Calls => ({
  'users.list': () => users.list({ search: 'u', status: 1 }),
  'users.get': () => users.get(userId),
  'users.create': () => users.create(account()),
  'users.update': () => users.update(userId, { nickname: 'Grace' }),
  'users.delete': () => users.delete(userId),
})

const tenantCalls = ({ client: { tenants } }: Scene): Calls => {
  const made: { id: string }[] = []
  return {
    'tenants.list': () => tenants.list(),
    'tenants.create': async () => made.push(await tenants.create({ name: 'Made', slug: unique('t') })),
    'tenants.get': () => tenants.get(made[0]?.id ?? ''),
    'tenants.update': () => tenants.update(made[0]?.id ?? '', { name: 'Renamed' }),
    'tenants.delete': () => tenants.delete(made[0]?.id ?? ''),
  }
}

const roleCalls = ({ client: { roles }, userId }: Scene): Calls => {
  const made: { id: number }[] = []
  const roleId = () => made[0]?.id ?? 0
  return {
    'roles.list': () => roles.list(),
    'roles.create': async () => made.push(await roles.create({ name: unique('role') })),
    'roles.get': () => roles.get(roleId()),
    'roles.update': () => roles.update(roleId(), { description: 'Edits' }),
    'roles.replacePermissions': () => roles.replacePermissions(roleId(), [15, 16]),
    'roles.permissions': () => roles.permissions(roleId()),
    'roles.assign': () => roles.assign({ userId, roleId: roleId() }),
    'roles.ofUser': () => roles.ofUser(userId),
    'roles.holders': () => roles.holders(roleId()),
    'roles.unassign': () => roles.unassign({ userId, roleId: roleId() }),
    'roles.delete': () => roles.delete(roleId()),
  }
}

const settingCalls = ({ client: { settings } }: Scene): Calls => {
  const key = unique('key.')
  return {
    'settings.global.put': () => settings.global.put(key, { any: ['JSON', null] }),
    'settings.global.list': () => settings.global.list(),
    'settings.global.get': () => settings.global.get(key),
    'settings.tenant.put': () => settings.tenant.put(key, null),
    'settings.tenant.list': () => settings.tenant.list(),
    'settings.tenant.get': () => settings.tenant.get(key),
    'settings.tenant.delete': () => settings.tenant.delete(key),
  }
}

const notificationCalls = ({ client: { auth, notifications } }: Scene): Calls => {
  const own = async () => (await auth.session())?.userId ?? 0
  const made: { id: number }[] = []
  const id = () => made[0]?.id ?? 0
  return {
    'notifications.create': async () =>
      made.push(await notifications.create({ user_id: await own(), title: 'Hello' })),
    'notifications.list': async () => notifications.list(await own(), { page: 1 }),
    'notifications.get': () => notifications.get(id()),
    'notifications.unreadCount': () => notifications.unreadCount(),
    'notifications.markRead': () => notifications.markRead(id()),
    'notifications.markAllRead': () => notifications.markAllRead(),
    'notifications.delete': () => notifications.delete(id()),
  }
}

const systemCalls = ({ client: { system } }: Scene): Calls => ({
  'system.health': () => system.health(),
  'system.liveness': () => system.liveness(),
  'system.readiness': () => system.readiness(),
  'system.version': () => system.version(),
  'system.upgrade': () => system.upgrade(),
  'system.ping': () => system.ping(),
})

/** Makes the calls one after the other, since they build on each other; gives what each has asked for. */
const operationsOf = async (calls: Calls, asked: string[]): Promise<[string, string][]> => {
  const made: [string, string][] = []
  for (const [name, call] of Object.entries(calls)) {
    asked.length = 0
    await call()
    made.push([name, asked.join(', ')])
  }
  return made
}

describe('every endpoint', () => {
  test('has exactly one method, which asks for it and understands the answer', async () => {
    const { client, asked } = noting()
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const { userId } = await tenant.member()
    await client.auth.login({ email: root.email, password })
    const scene = { client: client.inTenant(tenant.id), tenant, userId }
    // Those that act for the administrator come first; settings and notifications are in the administrator's own tenant.
    const groups = [ownCalls, roleCalls, userCalls, tenantCalls, systemCalls].map((group) => group(scene))
    const inOwnTenant = [settingCalls, notificationCalls, authCalls].map((group) =>
      group({ ...scene, client }),
    )
    const made: [string, string][] = []
    for (const calls of [...groups, ...inOwnTenant]) made.push(...(await operationsOf(calls, asked)))

    const [names, ids] = [made.map(([name]) => name), made.map(([, id]) => id)]
    expect(names.toSorted()).toEqual(
      methodsOf(client)
        .filter((name) => !notEndpoints.includes(name))
        .toSorted(),
    )
    expect(ids.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted())
  })

  test('that answers in pages can be looped over', async () => {
    const { client } = noting()
    const tenant = await newTenant()
    const { admin } = tenant
    const others = [await tenant.member(), await tenant.member()]
    await client.auth.login({ email: admin.email, password })
    for (const title of ['one', 'two', 'three']) {
      await client.notifications.create({ user_id: admin.userId, title })
    }
    const users: number[] = []
    for await (const { id } of client.users.all({ page_size: 1 })) users.push(id)
    expect(users).toEqual([admin, ...others].map(({ userId }) => userId))
    const titles: string[] = []
    for await (const { title } of client.notifications.all(admin.userId, { page_size: 2 })) titles.push(title)
    expect(titles).toEqual(['three', 'two', 'one'])
    const actions = new Set<string>()
    for await (const { action } of client.audit.all({ resource: 'user', page_size: 1 })) actions.add(action)
    expect(actions).toEqual(new Set(['user.create']))
  })

  test('gives every item once to a loop that changes the list', async () => {
    const { client } = noting()
    const tenant = await newTenant()
    const { admin } = tenant
    await client.auth.login({ email: admin.email, password })
    const { id: roleId } = await client.roles.create({ name: unique('role') })
    const ids: number[] = []
    while (ids.length < 5) {
      const { userId } = await tenant.member()
      await client.roles.assign({ userId, roleId })
      ids.push(userId)
    }
    const seen: number[] = []
    for await (const { id: userId } of client.roles.allHolders(roleId, { page_size: 2 })) {
      seen.push(userId)
      await client.roles.unassign({ userId, roleId })
    }
    expect(seen).toEqual(ids)
    const newest: number[] = []
    for await (const { id } of client.users.all({ sort: '-id', page_size: 2 })) {
      newest.push(id)
      if (id !== admin.userId) await client.users.delete(id)
    }
    expect(newest).toEqual([admin.userId, ...ids].toReversed())
  })

  test('ends for a loop that adds to the front of the list', async () => {
    const { client } = noting()
    const { admin } = await newTenant()
    await client.auth.login({ email: admin.email, password })
    const send = (title: string) => client.notifications.create({ user_id: admin.userId, title })
    for (const title of ['one', 'two', 'three', 'four', 'five']) await send(title)
    const titles: string[] = []
    for await (const { title } of client.notifications.all(admin.userId, { page_size: 2 })) {
      titles.push(title)
      await send(`after ${title}`)
      await send(`and after ${title}`)
    }
    expect(titles).toEqual(['five', 'four', 'three', 'two', 'one'])
  })
})

describe('what the methods give', () => {
  test('is the data that the API documents', async () => {
    const { client } = noting()
    const { id, admin } = await newTenant()
    await client.auth.login({ email: admin.email, password })
    expect(await client.system.version()).toMatchObject({ version: expect.any(String), arch: process.arch })
    expect(await client.system.version()).not.toHaveProperty('data')
    expect(await client.system.readiness()).toEqual({ status: 'ready', database: 'up', cache: 'up' })
    expect(await client.system.ping()).toBe('pong')
    expect(await client.tenants.get(id)).toMatchObject({ id, status: 1 })
    expect(await client.settings.tenant.put('theme', { dark: true })).toBe(null)
    expect(await client.settings.tenant.get('theme')).toMatchObject({
      value: { dark: true },
      scope: 'tenant',
    })
    expect((await client.auth.keySet()).keys[0]).toMatchObject({ kty: 'OKP', alg: 'EdDSA' })
  })

  test('of an export is a file: as a stream or whole', async () => {
    const { client } = noting()
    const { admin } = await newTenant()
    await client.auth.login({ email: admin.email, password })
    const whole = await client.audit.export({ format: 'csv' })
    expect(whole.headers.get('content-disposition')).toContain('.csv')
    expect(await (await whole.blob()).text()).toMatch(/^id,tenant_id,/)
    const { body } = await client.audit.export()
    const lines: string[] = []
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) lines.push(chunk)
    expect(JSON.parse(lines.join('').split('\n')[0] ?? '')).toMatchObject({ resource: 'user' })
  })
})
