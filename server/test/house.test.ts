/** Walks every route of the running application: the guarantees that hold for all of them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '../src/permissions.ts'
import { endpoints, open, type Endpoint } from './endpoints.ts'
import { newTenant, platformAdmin, type Caller, type Tenant } from './factories.ts'
import { call, service } from './harness.ts'

/** `/api/v1` is left out, as in the specification; what stands at the host root starts with `//`. */
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

describe('every route', () => {
  test('is one of the specification, with at least the statuses it declares there', () => {
    const missing = endpoints.filter(({ name, statuses }) => {
      const route = visible.find((one) => one.name === name)
      const declared = Object.keys(route?.schema?.response ?? {}).map(Number)
      return statuses.some((status) => !declared.includes(status))
    })
    expect(missing).toEqual([])
    expect(visible.map(({ name }) => name).toSorted()).toEqual(
      [...endpoints.map(({ name }) => name), ...open].toSorted(),
    )
  })

  test('that needs no token is listed here', () => {
    const publicNames = visible.filter(({ config }) => config?.allow === undefined).map(({ name }) => name)
    const expected = [
      ...endpoints.filter(({ caller }) => caller === 'nobody').map(({ name }) => name),
      ...open,
    ]
    expect(publicNames.filter((name) => !expected.includes(name))).toEqual([])
  })

  test('asks for the permission of the contract, one of the catalogue', () => {
    const codes = permissions.map(({ code }): string => code)
    const asked = signedIn.map(({ name, config }) => [name, config?.allow])
    const expected = endpoints
      .filter(({ caller }) => caller !== 'nobody')
      .map(({ name, caller }) => [name, caller])
    expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(expected))
    const needed = asked.map(([, allow]) => allow).filter((allow) => allow !== 'caller')
    expect(codes).toEqual(expect.arrayContaining(needed))
  })

  test('of the signed-in scope answers 401 with WWW-Authenticate without a token, or with one that is none', async () => {
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
        expect(method === 'HEAD' ? 40501 : body.code).toBe(40501)
      }
    }
  })
})

describe('a caller', () => {
  let tenant: Tenant
  let foreign: Tenant
  let powerless: Caller

  beforeAll(async () => {
    tenant = await newTenant()
    foreign = await newTenant()
    powerless = await tenant.userWith()
  })

  const bodyOf = ({ body }: Endpoint, ids: Ids) => body?.(ids)

  interface Ids {
    userId: number
    roleId: number
    notificationId: number
    auditLogId: number
    tenantId: string
  }

  /** One of each thing that has an id, in a tenant of its own. */
  const furnish = async (owner: Tenant): Promise<Ids> => {
    const { id, admin } = owner
    const { id: roleId } = await owner.role('setting:read')
    await admin.put('/settings/tenant/color', { value: 'red' })
    const { data } = await admin.post('/notifications', { user_id: admin.userId, title: 'Hello' })
    const [log] = (await admin.get('/audit/logs')).data.items
    return { userId: admin.userId, roleId, notificationId: data.id, auditLogId: log.id, tenantId: id }
  }

  /** What `:id` stands for below a path. */
  const idsBelow: Record<string, keyof Ids> = {
    '/users/': 'userId',
    '/org/tenants/': 'tenantId',
    '/rbac/roles/': 'roleId',
    '/audit/logs/': 'auditLogId',
    '/notifications/': 'notificationId',
  }

  const pathOf = ({ path }: Endpoint, ids: Ids) => {
    const below = idsBelow[path.slice(0, path.indexOf(':id'))]
    return fill(path, {
      id: below ? ids[below] : '',
      userId: ids.userId,
      roleId: ids.roleId,
      key: 'color',
    })
  }

  test('without any permission gets 403 where one is needed, whatever the id, and changes nothing', async () => {
    const mine = await own()
    const before = (await tenant.admin.get('/audit/logs')).data.total
    for (const endpoint of endpoints.filter(({ caller }) => caller !== 'nobody' && caller !== 'caller')) {
      for (const ids of [
        mine,
        { userId: 999999, roleId: 999999, notificationId: 999999, auditLogId: 999999, tenantId: tenant.id },
      ]) {
        const options = { token: powerless.token, tenant: tenant.id, body: bodyOf(endpoint, ids) }
        const { status, body } = await call(endpoint.method, pathOf(endpoint, ids), options)
        expect([endpoint.name, status, body.code]).toEqual([endpoint.name, 403, 40301])
      }
    }
    expect((await tenant.admin.get('/audit/logs')).data.total).toBe(before)
  })

  test('without any permission reads the own profile, roles, tenant and notifications', async () => {
    const { userId } = powerless
    const paths = ['/profile', '/ping', '//ping', `/rbac/users/${userId}/roles`, `/org/tenants/${tenant.id}`]
    for (const path of [...paths, `/notifications/user/${userId}`, '/notifications/unread-count']) {
      expect([path, (await powerless.get(path)).status]).toEqual([path, 200])
    }
    expect((await powerless.put('/notifications/read-all')).status).toBe(200)
  })

  test('without any permission gets 403 for the roles and notifications of others', async () => {
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

  /** What a stranger may be told: that it does not exist; or, before any id is looked at, that they lack a permission. */
  const strangerStatus = ({ caller }: Endpoint) => (/^tenant:|^setting:global/.test(caller) ? 403 : 404)

  test('gets 404 for the ids of another tenant in path and body, whatever the endpoint', async () => {
    const ids = await own()
    const mine = await furnish(foreign)
    const { admin } = foreign
    const mixtures: Ids[] = [ids, { ...mine, userId: ids.userId }, { ...mine, roleId: ids.roleId }]
    for (const endpoint of endpoints.filter(({ path }) => /:(id|userId|roleId)/.test(path))) {
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
    expect((await admin.post('/notifications', { user_id: ids.userId, title: 'x' })).status).toBe(404)
    expect((await admin.post(`/rbac/users/${admin.userId}/roles`, { role_id: ids.roleId })).status).toBe(404)
    const filtered = await admin.get(`/audit/logs?user_id=${ids.userId}`)
    expect(filtered.data).toEqual({ items: [], total: 0, page: 1 })
  })

  test('gets nothing of another tenant with its id in X-Tenant-ID: 403 everywhere', async () => {
    for (const endpoint of endpoints.filter(({ caller }) => caller !== 'nobody')) {
      const ids = await own()
      const options = { token: foreign.admin.token, tenant: tenant.id, body: bodyOf(endpoint, ids) }
      const { status, body } = await call(endpoint.method, pathOf(endpoint, ids), options)
      expect([endpoint.name, status, body.code]).toEqual([endpoint.name, 403, 40302])
    }
  })

  /** What the endpoint acts on, such that it can: nobody deletes themselves, or takes a role that is not held. */
  const prepared = async ({ name }: Endpoint, workshop: Tenant): Promise<Ids> => {
    const ids = await furnish(workshop)
    if (name === 'DELETE /users/:id') return { ...ids, userId: (await workshop.member()).userId }
    if (name === 'DELETE /rbac/users/:userId/roles/:roleId') {
      await workshop.admin.post(`/rbac/users/${ids.userId}/roles`, { role_id: ids.roleId })
    }
    return ids
  }

  test('gets 200 in the declared shape from every endpoint when all is well', async () => {
    const root = await platformAdmin()
    await root.put('/settings/global/color', { value: 'blue' })
    for (const endpoint of endpoints) {
      const { name, method, caller } = endpoint
      const workshop = await newTenant()
      const ids = await prepared(endpoint, workshop)
      const { token, email, refreshToken } = strangerStatus(endpoint) === 403 ? root : workshop.admin
      const signed = caller === 'nobody' ? {} : { token, tenant: workshop.id }
      const body = endpoint.body?.({ ...ids, email, refreshToken })
      const answer = await call(method, pathOf(endpoint, ids), { ...signed, body })
      expect([name, answer.status, answer.body]).toEqual([name, 200, answer.body])
    }
  })
})
