import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../../test/endpoints.ts'
import { newTenant, password, platformAdmin, type Tenant } from '../../../../test/factories.ts'
import { call, service } from '../../../../test/harness.ts'
import { credentials, postLogin, postRefresh, postRegister } from '../../../../test/accounts.ts'

let tenant: Tenant
let other: Tenant

beforeAll(async () => {
  tenant = await newTenant()
  other = await newTenant()
})

/** Sends header lines unchanged: fetch would join lines with the same name. Returns the code of the answer. */
const codeOf = async (method: string, path: string, headers: string[]): Promise<number> => {
  const url = path.startsWith('//') ? `${service.url}${path.slice(1)}` : `${service.url}/api/v1${path}`
  const sent = request(url, { method, headers: ['host', 'localhost', ...headers] }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const body = JSON.parse(await text(answer)) as { code?: number }
  return body.code ?? 0
}

const tenantPaths = [
  '/rbac/permissions',
  '/rbac/roles',
  '/rbac/roles/1',
  '/rbac/users/1/roles',
  '/notifications/unread-count',
  '/notifications/1',
  '/notifications/user/1',
]

describe('the tenant header', () => {
  test.each([
    'nonsense',
    '',
    '1',
    'null',
    '00000000-0000-4000-8000-00000000000',
    '00000000-0000-4000-8000-0000000000011',
    '{00000000-0000-4000-8000-000000000001}',
    '00000000000040008000000000000001',
    '00000000-0000-4000-8000-000000000001, 00000000-0000-4000-8000-000000000001',
    '00000000-0000-4000-8000-00000000000g',
  ])('"%s" is no UUID, and 400 even for a platform administrator', async (header) => {
    const root = await platformAdmin()
    for (const caller of [tenant.admin, root]) {
      for (const path of ['/ping', '/rbac/roles']) {
        expect(await caller.get(path, { tenant: header })).toMatchObject({
          status: 400,
          body: { code: 40005 },
        })
      }
    }
  })

  test('a header given twice is 400, even with the same value', async () => {
    const { token, tenantId } = tenant.admin
    const bearer = ['authorization', `Bearer ${token}`]
    const header = ['X-Tenant-ID', tenantId]
    const ping = (...headers: string[]) => codeOf('GET', '/ping', [...bearer, ...headers])
    expect(await ping(...header)).toBe(0)
    expect(await ping(...header, ...header)).toBe(40005)
    expect(await ping(...header, 'X-Tenant-ID', other.id)).toBe(40005)
  })

  test('the UUID is compared without case', async () => {
    const root = await platformAdmin()
    const users = await tenant.admin.get('/users', { tenant: tenant.id.toUpperCase() })
    expect(users).toMatchObject({ status: 200, data: { items: [{ tenant_id: tenant.id }] } })
    expect(await root.get('/users', { tenant: tenant.id.toUpperCase() })).toMatchObject({
      status: 200,
      data: { items: [{ tenant_id: tenant.id }] },
    })
  })

  test('a tenant that is not the own one is 403, existing or not', async () => {
    const foreign = await tenant.admin.get('/users', { tenant: other.id })
    const unknown = await tenant.admin.get('/users', { tenant: randomUUID() })
    for (const { status, body } of [foreign, unknown]) {
      expect({ status, code: body.code }).toEqual({ status: 403, code: 40302 })
    }
    expect(foreign.body.message).toBe(unknown.body.message)
  })

  test('a platform administrator has any tenant in scope, and an unknown one is 404', async () => {
    const root = await platformAdmin()
    expect(await root.get('/users', { tenant: other.id })).toMatchObject({
      status: 200,
      data: { items: [{ tenant_id: other.id }] },
    })
    expect(await root.get('/users', { tenant: randomUUID() })).toMatchObject({
      status: 404,
      body: { code: 40402 },
    })
    const deleted = await newTenant()
    await root.delete(`/org/tenants/${deleted.id}`)
    expect(await root.get('/users', { tenant: deleted.id })).toMatchObject({ status: 404 })
  })

  test.each(tenantPaths)('%s without the header is 400', async (path) => {
    const root = await platformAdmin()
    for (const caller of [tenant.admin, root]) {
      expect(await caller.get(path, { tenant: undefined })).toMatchObject({
        status: 400,
        body: { code: 40004 },
      })
    }
  })

  test('writing to roles, assignments and notifications without the header is 400', async () => {
    const none = { tenant: undefined }
    const { admin } = tenant
    const answers = [
      await admin.post('/rbac/roles', { name: 'Role' }, none),
      await admin.put('/rbac/roles/1', { name: 'Role' }, none),
      await admin.delete('/rbac/roles/1', none),
      await admin.put('/rbac/roles/1/permissions', { permission_ids: [] }, none),
      await admin.post('/rbac/users/1/roles', { role_id: 1 }, none),
      await admin.delete('/rbac/users/1/roles/1', none),
      await admin.post('/notifications', { user_id: 1, title: 'Hello' }, none),
      await admin.delete('/notifications/1', none),
      await admin.put('/notifications/1/read', undefined, none),
      await admin.put('/notifications/read-all', undefined, none),
    ]
    expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 40004))
  })

  test('a missing header means the own tenant on other routes', async () => {
    const none = { tenant: undefined }
    expect(await tenant.admin.get('/ping', none)).toMatchObject({ status: 200 })
    expect(await tenant.admin.get('/users', none)).toMatchObject({
      status: 200,
      data: { total: 1, items: [{ id: tenant.admin.userId }] },
    })
  })

  test('a caller without a valid token learns nothing about the header', async () => {
    for (const header of ['nonsense', tenant.id, randomUUID()]) {
      expect(await call('GET', '/rbac/roles', { tenant: header })).toMatchObject({ status: 401 })
    }
    expect(await call('GET', '/rbac/roles')).toMatchObject({ status: 401, body: { code: 40101 } })
  })

  const ignoring = endpoints.filter(
    ({ caller, path }) => caller === 'nobody' || /^\/(?:auth\/.*|profile|password)$/.test(path),
  )

  test.each(ignoring)('$name ignores the header, however it is written', async ({ method, path }) => {
    const { email } = await tenant.member()
    const url = path.replaceAll(/:[a-zA-Z]+/g, randomUUID())
    const codeWith = async (...headers: string[]) => {
      // Each round signs in, because some requests end the session.
      const { data } = await postLogin(email)
      return codeOf(method, url, ['authorization', `Bearer ${data.access_token}`, ...headers])
    }
    const usual = await codeWith()
    for (const value of ['nonsense', '', other.id, randomUUID()]) {
      expect([value, await codeWith('X-Tenant-ID', value)]).toEqual([value, usual])
    }
    expect(await codeWith('X-Tenant-ID', tenant.id, 'X-Tenant-ID', other.id)).toBe(usual)
  })

  test('endpoints without authentication ignore the header', async () => {
    for (const header of ['nonsense', '', other.id, randomUUID()]) {
      const mine = credentials()
      const options = { tenant: header }
      const { status, data } = await postRegister(mine, options)
      expect(status).toBe(200)
      expect(await postLogin(mine.email, password, options)).toMatchObject({ status: 200 })
      expect(await postRefresh(data.refresh_token, options)).toMatchObject({ status: 200 })
      expect(await call('GET', '/health', options)).toMatchObject({ status: 200 })
      expect(await call('GET', '/api/version', options)).toMatchObject({ status: 200 })
      expect(await call('GET', '//.well-known/jwks.json', options)).toMatchObject({ status: 200 })
    }
  })
})

describe('the bearer header', () => {
  test.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Token abc', 'Bearer a b', 'Bearer ä'.normalize('NFC')])(
    '"%s" is 401 with a challenge',
    async (authorization) => {
      const answer = await call('GET', '/ping', { headers: { authorization } })
      expect(answer).toMatchObject({ status: 401, body: { code: 40101, data: null } })
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    },
  )

  test('the scheme is compared without case', async () => {
    const headers = { authorization: `bearer  ${tenant.admin.token}` }
    expect(await call('GET', '/ping', { headers })).toMatchObject({ status: 200 })
  })

  test('a token in the query or in a cookie is not looked at', async () => {
    const { token } = tenant.admin
    expect(await call('GET', `/ping?access_token=${token}`)).toMatchObject({ status: 401 })
    expect(await call('GET', '/ping', { headers: { cookie: `access_token=${token}` } })).toMatchObject({
      status: 401,
    })
  })
})
