/** Calls every method of the SDK once against the real service, and compares them with the endpoints of the API. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { insertDelivery, makeReady } from '../../server/test/hooks.ts'
import { createAuthenticator } from '../../server/test/authenticator.ts'
import { clock, service } from '../../server/test/harness.ts'
import { insertLink } from '../../server/test/mail-queue.ts'
import { insertEmailCode, useEmailCodes } from '../../server/test/mailed-codes.ts'
import { insertMember, inviteShown } from '../../server/test/people.ts'
import { addTotp, codeOf, secondStepOf } from '../../server/test/second-factors.ts'
import {
  ApiError,
  createClient,
  type Client,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  type UserSession,
} from '../src/client.ts'
import { methodOf, methodsOf } from './methods.ts'

/** Methods without an endpoint of their own. */
const notEndpoints = [
  'auth.session',
  'inTenant',
  'close',
  'approvals.carryOut',
  'users.all',
  'roles.allHolders',
  'roles.allAssignments',
  'reviews.allItems',
  'audit.all',
  'notifications.all',
]

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>
}

const { paths } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document

/** Client libraries of OAuth 2.0 call these, and the pages of the sign-in. */
const isOfStandards = ([path]: [string, unknown]): boolean => /^\/(?:oauth2|ofrep|scim)\//.test(path)

const ours = Object.entries(paths).filter((entry) => !isOfStandards(entry))

/** Each operation once: without HEAD, and without the copies below the host root of paths below `/api/v1`. */
const operations = ours.flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'head' && !(`/api/v1${path}` in paths))
    .map(([method, { operationId }]) => ({
      operationId,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      hasParameter: path.includes('{'),
    })),
)

/** The operation of a request. A path without parameters goes before one whose parameter matches by chance. */
const operationOf = (method: string, path: string): string => {
  const fitting = operations.filter((one) => one.method === method && one.pattern.test(path))
  const best = fitting.find(({ hasParameter }) => !hasParameter) ?? fitting[0]
  return best?.operationId ?? `${method} ${path} is no operation`
}

/** A client that records the operation of each request. */
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

/** Input of the calls of one group. */
interface Scene {
  client: Client
  tenant: Tenant
  userId: number
}

type Calls = Record<string, () => Promise<unknown>>

const account = () => ({ email: `${unique()}@example.com`, username: unique('u'), password })

/** The second factors of the administrator, who is signed in. */
const factorCalls = ({ client: { auth, factors }, tenant: { admin } }: Scene): Calls => {
  const app = { id: '', secret: '' }
  const { create, get } = createAuthenticator()
  const options: { creation?: PasskeyCreationOptions; request?: PasskeyRequestOptions } = {}
  const given = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('an earlier call gives the options')
    return value
  }
  return {
    'factors.list': () => factors.list(),
    'factors.addTotp': async () => Object.assign(app, await factors.addTotp({ name: 'App', password })),
    'factors.confirmTotp': () => factors.confirmTotp(app.id, { code: codeOf(app.secret) }),
    'factors.beginPasskey': async () => (options.creation = await factors.beginPasskey({ password })),
    'factors.addPasskey': () =>
      factors.addPasskey({ name: 'Laptop', response: create(given(options.creation)) }),
    'factors.renewRecoveryCodes': () => factors.renewRecoveryCodes({ password }),
    'auth.loginWithFactor': async () => {
      const { challenge } = await secondStepOf(admin.email)
      clock.advance(30_000)
      return auth.loginWithFactor({ challenge, code: codeOf(app.secret) })
    },
    'auth.loginWithEmailCode': async () => auth.loginWithEmailCode(await insertEmailCode(admin.email)),
    'auth.beginPasskeyLogin': async () => (options.request = await auth.beginPasskeyLogin()),
    'auth.loginWithPasskey': () => auth.loginWithPasskey({ response: get(given(options.request)) }),
    'factors.remove': () => factors.remove(app.id, { password }),
  }
}

const authCalls = (scene: Scene): Calls => {
  const {
    client: { auth, session },
    tenant,
  } = scene
  return {
    'auth.registration': () => auth.registration(),
    'auth.register': () => auth.register(account()),
    'auth.login': () => auth.login({ email: tenant.admin.email, password }),
    'auth.refresh': () => auth.refresh(),
    'auth.sessions': () => auth.sessions(),
    'auth.endSession': async () => {
      const sessions: UserSession[] = (await tenant.admin.get('/auth/sessions')).data
      await auth.endSession(sessions.find((one) => one.is_current)?.id ?? '')
    },
    'auth.endOtherSessions': () => auth.endOtherSessions(),
    'auth.changePassword': () => auth.changePassword({ old_password: password, new_password: password }),
    'auth.options': () => auth.options(),
    'auth.forgotPassword': () => auth.forgotPassword({ email: tenant.admin.email }),
    'auth.sendVerification': () => auth.sendVerification(),
    'auth.changeEmail': () => auth.changeEmail({ email: account().email, password }),
    'auth.verifyEmail': async () =>
      auth.verifyEmail({ token: await insertLink(tenant.admin, 'verification'), new_password: password }),
    'auth.askEmailCode': () => auth.askEmailCode({ email: tenant.admin.email }),
    ...factorCalls(scene),
    'auth.memberships': () => auth.memberships(),
    'auth.switchTenant': async () => auth.switchTenant({ tenant_id: (await auth.session())?.tenantId ?? '' }),
    'auth.keySet': () => auth.keySet(),
    'auth.serverMetadata': () => auth.serverMetadata(),
    'session.logout': () => session.logout(),
    'auth.lookUpInvitation': async () =>
      auth.lookUpInvitation({ token: await inviteShown(await tenant.userWith('user:create')) }),
    'auth.acceptInvitation': async () =>
      auth.acceptInvitation({
        token: await inviteShown(await tenant.userWith('user:create')),
        username: unique('u'),
        password,
      }),
    'auth.leaveTenant': async () => {
      const { userId, tenantId } = (await auth.session()) ?? { userId: 0, tenantId: '' }
      const { data: user } = await (await platformAdmin()).get(`/users/${userId}`, { tenant: tenantId })
      const other = await newTenant()
      await insertMember({ ...user, tenantId }, other)
      await auth.leaveTenant(other.id)
    },
    'auth.exportAccount': async () => (await auth.exportAccount({ password })).json(),
    // Ends the session.
    'auth.deleteAccount': () => auth.deleteAccount({ password }),
    // Ends the session.
    'auth.resetPassword': async () =>
      auth.resetPassword({ token: await insertLink(tenant.admin, 'reset'), new_password: password }),
  }
}

const ownCalls = ({ client, tenant }: Scene): Calls => ({
  'profile.get': () => client.profile.get(),
  'profile.update': () => client.profile.update({ nickname: 'Ada' }),
  'dashboard.activity': () => client.dashboard.activity({ days: 7 }),
  'dashboard.stats': () => client.dashboard.stats(),
  'audit.list': () => client.audit.list({ page_size: 1 }),
  'audit.get': async () => client.audit.get((await tenant.admin.get('/audit/logs')).data.items[0].id),
  'audit.export': async () => (await client.audit.export({ format: 'ndjson' })).text(),
  'permissions.list': () => client.permissions.list({ module: 'user' }),
})

const authzCalls = ({ client: { authz }, userId }: Scene): Calls => ({
  'authz.permissions': () => authz.permissions({ user_id: userId }),
  'authz.check': () => authz.check({ permissions: ['user:read'], user_id: userId }),
  'authz.preview': () =>
    authz.preview({ changes: [{ kind: 'set_user_status', user_id: userId, status: 0 }] }),
  'authz.explain': () => authz.explain({ user_id: userId, permission: 'user:read' }),
})

const userCalls = ({ client: { users }, tenant, userId }: Scene): Calls => ({
  'users.list': () => users.list({ search: 'u', status: 1 }),
  'users.get': () => users.get(userId),
  'users.create': () => users.create(account()),
  'users.update': () => users.update(userId, { nickname: 'Grace' }),
  'users.sessions': () => users.sessions(userId),
  'users.endSessions': () => users.endSessions(userId),
  'users.resetFactor': async () => {
    const member = await tenant.member()
    return users.resetFactor(member.userId, (await addTotp(member)).id)
  },
  'users.resetFactors': () => users.resetFactors(userId),
  'users.export': async () => (await users.export(userId)).json(),
  'users.sendPasswordReset': () => users.sendPasswordReset(userId),
  'users.delete': () => users.delete(userId),
})

const invitationCalls = ({ client: { invitations } }: Scene): Calls => {
  const made: { id: number }[] = []
  const id = () => made[0]?.id ?? 0
  return {
    'invitations.create': async () => made.push(await invitations.create({ email: account().email })),
    'invitations.list': () => invitations.list({ status: 'pending' }),
    'invitations.resend': () => invitations.resend(id()),
    'invitations.revoke': () => invitations.revoke(id()),
  }
}

const serviceAccountCalls = ({ client: { serviceAccounts } }: Scene): Calls => {
  const made: { id: number }[] = []
  const accountId = () => made[0]?.id ?? 0
  return {
    'serviceAccounts.create': async () => made.push(await serviceAccounts.create({ name: unique() })),
    'serviceAccounts.list': () => serviceAccounts.list({ search: 'n', status: 1 }),
    'serviceAccounts.get': () => serviceAccounts.get(accountId()),
    'serviceAccounts.update': () => serviceAccounts.update(accountId(), { description: 'new' }),
    'serviceAccounts.keys.create': async () =>
      made.push(await serviceAccounts.keys.create(accountId(), { name: 'Production' })),
    'serviceAccounts.keys.list': () => serviceAccounts.keys.list(accountId()),
    'serviceAccounts.keys.delete': () =>
      serviceAccounts.keys.delete({ accountId: accountId(), keyId: made[1]?.id ?? 0 }),
    'serviceAccounts.delete': () => serviceAccounts.delete(accountId()),
  }
}

const webhookCalls = ({ client: { webhooks }, tenant }: Scene): Calls => {
  const made: { id: number }[] = []
  const id = () => made[0]?.id ?? 0
  const delivered = async () => {
    const [log] = ok(await tenant.admin.get('/audit/logs')).items
    await makeReady(tenant, { id: id() })
    return insertDelivery(tenant, { id: id() }, log.id)
  }
  return {
    'webhooks.create': async () =>
      made.push(await webhooks.create({ url: 'http://127.0.0.1:9', events: ['user.*'] })),
    'webhooks.list': () => webhooks.list(),
    'webhooks.get': () => webhooks.get(id()),
    'webhooks.update': () => webhooks.update(id(), { description: 'new' }),
    'webhooks.rotateSecret': () => webhooks.rotateSecret(id()),
    'webhooks.test': () => webhooks.test(id()),
    'webhooks.deliveries': () => webhooks.deliveries(id(), { status: 'dead' }),
    'webhooks.delivery': async () => webhooks.delivery(id(), await delivered()),
    'webhooks.resend': async () => webhooks.resend(id(), await delivered()),
    'webhooks.replay': () => webhooks.replay(id(), { from: '2026-01-01T00:00:00Z' }),
    'webhooks.delete': () => webhooks.delete(id()),
  }
}

const eventCalls = ({ client: { events } }: Scene): Calls => ({
  'events.subscribe': () =>
    new Promise<void>((resolve) => {
      const stream = events.subscribe({
        onOpen: () => {
          stream.close()
          resolve()
        },
      })
    }),
})

const tenantCalls = ({ client: { tenants } }: Scene): Calls => {
  const made: { id: string }[] = []
  return {
    'tenants.list': () => tenants.list(),
    'tenants.find': () => tenants.find({ search: 'engines', page: 1 }),
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

const catalogueCalls = ({ client: { permissions, roleTemplates } }: Scene): Calls => {
  const made: { id: number }[] = []
  const templates: { id: number }[] = []
  const code = `${unique('m')}:read`
  return {
    'permissions.create': async () => made.push(await permissions.create({ code, name: 'Read' })),
    'permissions.update': () => permissions.update(made[0]?.id ?? 0, { description: 'Reads' }),
    'roleTemplates.create': async () => templates.push(await roleTemplates.create({ name: unique('role') })),
    'roleTemplates.list': () => roleTemplates.list(),
    'roleTemplates.update': () => roleTemplates.update(templates[0]?.id ?? 0, { description: 'Edits' }),
    'roleTemplates.delete': () => roleTemplates.delete(templates[0]?.id ?? 0),
    'permissions.delete': () => permissions.delete(made[0]?.id ?? 0),
  }
}

const settingCalls = ({ client: { settings } }: Scene): Calls => {
  const key = unique('key.')
  const declared = unique('declared.')
  return {
    'settings.global.put': () => settings.global.put(key, { any: ['JSON', null] }),
    'settings.global.list': () => settings.global.list(),
    'settings.global.get': () => settings.global.get(key),
    'settings.global.delete': () => settings.global.delete(key),
    'settings.tenant.put': () => settings.tenant.put(key, null),
    'settings.tenant.list': () => settings.tenant.list(),
    'settings.tenant.get': () => settings.tenant.get(key),
    'settings.tenant.history': () => settings.tenant.history(key),
    'settings.tenant.revert': () => settings.tenant.revert(key, { version: 1 }),
    'settings.tenant.delete': () => settings.tenant.delete(key),
    'settings.global.history': () => settings.global.history(key),
    'settings.global.revert': () => settings.global.revert(key, { version: 1 }),
    'settings.definitions.put': () =>
      settings.definitions.put(declared, { schema: { type: 'string' }, scopes: ['user'], public: true }),
    'settings.definitions.list': () => settings.definitions.list({ prefix: declared }),
    'settings.definitions.lock': () => settings.definitions.lock(declared),
    'settings.definitions.unlock': () => settings.definitions.unlock(declared),
    'settings.own.put': () => settings.own.put(declared, 'x'),
    'settings.own.get': () => settings.own.get(declared),
    'settings.effective.list': () => settings.effective.list({ prefix: declared }),
    'settings.effective.get': () => settings.effective.get(declared),
    'settings.own.delete': () => settings.own.delete(declared),
    'settings.definitions.delete': () => settings.definitions.delete(declared),
  }
}

const flagCalls = ({ client: { flags }, tenant }: Scene): Calls => {
  const key = unique('flag.')
  const variants = { on: true, off: false }
  const fields = {
    type: 'boolean',
    variants,
    enabled: true,
    off_variant: 'off',
    default_variant: 'on',
  } as const
  return {
    'flags.create': () => flags.create({ key, ...fields }),
    'flags.list': () => flags.list({ search: key }),
    'flags.get': () => flags.get(key),
    'flags.update': () => flags.update(key, { enabled: false }, { ifMatch: '"1"' }),
    'flags.explain': () => flags.explain(key, { context: { targetingKey: 'ada' } }),
    'flags.tenants.put': () => flags.tenants.put(key, tenant.id, 'on'),
    'flags.tenants.list': () => flags.tenants.list(key),
    'flags.tenants.delete': () => flags.tenants.delete(key, tenant.id),
    'flags.delete': () => flags.delete(key),
  }
}

const notificationCalls = ({ client: { auth, notifications } }: Scene): Calls => {
  const own = async () => (await auth.session())?.userId ?? 0
  const made: { id: number }[] = []
  let broadcasts = 0
  const id = () => made[0]?.id ?? 0
  return {
    'notifications.create': async () =>
      made.push(await notifications.create({ user_id: await own(), title: 'Hello' })),
    'notifications.broadcast': async () =>
      void (broadcasts = (await notifications.broadcast({ title: 'To all' })).id),
    'notifications.sendBatch': () => notifications.sendBatch(broadcasts),
    'notifications.sent': () => notifications.sent({ page_size: 5 }),
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

/** Makes the calls in their order, since they build on each other. Gives the operations of each. */
const operationsOf = async (calls: Calls, asked: string[]): Promise<[string, string][]> => {
  const made: [string, string][] = []
  for (const [name, call] of Object.entries(calls)) {
    asked.length = 0
    await call()
    made.push([name, asked.join(', ')])
  }
  return made
}

useEmailCodes()

describe('every endpoint', () => {
  test('has exactly one method, which requests it and reads its answer', async () => {
    const { client, asked } = noting()
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const { userId } = await tenant.member()
    await client.auth.login({ email: root.email, password })
    const scene = { client: client.inTenant(tenant.id), tenant, userId }
    // Settings and notifications act in the administrator's own tenant. Signing in comes last: it replaces the session.
    const groups = [
      ownCalls,
      authzCalls,
      roleCalls,
      catalogueCalls,
      userCalls,
      invitationCalls,
      serviceAccountCalls,
      webhookCalls,
      eventCalls,
      tenantCalls,
      systemCalls,
    ].map((group) => group(scene))
    const inOwnTenant = [settingCalls, flagCalls, notificationCalls, authCalls].map((group) =>
      group({ ...scene, client }),
    )
    const made: [string, string][] = []
    for (const calls of [...groups, ...inOwnTenant]) made.push(...(await operationsOf(calls, asked)))

    // The calls above have ended the session.
    await client.auth.login({ email: root.email, password })
    // A method without a call above is requested with ids that nothing has.
    const known = new Set([...made.map(([name]) => name), ...notEndpoints])
    for (const name of methodsOf(client).filter((one) => !known.has(one))) {
      asked.length = 0
      const outcome: unknown = await methodOf(client, name)(0, {}).catch((err: unknown) => err)
      expect(outcome instanceof Error && !(outcome instanceof ApiError)).toBe(false)
      made.push([name, asked.join(', ')])
    }

    const [names, ids] = [made.map(([name]) => name), made.map(([, id]) => id)]
    expect(names.toSorted()).toEqual(
      methodsOf(client)
        .filter((name) => !notEndpoints.includes(name))
        .toSorted(),
    )
    // The same document as serverMetadata's, at the path of OpenID Connect.
    const wanted = operations.map(({ operationId }) => operationId)
    // tenants.list gives what tenants.find gives in pages.
    const own = ids.filter((_, at) => names[at] !== 'tenants.find')
    expect([...own, 'getOpenIdConfiguration'].toSorted()).toEqual(wanted.toSorted())
  })

  test('a loop over an endpoint with pages gets the items of all pages', async () => {
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

describe('the result of a method', () => {
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
    expect((await client.auth.keySet()).keys).toContainEqual(
      expect.objectContaining({ kty: 'OKP', alg: 'EdDSA' }),
    )
    expect(await client.auth.serverMetadata()).toMatchObject({ issuer: expect.stringMatching(/^http/) })
  })

  test('the result of an export is a file, read whole or as a stream', async () => {
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
