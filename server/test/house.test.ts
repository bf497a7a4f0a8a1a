/** Guarantees of all routes of the running application. */
import { deleteProviders, insertIdentity, newProvider } from './provider-rows.ts'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import sql, { join, raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { permissions } from '../src/access/permissions.ts'
import { errorCodes } from '../src/errors/app-error.ts'
import { endpoints, newFlag, open, type Endpoint } from './endpoints.ts'
import {
  builtIn,
  clearCatalogue,
  keyWith,
  newTenant,
  nobodysId,
  ok,
  platformAdmin,
  unique,
  type Caller,
  type Tenant,
} from './factories.ts'
import { ownerRows } from './audit-chain.ts'
import { startProvider, type TestProvider } from './provider.ts'
import { insertConnectionRows } from './connection-rows.ts'
import { insertElevation, insertEligible } from './role-rows.ts'
import { insertApprovalRows } from './approval-rows.ts'
import { insertReview } from './reviews.ts'
import { insertSetup } from './setup-rows.ts'
import { consent, newApplication, newResource } from './applications.ts'
import { call, clock, parts, service, startApp, type Answer, type Running } from './harness.ts'
import { insertDelivery, makeReady } from './hooks.ts'
import { insertQuestion } from './support.ts'
import { addTotp, beginTotp, prepareFactor, proveBy, proveTwice } from './second-factors.ts'
import { insertLink, insertSignUp } from './mail-queue.ts'
import { dropGlobalWays, insertEmailCode, putGlobalWays } from './mailed-codes.ts'
import { insertMember, inviteShown } from './people.ts'

/** Without `/api/v1`, as in the specification; a path at the host root starts with `//`. */
const nameOf = (method: string, url: string) =>
  `${method} ${url.startsWith('/api/v1/') ? url.slice('/api/v1'.length) : `/${url}`}`

const routes = service.routes.flatMap((route) =>
  [route.method].flat().map((method) => ({ ...route, method, name: nameOf(method, route.url) })),
)
const visible = routes.filter(({ schema }) => !schema?.hide)
const signedIn = routes.filter(({ config }) => config?.allow !== undefined)

const fill = (path: string, ids: Record<string, string | number>) =>
  path.replace(/:([A-Za-z]+)/g, (_whole, name: string) => String(ids[name] ?? 1))

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND']
const urls = [...new Set(visible.map(({ url }) => url))]
/** Methods that answer at this path: a parameter of one route can stand for a word of another. */
const methodsAt = (path: string): string[] =>
  routes
    .filter(({ url }) =>
      new RegExp(`^${url.replaceAll('.', '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}$`).test(path),
    )
    .map(({ method }) => method)
const toPath = (url: string) => `/${url}`

/** Calls a function the first time, and returns that result every time. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** The results of the functions with these names, or of all of them. */
const makeNamed = async <Made extends object>(
  makers: { [Name in keyof Made]: () => Promise<Made[Name]> },
  names?: Set<string>,
): Promise<Partial<Made>> => {
  const made: Partial<Made> = {}
  for (const name of Object.keys(makers) as (keyof Made)[]) {
    if (names === undefined || names.has(String(name))) made[name] = await makers[name]()
  }
  return made
}

describe('every route', () => {
  test('is one of the specification', () => {
    expect(visible.map(({ name }) => name).toSorted()).toEqual(
      [...endpoints.map(({ name }) => name), ...open].toSorted(),
    )
  })

  test('every route without a token is listed here', () => {
    const publicNames = visible.filter(({ config }) => config?.allow === undefined).map(({ name }) => name)
    const expected = [
      ...endpoints.filter(({ caller }) => caller === 'nobody').map(({ name }) => name),
      ...open,
    ]
    expect(publicNames.filter((name) => !expected.includes(name))).toEqual([])
  })

  test('asks for the permission of the specification, which is in the catalogue', () => {
    const codes = permissions.map(({ code }): string => code)
    const asked = signedIn.map(({ name, config }) => [name, config?.allow])
    const expected = endpoints
      .filter(({ caller }) => caller !== 'nobody')
      .map(({ name, caller }) => [name, caller])
    expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(expected))
    const needed = asked.map(([, allow]) => allow).filter((allow) => String(allow).includes(':'))
    expect(codes).toEqual(expect.arrayContaining(needed))
  })

  test('every route of the signed-in scope answers 401 with WWW-Authenticate without a valid token', async () => {
    for (const { method, url } of signedIn) {
      for (const headers of [{}, { authorization: 'Bearer x.y.z' }, { authorization: 'Basic dTpw' }]) {
        const answer = await call(method, toPath(fill(url, {})), { headers })
        expect([method, url, answer.status]).toEqual([method, url, 401])
        expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
  })

  test('answers a method it does not know with 405 and the methods it does know in Allow', async () => {
    for (const url of urls) {
      const path = fill(url, {})
      const known = methodsAt(path)
      for (const method of methods.filter((one) => !known.includes(one))) {
        const { status, headers, body } = await call(method, toPath(path))
        const allowed = (headers.get('allow') ?? '').split(', ')
        expect([method, url, status]).toEqual([method, url, 405])
        expect(allowed.toSorted()).toEqual([...new Set(known)].toSorted())
        if (method === 'HEAD') continue
        expect(body).toMatchObject(url.startsWith('/scim/v2') ? { status: '405' } : { code: 40501 })
      }
    }
  })
})

describe('a caller', () => {
  let tenant: Tenant
  let foreign: Tenant
  let powerless: Caller

  let provider: TestProvider
  beforeAll(async () => {
    provider = await startProvider()
    tenant = await newTenant()
    foreign = await newTenant()
    powerless = await tenant.userWith()
  })
  afterAll(() => provider.stop())

  const bodyOf = ({ body }: Endpoint, ids: Ids) => body?.(ids)

  interface Ids {
    userId: number
    roleId: number
    notificationId: number
    broadcastId: number
    auditLogId: number
    tenantId: string
    accountId: number
    sessionId: string
    invitationId: number
    keyId: number
    webhookId: number
    domainId: number
    connectionId: string
    supportId: string
    setupLinkId: string
    elevationId: number
    deliveryId: number
    factorId: string
    permissionId: number
    templateId: number
    applicationId: number
    secretId: string
    resourceId: number
    grantId: number
    flagKey: string
    providerId: string
    identityId: string
    approvalId: number
    reviewId: number
    itemId: number
  }

  /** A key that the requests declare. */
  const declaredKey = 'house.declared'

  const keyFor = (path: string, flagKey: string): string => {
    if (path.startsWith('/flags')) return flagKey
    if (path.startsWith('/attributes')) return 'house_declared'
    const isDeclared = /definitions|lock|\/users?\//.test(path) && path.startsWith('/settings/')
    return isDeclared ? declaredKey : 'color'
  }

  /** The catalogue belongs to no tenant: its own entries are built in. */
  const catalogueIds = {
    permissionId: 1,
    templateId: 4,
    applicationId: nobodysId,
    secretId: randomUUID(),
    resourceId: nobodysId,
    flagKey: 'unknown',
    providerId: randomUUID(),
  }

  /** It is about the catalogue, an application or a resource, which belong to the installation. */
  const isOfInstallation = ({ caller }: Endpoint) =>
    /^catalogue:|^application:|^flag:|^provider:/.test(caller)

  /** Makes one resource of each kind in a tenant, when its id is asked for. */
  const makersIn = (owner: Tenant) => {
    const { id, admin } = owner
    const log = once(async () => (await admin.get('/audit/logs')).data.items[0] as { id: number })
    const hook = once(async () =>
      ok(await admin.post('/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] })),
    )
    const key = once(() => keyWith(id, []))
    const review = once(() => insertReview(owner))
    const post = async (path: string, body: object) => ok(await admin.post(path, body)).id as number
    return {
      roleId: async () => (await owner.role('setting:read')).id,
      notificationId: () => post('/notifications', { user_id: admin.userId, title: 'Hello' }),
      broadcastId: () => post('/notifications/broadcasts', { title: 'Hello' }),
      auditLogId: async () => (await log()).id,
      accountId: async () => (await key()).userId,
      keyId: async () => (await key()).keyId,
      sessionId: async () => ok(await admin.get('/auth/sessions'))[0].id as string,
      invitationId: () => post('/invitations', { email: `${unique()}@example.com` }),
      factorId: async () => ok(await beginTotp(admin)).id as string,
      webhookId: async () => (await hook()).id as number,
      domainId: () => post('/domains', { domain: `${unique()}.example.com` }),
      connectionId: () => insertConnectionRows(owner),
      supportId: async () => insertQuestion(await owner.member(), admin),
      setupLinkId: async () => (await insertSetup(owner)).linkId,
      identityId: () => insertIdentity(admin),
      elevationId: async () => insertElevation(admin, (await owner.role('setting:read')).id),
      approvalId: () => insertApprovalRows(owner),
      reviewId: async () => (await review()).reviewId,
      itemId: async () => (await review()).itemId,
      deliveryId: async () => insertDelivery(owner, await hook(), (await log()).id),
      grantId: async () => consent(admin, await newApplication({ is_third_party: true })),
    }
  }

  /** The ids of a tenant with one resource of each kind, or of the kinds with these names. */
  const furnish = async (owner: Tenant, names?: Set<string>): Promise<Ids> => {
    await owner.admin.put('/settings/tenant/color', { value: 'red' })
    const made = await makeNamed(makersIn(owner), names)
    return { ...nobodys(), ...made, tenantId: owner.id, userId: owner.admin.userId }
  }

  /** The id that `:id` stands for below a path. */
  const idsBelow: Record<string, keyof Ids> = {
    '/users/': 'userId',
    '/settings/users/': 'userId',
    '/auth/sessions/': 'sessionId',
    '/invitations/': 'invitationId',
    '/auth/factors/': 'factorId',
    '/auth/factors/totp/': 'factorId',
    '/org/tenants/': 'tenantId',
    '/rbac/roles/': 'roleId',
    '/rbac/permissions/': 'permissionId',
    '/rbac/role-templates/': 'templateId',
    '/audit/logs/': 'auditLogId',
    '/notifications/': 'notificationId',
    '/notifications/broadcasts/': 'broadcastId',
    '/service-accounts/': 'accountId',
    '/webhooks/': 'webhookId',
    '/domains/': 'domainId',
    '/connections/': 'connectionId',
    '/setup-links/': 'setupLinkId',
    '/elevations/': 'elevationId',
    '/support/sessions/': 'supportId',
    '/providers/': 'providerId',
    '/auth/identities/': 'identityId',
    '/applications/': 'applicationId',
    '/resources/': 'resourceId',
    '/approvals/': 'approvalId',
    '/grants/': 'grantId',
    '/reviews/': 'reviewId',
    '/auth/grants/': 'grantId',
  }

  const idOf = ({ path }: Endpoint) => idsBelow[path.slice(0, path.indexOf(':id'))]

  /** The names of the ids and tokens that a request to an endpoint holds. */
  const namesIn = (endpoint: Endpoint): Set<string> => {
    const inPath = [...endpoint.path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name)
    const names = new Set([...inPath, idOf(endpoint) ?? ''])
    const noting = new Proxy({} as Ids, { get: (_ids, name) => void names.add(String(name)) })
    endpoint.body?.(noting)
    return names
  }

  const pathOf = (endpoint: Endpoint, ids: Ids) => {
    const { path } = endpoint
    const below = idOf(endpoint)
    return fill(path, {
      id: below ? ids[below] : '',
      userId: ids.userId,
      roleId: ids.roleId,
      keyId: ids.keyId,
      factorId: ids.factorId,
      deliveryId: ids.deliveryId,
      tenantId: ids.tenantId,
      secretId: ids.secretId,
      subject: 'user',
      key: keyFor(path, ids.flagKey),
    })
  }

  /** Ids that name nothing. */
  const nobodys = (): Ids => ({
    ...catalogueIds,
    userId: 999999,
    roleId: 999999,
    notificationId: 999999,
    approvalId: 999999,
    broadcastId: 999999,
    elevationId: 999999,
    auditLogId: 999999,
    tenantId: tenant.id,
    accountId: 999999,
    sessionId: randomUUID(),
    invitationId: 999999,
    factorId: randomUUID(),
    keyId: 999999,
    webhookId: 999999,
    domainId: 999999,
    connectionId: randomUUID(),
    setupLinkId: randomUUID(),
    supportId: randomUUID(),
    identityId: randomUUID(),
    deliveryId: 999999,
    grantId: 999999,
    reviewId: 999999,
    itemId: 999999,
  })

  test('a caller without permissions gets 403 where one is needed, for any id, and changes nothing', async () => {
    const mine = await own()
    const before = (await tenant.admin.get('/audit/logs')).data.total
    for (const endpoint of endpoints.filter(({ caller }) => caller.includes(':'))) {
      for (const ids of [mine, nobodys()]) {
        const options = { token: powerless.token, tenant: tenant.id, body: bodyOf(endpoint, ids) }
        const { status, body } = await call(endpoint.method, pathOf(endpoint, ids), options)
        expect([endpoint.name, status, body.code]).toEqual([endpoint.name, 403, 40301])
      }
    }
    expect((await tenant.admin.get('/audit/logs')).data.total).toBe(before)
  })

  test('a caller without the second permission of an endpoint gets 403 for any id', async () => {
    const workshop = await newTenant()
    const mine = await furnish(workshop)
    const needing: string[] = []
    const bound = endpoints.filter((one) => one.path.includes(':') && strangerStatus(one) === 404)
    for (const { code } of permissions) {
      const some = bound.filter(({ caller }) => caller === code)
      if (some.length === 0) continue
      const { token } = await workshop.userWith(code)
      for (const endpoint of some) {
        const codes: number[] = []
        for (const ids of [nobodys(), mine]) {
          const options = { token, tenant: workshop.id, body: bodyOf(endpoint, ids) }
          codes.push((await call(endpoint.method, pathOf(endpoint, ids), options)).body.code)
        }
        if (!codes.includes(40301)) continue
        needing.push(endpoint.name)
        expect([endpoint.name, ...codes]).toEqual([endpoint.name, 40301, 40301])
      }
    }
    expect(needing).toContain('POST /webhooks/:id/test')
  })

  test('a caller without permissions reads the own profile, roles, tenant and notifications', async () => {
    const { userId } = powerless
    const paths = ['/profile', '/ping', '//ping', `/rbac/users/${userId}/roles`, `/org/tenants/${tenant.id}`]
    for (const path of [...paths, `/notifications/user/${userId}`, '/notifications/unread-count']) {
      expect([path, (await powerless.get(path)).status]).toEqual([path, 200])
    }
    expect((await powerless.put('/notifications/read-all')).status).toBe(200)
  })

  test('a caller without permissions gets 403 for the roles and notifications of others', async () => {
    const { userId, notificationId } = await own()
    const reads = [
      `/rbac/users/${userId}/roles`,
      `/notifications/user/${userId}`,
      `/notifications/${notificationId}`,
    ]
    for (const path of reads) expect([path, (await powerless.get(path)).status]).toEqual([path, 403])
    expect((await powerless.delete(`/notifications/${notificationId}`)).status).toBe(403)
    expect((await powerless.put(`/notifications/${notificationId}/read`)).status).toBe(403)
  })

  let owned: Promise<Ids> | undefined
  const own = () => (owned ??= furnish(tenant))

  /** Endpoints that name a user or a role in the body, and nothing in the path. */
  const namingInBody = [
    'POST /authz/check',
    'POST /authz/explain',
    'POST /invitations',
    'POST /notifications',
  ]

  /** A stranger gets 404; or 403 for a missing permission, before the service looks at the id. */
  const strangerStatus = ({ caller }: Endpoint) =>
    /^tenant:|^setting:(?:global|declare|secret)|^attribute:|^catalogue:|^application:|^flag:|^provider:/.test(
      caller,
    )
      ? 403
      : 404

  test('gets 404 for the ids of another tenant in path and body of every endpoint, and changes nothing there', async () => {
    const ids = await own()
    const before = (await tenant.admin.get('/audit/logs')).data.total
    const mine = await furnish(foreign)
    const { admin } = foreign
    const mixtures: Ids[] = [ids, { ...mine, userId: ids.userId }, { ...mine, roleId: ids.roleId }]
    const bound = endpoints.filter((endpoint) => !isOfInstallation(endpoint))
    for (const endpoint of bound.filter(({ path }) => /:(id|userId|roleId)/.test(path))) {
      const requests = mixtures.filter((mixture) => pathOf(endpoint, mixture) !== pathOf(endpoint, mine))
      expect(requests.length).toBeGreaterThan(0)
      for (const mixture of requests) {
        const body = bodyOf(endpoint, mixture)
        const options = { token: admin.token, tenant: foreign.id, body }
        const { status } = await call(endpoint.method, pathOf(endpoint, mixture), options)
        expect([endpoint.name, pathOf(endpoint, mixture), status]).toEqual([
          endpoint.name,
          pathOf(endpoint, mixture),
          strangerStatus(endpoint),
        ])
      }
    }
    for (const endpoint of endpoints.filter(({ name }) => namingInBody.includes(name))) {
      const options = { token: admin.token, tenant: foreign.id, body: bodyOf(endpoint, ids) }
      const { status } = await call(endpoint.method, endpoint.path, options)
      expect([endpoint.name, status]).toEqual([endpoint.name, 404])
    }
    expect((await admin.post(`/rbac/users/${admin.userId}/roles`, { role_id: ids.roleId })).status).toBe(404)
    const filtered = await admin.get(`/audit/logs?user_id=${ids.userId}`)
    expect(filtered.data).toEqual({ items: [], total: 0, page: 1 })
    expect((await tenant.admin.get('/audit/logs')).data.total).toBe(before)
  })

  test('gets nothing of another tenant with its id in X-Tenant-ID: 403 but for the own account', async () => {
    const elsewhere = endpoints.filter(
      ({ caller }) => !['nobody', 'account', 'suspendedAccount'].includes(caller),
    )
    for (const endpoint of elsewhere) {
      const ids = await own()
      const options = { token: foreign.admin.token, tenant: tenant.id, body: bodyOf(endpoint, ids) }
      const { status, body } = await call(endpoint.method, pathOf(endpoint, ids), options)
      expect([endpoint.name, status, body.code]).toEqual([endpoint.name, 403, 40302])
    }
  })

  const prepareRole = async (name: string, user: Caller, roleId: number): Promise<void> => {
    if (/elevations|eligible-roles/.test(name)) await proveTwice(user)
    if (/^DELETE .*eligible-roles|^POST \/elevations/.test(name)) await insertEligible(user, roleId)
    if (/^(?:DELETE|PUT) \/rbac\/users\/:userId\/roles\/:roleId/.test(name)) {
      await user.post(`/rbac/users/${user.userId}/roles`, { role_id: roleId })
    }
  }

  /** The user whom an administrator with a second factor supports, and the allowed question. */
  const supportFor = async ({ name }: Endpoint, workshop: Tenant): Promise<Partial<Ids>> => {
    if (!/^POST \/support\/sessions(?:\/:id\/(?:token|code))?$/.test(name)) return {}
    const { admin } = workshop
    await proveTwice(admin)
    const user = await workshop.member()
    const ids = { userId: user.userId, supportId: await insertQuestion(admin, user, 'ready') }
    if (!name.endsWith('/code')) return ids
    ok(await admin.post(`/support/sessions/${ids.supportId}/token`))
    const support_uri = 'https://shop.example.com/support'
    return { ...ids, applicationId: (await newApplication({ support_uri })).id }
  }

  /** The ids that an endpoint can act on: callers cannot delete themselves, or take a role that the user lacks. */
  const prepared = async (endpoint: Endpoint, workshop: Tenant): Promise<Ids> => {
    const { name } = endpoint
    const ids = { ...(await furnish(workshop, namesIn(endpoint))), ...(await supportFor(endpoint, workshop)) }
    if (name === 'DELETE /users/:id/sso') await insertConnectionRows(workshop)
    // The last membership stays.
    if (name.startsWith('DELETE /auth/memberships')) await insertMember(workshop.admin, await newTenant())
    if (/^DELETE \/users\/:id(?:\/factors.*)?$/.test(name)) {
      const member = await workshop.member()
      return { ...ids, userId: member.userId, factorId: (await addTotp(member)).id }
    }
    if (name.endsWith('/resend')) await makeReady(workshop, { id: ids.webhookId })
    await prepareRole(name, workshop.admin, ids.roleId)
    if (!isOfInstallation(endpoint)) return ids
    const root = await platformAdmin()
    const permission = ok(await root.post('/rbac/permissions', { code: `${unique('m')}:read`, name: 'Read' }))
    const template = ok(await root.post('/rbac/role-templates', { name: unique('role') }))
    const application = await newApplication()
    const resource = await newResource(permission.id)
    const flag = await newFlagFor(endpoint, workshop)
    const applicationIds = { applicationId: application.id, secretId: application.secrets[0].id }
    return {
      ...ids,
      ...applicationIds,
      permissionId: permission.id,
      templateId: template.id,
      resourceId: resource.id,
      flagKey: flag.key,
      providerId: (await newProviderFor(endpoint)).id,
    }
  }

  /** An installation has room for 20 providers. */
  const newProviderFor = async ({ name }: Endpoint): Promise<{ id: string }> => {
    if (!name.includes('/providers/:id')) return { id: randomUUID() }
    await deleteProviders()
    return ok(await (await platformAdmin()).post('/providers', newProvider()))
  }

  /** A flag that the tenant has a variant of. */
  const newFlagFor = async ({ name }: Endpoint, { id }: Tenant) => {
    const root = await platformAdmin()
    const flag = ok(await root.post('/flags', newFlag(unique('flag'))))
    if (name.startsWith('DELETE ')) ok(await root.put(`/flags/${flag.key}/tenants/${id}`, { variant: 'on' }))
    return flag
  }

  /** A read changes nothing, and a PUT little, so all of them share a tenant. */
  const workshopFor = async (endpoint: Endpoint) => {
    const needsHolder = endpoint.name === 'PUT /rbac/users/:userId/roles/:roleId'
    const isShared = ['GET', 'PUT'].includes(endpoint.method) && !isOfInstallation(endpoint) && !needsHolder
    if (isShared) return { workshop: tenant, ids: await own() }
    const workshop = await newTenant()
    return { workshop, ids: await prepared(endpoint, workshop) }
  }

  /** The names of the moments that a route takes in its query and its body. */
  const momentsOf = ({ name }: Endpoint): ['querystring' | 'body', string][] => {
    const schema = visible.find((one) => one.name === name)?.schema
    return (['querystring', 'body'] as const).flatMap((place) => {
      const { properties = {} } = (schema?.[place] ?? {}) as {
        properties?: Record<string, { format?: string }>
      }
      const names = Object.keys(properties).filter((key) => properties[key]?.format === 'date-time')
      return names.map((key): [typeof place, string] => [place, key])
    })
  }

  test.each([
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+00:01',
    '0000-01-01T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-02-30T00:00:00Z',
    '２０２６-01-01T00:00:00Z',
    '+012026-01-01T00:00:00Z',
    '2026-01-01',
  ])('gets 400 for %s, whatever endpoint takes a moment: no store holds it', async (moment) => {
    const ids = await own()
    const taking = endpoints.flatMap((one) => momentsOf(one).map((field) => ({ one, field })))
    expect(taking.map(({ one }) => one.name)).toContain('POST /webhooks/:id/replay')
    for (const { one, field } of taking) {
      const [place, name] = field
      const query = place === 'querystring' ? `?${name}=${encodeURIComponent(moment)}` : ''
      const body = place === 'body' ? { ...(one.body?.(ids) as object), [name]: moment } : undefined
      const { status } = await call(one.method, `${pathOf(one, ids)}${query}`, {
        token: (isOfInstallation(one) ? await platformAdmin() : tenant.admin).token,
        tenant: tenant.id,
        body,
      })
      expect([one.name, name, status]).toEqual([one.name, name, 400])
    }
  })

  test.each(['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '9999-12-31T00:00:00-23:59'])(
    'finds records from the first to the last moment: %s',
    async (moment) => {
      const { admin } = tenant
      for (const field of ['from', 'to']) {
        const { status, text } = await admin.get(`/audit/export?${field}=${encodeURIComponent(moment)}`)
        expect([field, status, text === '']).toEqual([
          field,
          200,
          (field === 'to') === moment.startsWith('0001'),
        ])
      }
    },
  )

  /** A body schema without required fields. */
  const takesNothing = ({ name }: Endpoint): boolean => {
    const body = visible.find((one) => one.name === name)?.schema?.body as { required?: unknown } | undefined
    return body !== undefined && body.required === undefined
  }

  test('gets the same without a body as with an empty one where every field is optional', async () => {
    // An application has room for two secrets.
    const isRepeatable = ({ name }: Endpoint) => name !== 'POST /applications/:id/secrets'
    const optional = endpoints.filter(takesNothing).filter(isRepeatable)
    expect(optional.length).toBeGreaterThan(5)
    const root = await platformAdmin()
    for (const endpoint of optional) {
      const { workshop, ids } = await workshopFor(endpoint)
      const { token } = strangerStatus(endpoint) === 403 ? root : workshop.admin
      const send = async (headers: Record<string, string>, body?: unknown) => {
        const options = { token, tenant: workshop.id, headers, body }
        const { status, data } = await call(endpoint.method, pathOf(endpoint, ids), options)
        return [endpoint.name, status, status === 200 ? 'done' : data]
      }
      const empty = await send({}, {})
      expect(await send({})).toEqual(empty)
      expect(await send({ 'content-type': 'application/json' })).toEqual(empty)
    }
    await clearCatalogue()
    await deleteProviders()
  })

  /** Makes the person the owner of their account. */
  const makeOwner = ({ email }: Caller) =>
    parts.store.scoped({}).run(sql`
      update accounts set has_own_password = true, proved_email = email_folded where email = ${email}`)

  /** A request to an endpoint, with all that it needs. */
  interface Request {
    name: string
    workshop: Tenant
    /** Sends it, at the moment at which it was prepared. */
    send: (at: Running) => Promise<Answer>
    /** Sends it a minute later, with these fields besides its own. */
    repeat: (fields: object) => Promise<Answer>
  }

  /** Declares a setting of users, and sets it, for requests about settings; only owners add organizations. */
  const setUpFor = async ({ path, method }: Endpoint, { admin }: Tenant): Promise<void> => {
    if (path.startsWith('/reviews') && method === 'POST') await proveBy(admin, 'pwd', 'otp', 'mfa')
    if (path === '/auth/organizations') await makeOwner(admin)
    if (!/^\/(?:settings|attributes)\//.test(path)) return
    const root = await platformAdmin()
    if (path.startsWith('/attributes/')) {
      await root.delete('/attributes/user/house_declared')
      return void ok(
        await root.put('/attributes/user/house_declared', { schema: { type: 'string' }, group: 'a' }),
      )
    }
    await root.delete(`/settings/global/${declaredKey}/lock`)
    ok(await root.put(`/settings/definitions/${declaredKey}`, { schema: {}, scopes: ['user'] }))
    ok(await admin.put(`/settings/user/${declaredKey}`, { value: 0 }))
  }

  /** The caller for whom all is well: only a key reads secrets. */
  const callerFor = async (endpoint: Endpoint, { id, admin }: Tenant): Promise<Caller> => {
    if (endpoint.caller === 'guest') {
      const connection = await insertConnectionRows({ id, admin })
      return { ...admin, token: (await insertSetup({ id, admin }, connection)).guestToken }
    }
    if (endpoint.caller === 'setting:secret') {
      return keyWith(builtIn.id, ['setting:secret', 'tenant:enter'])
    }
    return strangerStatus(endpoint) === 403 ? platformAdmin() : admin
  }

  /** Changes of approvals need several people with second factors: the tests of approvals make them. */
  const needsOthers = ({ name }: Endpoint) => /^(?:POST|PUT|DELETE) \/approval/.test(name)

  /** Prepares a request to every endpoint. */
  async function* prepareAll(some = endpoints): AsyncGenerator<Request> {
    const root = await platformAdmin()
    await root.put('/settings/global/color', { value: 'blue' })
    for (const endpoint of some.filter((one) => !needsOthers(one))) {
      const { name, method, caller } = endpoint
      const { workshop, ids } = await workshopFor(endpoint)
      const { token, email, refreshToken } = await callerFor(endpoint, workshop)
      const signed = caller === 'nobody' ? {} : { token, tenant: workshop.id }
      const { userId, tenantId } = workshop.admin
      await setUpFor(endpoint, workshop)
      const link = (kind: 'reset' | 'verification') => insertLink({ userId, tenantId }, kind)
      const { factorId = ids.factorId, factor } = await prepareFactor(name, workshop.admin)
      const tokens = {
        resetToken: () => link('reset'),
        verifyToken: () => link('verification'),
        invitationToken: () => inviteShown(workshop.admin),
        signUpToken: insertSignUp,
        emailCode: () => insertEmailCode(workshop.admin.email),
        setup: () => insertSetup(workshop),
      }
      const { issuer } = provider
      const made = await makeNamed(tokens, namesIn(endpoint))
      const known = { ...ids, issuer, email, refreshToken, ...made, factor }
      const body = endpoint.body?.(known)
      const moment = clock.now().getTime()
      const sendAt = (at: Running, offsetMs: number, sent: unknown) => {
        clock.offsetMs = moment - Date.now() + offsetMs
        const options = { ...signed, body: sent, at }
        return call(method, pathOf(endpoint, { ...ids, factorId }), options)
      }
      yield {
        name,
        workshop,
        send: (at) => sendAt(at, 0, body),
        repeat: (fields) => sendAt(service, 60_000, body && { ...fields, ...body }),
      }
    }
  }

  /** By design these leave no record (docs/contract.md, "Audit log"). */
  const neverRecorded = [
    // Refreshes, read marks and requests for a sign-up.
    'POST /auth/refresh',
    'PUT /notifications/:id/read',
    'PUT /notifications/read-all',
    'POST /auth/sign-up',
    // Questions.
    'POST /auth/discover',
    'POST /auth/invitations/lookup',
    'POST /auth/sign-up/lookup',
    'POST /authz/check',
    'POST /authz/explain',
    'POST /authz/preview',
    'POST /flags/:key/explain',
    'POST /webhooks/:id/replay/preview',
    // Challenges and tests.
    'POST /auth/factors/passkey/options',
    'POST /auth/passkey/options',
    'POST /auth/email-code',
    'POST /setup/open',
    'POST /connections/:id/test',
    'POST /providers/:id/test',
    'POST /auth/identities',
    'POST /webhooks/:id/test',
  ]
  /** The requests of this file change nothing: the field has the value, the lock is open, the domain has no proof. */
  const withoutChange = [
    'PUT /users/:id',
    'PATCH /users/:id/attributes',
    'PATCH /profile/attributes',
    'PATCH /org/tenants/:id/attributes',
    'POST /users/status',
    'DELETE /settings/global/:key/lock',
    'POST /settings/tenant/:key/revert',
    'POST /settings/secrets/read',
    'POST /domains/:id/verify',
    'PUT /rbac/users/:userId/roles/:roleId',
  ]
  /** The tenant's creation, and the session there: a record in each of the two tenants. */
  const recordedTwice = ['POST /auth/sign-up/confirm', 'POST /auth/organizations']
  /** A role with its permission, a disabled service account with that role and a key, and the connection that names it. */
  const recordedSevenTimes = 'POST /setup/directory'
  /** An export of somebody's data is recorded. */
  const recordedReads = ['GET /users/:id/export']

  const recordsOf = (name: string): number => {
    if (recordedTwice.includes(name)) return 2
    if (name === recordedSevenTimes) return 7
    const isRead = name.startsWith('GET ') && !recordedReads.includes(name)
    return isRead || neverRecorded.includes(name) || withoutChange.includes(name) ? 0 : 1
  }

  /** The records of all tenants after an id, and the newest id. Removed tenants lose their records. */
  const recordsAfter = async (id: number): Promise<{ count: number; newest: number }> => {
    const [row] = await ownerRows<{ count: number; newest: number }>(sql`
      select count(*) filter (where id > ${id}) as count, coalesce(max(id), 0) as newest from audit_logs`)
    return row ?? { count: 0, newest: 0 }
  }

  /** The answer to a request, and how many records the request left. */
  interface Sent {
    name: string
    status: number
    body: unknown
    records: number
  }

  /** Sends a request to every endpoint. */
  const sendAll = async (at: Running): Promise<Sent[]> => {
    const sent: Sent[] = []
    const signingUp = await startApp({ signUp: 'organization', signUpsPerHour: 1_000_000 })
    onTestFinished(() => signingUp.app.close())
    await putGlobalWays({ email_code: true })
    onTestFinished(async () => void (await dropGlobalWays()))
    for await (const { name, send } of prepareAll()) {
      const { newest } = await recordsAfter(0)
      const { status, body } = await send(/sign-up|organizations/.test(name) ? signingUp : at)
      sent.push({ name, status, body, records: (await recordsAfter(newest)).count })
    }
    return sent
  }

  test('gets 200 in the declared shape from every endpoint when all is well, and leaves one record of each change', async () => {
    const sent = await sendAll(service)
    expect(sent.filter(({ status }) => status !== 200)).toEqual([])
    expect(sent.map(({ name, records }) => [name, records])).toEqual(
      sent.map(({ name }) => [name, recordsOf(name)]),
    )
    await clearCatalogue()
  })

  /** The fields of an answer that the body of a request can bring back. */
  const standing = (name: string, data: object | null): object => {
    const { body } = visible.find((one) => one.name === name)?.schema ?? {}
    const { properties = {} } = (body ?? {}) as { properties?: Record<string, { enum?: unknown[] }> }
    const isTaken = ([key, value]: [string, unknown]) =>
      key in properties && (properties[key]?.enum?.includes(value) ?? true)
    return Object.fromEntries(Object.entries(data ?? {}).filter(isTaken))
  }

  /** Each change that counts adds a row to one of these. */
  const growing = ['audit_logs', 'audit_unsealed', 'notifications', 'tenant_setting_versions']
  const rows = join(
    [...growing, 'global_setting_versions'].map((table) => sql`(select count(*) from ${raw(table)})`),
    ' + ',
  )

  /** The rows of a tenant, and of the installation. */
  const countRows = async ({ id }: Tenant): Promise<number[]> => {
    const counts = [id, builtIn.id].map((tenantId) =>
      parts.store.scoped({ tenantId }).only<{ count: number }>(sql`select ${rows} as count`),
    )
    return (await Promise.all(counts)).map(({ count }) => count)
  }

  test('a caller who puts the present values leaves no record, no notification and no version', async () => {
    const puts = endpoints.filter(({ method }) => method === 'PUT')
    const noisy: unknown[] = []
    for await (const { name, workshop, send, repeat } of prepareAll(puts)) {
      const { data } = await send(service)
      const before = await countRows(workshop)
      const again = await repeat(standing(name, data))
      const after = await countRows(workshop)
      const isQuiet = isDeepStrictEqual([again.status, again.data, after], [200, data, before])
      if (!isQuiet) noisy.push([name, before, after, data, again.body])
    }
    expect(noisy).toEqual([])
    await clearCatalogue()
  })
})

test('every error code has one name', () => {
  const codes = Object.values(errorCodes)
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([])
})
