/**
 * Known classes of vulnerability of administration backends, each tried as an attacker would. Tests beside the code cover
 * each class in depth: docs/guarantees.md names them.
 */
import { newApplication, newResource } from './applications.ts'
import { insertConnectionRows } from './connection-rows.ts'
import { insertHookRows } from './hooks.ts'
import { UnsecuredJWT, decodeJwt, decodeProtectedHeader, SignJWT, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../lab/receiver.ts'
import { refusal, refusalOf } from './answers.ts'
import { endpoints, newFlag } from './endpoints.ts'
import {
  auditRecords,
  clearCatalogue,
  countAuditRecords,
  keyWith,
  newTenant,
  nobodysId,
  ok,
  password,
  permissionIds,
  platformAdmin,
  signIn,
  systemRoleId,
  unique,
  type Caller,
  type Tenant,
} from './factories.ts'
import { call, clock, startApp, type Answer, type Running } from './harness.ts'
import { deleteProviders, newProvider } from './provider-rows.ts'
import { parseRaw, sendRequest } from './raw-http.ts'

const login = (email: string, given = password): Promise<Answer> =>
  call('POST', '/auth/login', { body: { email, password: given } })

const refresh = (token: string): Promise<Answer> =>
  call('POST', '/auth/refresh', { body: { refresh_token: token } })

/** A request line and body as no client library would send it, by this caller. */
const raw = async (method: string, path: string, caller: Caller, body?: string) => {
  const headers = [`Authorization: Bearer ${caller.token}`, 'Content-Type: application/json']
  return parseRaw(await sendRequest(`${method} /api/v1${path}`, headers, Buffer.from(body ?? '')))
}

let ours: Tenant
let theirs: Tenant
let root: Caller

beforeAll(async () => {
  root = await platformAdmin()
  ours = await newTenant()
  theirs = await newTenant()
})

describe('authorisation by header', () => {
  test('the tenant header gives a caller no rights in that tenant, and does not show whether it exists', async () => {
    const { admin } = ours
    const victim = await theirs.member()
    const headers = [theirs.id, theirs.id.toUpperCase(), '6f2f8a3e-0000-4000-8000-00000000dead']
    for (const tenant of headers) {
      expect(await admin.get('/users', { tenant })).toMatchObject(refusal('tenantForeign'))
      expect(await admin.delete(`/users/${victim.userId}`, { tenant })).toMatchObject(
        refusal('tenantForeign'),
      )
    }
    expect((await victim.get('/profile')).status).toBe(200)
  })

  test('a right held in the own tenant is none in the tenant of the header', async () => {
    const tenantReader = await newTenant()
    const role = await tenantReader.role('user:read', 'user:create')
    const user = await tenantReader.member()
    await root.post(`/rbac/users/${user.userId}/roles`, { role_id: role.id }, { tenant: tenantReader.id })
    expect((await user.get('/users')).status).toBe(200)
    const body = { email: `${unique()}@example.com`, username: unique(), password }
    expect(await user.post('/users', body, { tenant: theirs.id })).toMatchObject(refusal('tenantForeign'))
  })

  test('no other header changes the caller or the request', async () => {
    const member = await ours.member()
    const headers = {
      'x-user-id': String(root.userId),
      'x-forwarded-user': root.email,
      'x-remote-user': root.email,
      'x-tenant': theirs.id,
      'tenant-id': theirs.id,
      'x-role': 'platform-admin',
      'x-original-url': '/api/v1/healthz',
      'x-rewrite-url': '/api/v1/healthz',
      'x-http-method-override': 'DELETE',
      'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware',
      cookie: `access_token=${root.token}; token=${root.token}`,
    }
    expect((await member.get('/profile', { headers })).data).toMatchObject({
      id: member.userId,
      tenant_id: ours.id,
    })
    expect(await member.get('/users', { headers })).toMatchObject(refusal('permissionMissing'))
    expect(await call('GET', '/users', { headers })).toMatchObject(refusal('tokenMissing'))
    expect((await member.get('/profile')).status).toBe(200)
  })
})

/** Fields of a body that name another resource, or that its caller may not set. */
const smuggled = (id: number) => ({
  id,
  user_id: id,
  userId: id,
  account_id: id,
  role_id: id,
  tenant_id: theirs.id,
  tenantId: theirs.id,
  is_system: true,
  platform_only: false,
  created_at: '2000-01-01T00:00:00.000Z',
  last_login: '2000-01-01T00:00:00.000Z',
  password_hash: 'x',
  password: 'smuggled password',
  roles: ['platform-admin'],
  permissions: ['tenant:delete'],
})

interface Update {
  path: string
  body: object
  by?: Caller
}

describe('an id in the body against the id in the path', () => {
  /** One resource of each kind in either tenant. */
  const thingsOf = async (tenant: Tenant) => {
    const user = await tenant.member()
    const role = await tenant.role('dashboard:read')
    const { data } = await tenant.admin.post('/notifications', { user_id: user.userId, title: 'Hello' })
    await tenant.admin.put('/settings/tenant/color', { value: 'red' })
    const service = await keyWith(tenant.id, [])
    const hook = await insertHookRows(tenant)
    return { user, role, service, hook, notification: data.id as number }
  }

  const stateOf = async (
    tenant: Tenant,
    { user, role, service, hook, notification }: Awaited<ReturnType<typeof thingsOf>>,
  ) => {
    const paths = [
      `/users/${user.userId}`,
      `/rbac/users/${user.userId}/roles`,
      `/rbac/roles/${role.id}`,
      `/org/tenants/${tenant.id}`,
      `/notifications/${notification}`,
      '/settings/tenant',
      `/service-accounts/${service.userId}`,
      `/service-accounts/${service.userId}/keys`,
      `/webhooks/${hook}`,
    ]
    const answers = await Promise.all(paths.map((path) => tenant.admin.get(path)))
    return answers.map(({ status, data }) => ({ status, data }))
  }

  test('an update changes only the resource in its path, and only fields that its caller may set', async () => {
    const [mine, foreign] = [await thingsOf(ours), await thingsOf(theirs)]
    const bystander = await thingsOf(ours)
    const renamed = await newTenant()
    const before = [await stateOf(theirs, foreign), await stateOf(ours, bystander)]
    const key = unique('key')
    const permission = ok(await root.post('/rbac/permissions', { code: `${unique('m')}:go`, name: 'Go' }))
    const template = ok(await root.post('/rbac/role-templates', { name: unique('role') }))
    const [application, resource] = [await newApplication(), await newResource(permission.id)]
    const [flag, declared, lockable] = [unique('flag'), unique('declared'), unique('lockable')]
    ok(await root.post('/flags', newFlag(flag)))
    const provider = ok(await root.post('/providers', newProvider()))
    onTestFinished(async () => void (await deleteProviders()))
    const declaration = { schema: {}, scopes: ['global', 'tenant', 'user'] }
    ok(await root.put(`/settings/definitions/${lockable}`, declaration))
    const updates: Record<string, Update> = {
      '/flags/:key': { path: `/flags/${flag}`, body: { description: 'd' }, by: root },
      '/flags/:key/tenants/:tenantId': {
        path: `/flags/${flag}/tenants/${ours.id}`,
        body: { variant: 'on' },
        by: root,
      },
      '/settings/definitions/:key': {
        path: `/settings/definitions/${declared}`,
        body: declaration,
        by: root,
      },
      '/attributes/:subject/:key': {
        path: `/attributes/user/${unique('declared')}`,
        body: { schema: { type: 'string' } },
        by: root,
      },
      '/settings/global/:key/lock': { path: `/settings/global/${lockable}/lock`, body: {}, by: root },
      '/settings/user/:key': { path: `/settings/user/${declared}`, body: { value: 1 }, by: mine.user },
      '/settings/users/:id/:key': {
        path: `/settings/users/${mine.user.userId}/${declared}`,
        body: { value: 2 },
      },
      '/users/:id': { path: `/users/${mine.user.userId}`, body: { nickname: 'n' } },
      '/org/tenants/:id': { path: `/org/tenants/${renamed.id}`, body: { name: 'Ours' }, by: root },
      '/rbac/roles/:id': { path: `/rbac/roles/${mine.role.id}`, body: { description: 'd' } },
      '/rbac/roles/:id/permissions': {
        path: `/rbac/roles/${mine.role.id}/permissions`,
        body: { permission_ids: permissionIds('user:read') },
      },
      '/rbac/permissions/:id': { path: `/rbac/permissions/${permission.id}`, body: { name: 'n' }, by: root },
      '/rbac/role-templates/:id': {
        path: `/rbac/role-templates/${template.id}`,
        body: { name: template.name, description: 'd', permission_ids: [] },
        by: root,
      },
      '/service-accounts/:id': {
        path: `/service-accounts/${mine.service.userId}`,
        body: { description: 'd' },
      },
      '/settings/global/:key': { path: `/settings/global/${key}`, body: { value: 1 }, by: root },
      '/settings/tenant/:key': { path: '/settings/tenant/color', body: { value: 'red' } },
      '/notifications/:id/read': {
        path: `/notifications/${mine.notification}/read`,
        body: {},
        by: mine.user,
      },
      '/notifications/read-all': { path: '/notifications/read-all', body: {}, by: mine.user },
      '/profile': { path: '/profile', body: { nickname: 'n' }, by: mine.user },
      '/connections/:id': { path: `/connections/${await insertConnectionRows(ours)}`, body: { name: 'n' } },
      '/rbac/users/:userId/roles/:roleId': {
        path: `/rbac/users/${mine.user.userId}/roles/${systemRoleId('member')}`,
        body: { expires_at: null },
      },
      '/users/:id/sso-exemption': {
        path: `/users/${mine.user.userId}/sso-exemption`,
        body: { exempt: false },
      },
      '/webhooks/:id': { path: `/webhooks/${mine.hook}`, body: { description: 'd' } },
      '/applications/:id': { path: `/applications/${application.id}`, body: { name: 'n' }, by: root },
      '/providers/:id': { path: `/providers/${provider.id}`, body: { name: 'n' }, by: root },
      '/resources/:id': {
        path: `/resources/${resource.id}`,
        body: { name: 'n', permission_ids: [permission.id] },
        by: root,
      },
    }
    // A policy needs people who may decide: approvals/policies.test.ts.
    const isOfPolicy = (path: string) => path === '/approval-policies/:operation'
    const puts = endpoints.filter(({ method, path }) => method === 'PUT' && !isOfPolicy(path))
    const paths = puts.map(({ path }) => path)
    expect(Object.keys(updates).toSorted()).toEqual(paths.toSorted())

    const ids = [
      foreign.user.userId,
      foreign.role.id,
      foreign.notification,
      bystander.user.userId,
      foreign.service.userId,
      foreign.hook,
      bystander.service.userId,
      root.userId,
    ]
    for (const { path, body, by = ours.admin } of Object.values(updates)) {
      for (const id of ids) {
        const sent = { ...smuggled(id), key: `${key}.other`, scope: 'global', ...body }
        expect((await by.put(path, sent, { tenant: ours.id })).status).toBe(200)
      }
    }
    expect([await stateOf(theirs, foreign), await stateOf(ours, bystander)]).toEqual(before)
    expect((await ours.admin.get(`/users/${mine.user.userId}`)).data).toMatchObject({
      id: mine.user.userId,
      tenant_id: ours.id,
      username: mine.user.username,
    })
    expect((await ours.admin.get(`/rbac/roles/${mine.role.id}`)).data).toMatchObject({
      tenant_id: ours.id,
      is_system: false,
      permissions: [expect.objectContaining({ code: 'user:read' })],
    })
    expect((await login(mine.user.email)).status).toBe(200)
    expect((await root.get(`/settings/global/${key}.other`)).status).toBe(404)
    await clearCatalogue()
  })

  test('an account, a user, a role or a tenant is created without smuggled fields', async () => {
    const fresh = () => ({ email: `${unique()}@example.com`, username: unique() })
    const registered = await call('POST', '/auth/register', {
      body: { ...smuggled(root.userId), ...fresh(), status: 0, password },
    })
    const profile = await call('GET', '/profile', { token: registered.data.access_token })
    expect(profile.data).toMatchObject({ tenant_id: root.tenantId, status: 1 })
    expect(profile.data.id).not.toBe(root.userId)
    expect(await call('GET', '/users', { token: registered.data.access_token })).toMatchObject(
      refusal('permissionMissing'),
    )
    const { data: user } = await ours.admin.post('/users', { ...smuggled(1), ...fresh(), password })
    expect(user).toMatchObject({ tenant_id: ours.id, last_login: '' })
    expect((await ours.admin.get(`/rbac/users/${user.id}/roles`)).data).toMatchObject([{ name: 'member' }])
    const { data: role } = await ours.admin.post('/rbac/roles', { ...smuggled(1), name: unique() })
    expect(role).toMatchObject({ tenant_id: ours.id, is_system: false, permissions: [] })
    const account = await ours.admin.post('/service-accounts', { ...smuggled(1), name: unique() })
    expect(account.data).toMatchObject({ tenant_id: ours.id, last_used_at: '' })
    expect((await ours.admin.get(`/rbac/users/${account.data.id}/roles`)).data).toEqual([])
    const { data: tenant } = await root.post('/org/tenants', {
      ...smuggled(1),
      id: theirs.id,
      name: 'New',
      slug: unique('t'),
    })
    expect(tenant.id).not.toBe(theirs.id)
  })
})

describe('granting a permission that the caller lacks', () => {
  test('a caller grants no foreign permission by a new role, an assignment, or a change of the own role', async () => {
    const clerk = await ours.userWith('role:read', 'role:create', 'role:update', 'role:assign')
    const accomplice = await ours.member()
    const records = await countAuditRecords(ours.id)
    const permission_ids = permissionIds('user:delete')
    const { data: held } = await clerk.get(`/rbac/users/${clerk.userId}/roles`)
    const adminRole = systemRoleId('admin')
    expect(await clerk.put(`/rbac/roles/${held[0].id}/permissions`, { permission_ids })).toMatchObject(
      refusal('grantExceedsOwn'),
    )
    for (const userId of [clerk.userId, accomplice.userId]) {
      expect(await clerk.post(`/rbac/users/${userId}/roles`, { role_id: adminRole })).toMatchObject(
        refusal('grantExceedsOwn'),
      )
    }
    expect(await countAuditRecords(ours.id)).toBe(records)
  })

  test('a tenant’s administrator makes no platform administrator, by no role, name, id or tenant', async () => {
    const { admin } = ours
    const platformRole = systemRoleId('platform-admin')
    const { data: role } = await admin.post('/rbac/roles', { name: unique() })
    expect(
      await admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: permissionIds('tenant:read') }),
    ).toMatchObject(refusalOf('permission_ids', 'platformOnlyPermission'))
    expect(await admin.post(`/rbac/users/${admin.userId}/roles`, { role_id: platformRole })).toMatchObject(
      refusal('roleUnknown'),
    )
    const named = await admin.post('/rbac/roles', { name: 'platform-admin' })
    expect(named.data).toMatchObject({ is_system: false, permissions: [] })
    expect((await admin.post(`/rbac/users/${admin.userId}/roles`, { role_id: named.data.id })).status).toBe(
      200,
    )
    expect(await admin.get('/org/tenants')).toMatchObject(refusal('permissionMissing'))
    expect(await admin.get('/users', { tenant: theirs.id })).toMatchObject(refusal('tenantForeign'))
  })
})

describe('registration that is closed', () => {
  let closed: Running
  beforeAll(async () => {
    closed = await startApp({ signUp: 'closed' })
  })
  afterAll(() => closed.app.close())

  const fresh = () => ({ email: `${unique()}@example.com`, username: unique(), password })

  test('lets no caller in by any spelling of its path, any header, or the token of an administrator', async () => {
    const headers = { 'x-forwarded-for': '127.0.0.1', 'x-original-url': '/api/v1/auth/register' }
    const doors: Record<string, number> = {
      '/auth/register': 403,
      '/auth/register?registration=open': 403,
      '/auth/%72egister': 403,
      '/auth/register/': 404,
      '/auth/Register': 404,
      '/auth/register.json': 404,
      '/auth/signup': 404,
      '/users/register': 405,
      '//auth/register': 404,
      '//api/v1//auth/register': 404,
    }
    for (const [path, status] of Object.entries(doors)) {
      for (const token of [undefined, root.token]) {
        const body = fresh()
        const answer = await call('POST', path, { body, headers, token, at: closed })
        expect([path, answer.status]).toEqual([path, status])
        expect((await login(body.email)).status).toBe(401)
      }
    }
  })

  test('leaves no other door: creating users needs the permission, signing in and changing users create none', async () => {
    const member = await ours.member()
    const body = fresh()
    expect(await call('POST', '/users', { body, at: closed })).toMatchObject(refusal('tokenMissing'))
    expect(await member.post('/users', body, { at: closed })).toMatchObject(refusal('permissionMissing'))
    expect(await ours.admin.put(`/users/${nobodysId}`, body, { at: closed })).toMatchObject(
      refusal('userUnknown'),
    )
    expect(await call('POST', '/auth/login', { body, at: closed })).toMatchObject(refusal('credentialsWrong'))
    expect((await login(body.email)).status).toBe(401)
    expect((await ours.admin.post('/users', body, { at: closed })).status).toBe(200)
  })
})

describe('a token from before', () => {
  const expectOut = async (session: Caller): Promise<void> => {
    expect(await session.get('/profile')).toMatchObject(refusal('tokenInvalid'))
    expect(await refresh(session.refreshToken)).toMatchObject(refusal('refreshTokenInvalid'))
  }

  test('disabling its user ends it at once, and enabling does not revive it', async () => {
    const user = await ours.member()
    await ours.admin.put(`/users/${user.userId}`, { status: 0 })
    await expectOut(user)
    await ours.admin.put(`/users/${user.userId}`, { status: 1 })
    await expectOut(user)
  })

  test('deleting its user ends it at once, also when the same e-mail comes back', async () => {
    const user = await ours.member()
    await ours.admin.delete(`/users/${user.userId}`)
    await expectOut(user)
    const { email, username } = user
    expect((await ours.admin.post('/users', { email, username, password })).status).toBe(200)
    await expectOut(user)
  })

  test('a password change ends every other session of its user', async () => {
    const user = await ours.member()
    const stolen = await signIn(user)
    const body = { old_password: password, new_password: 'another fine password' }
    expect((await user.post('/password', body)).status).toBe(200)
    await expectOut(stolen)
    expect((await user.get('/profile')).status).toBe(200)
  })

  test('disabling or deleting its tenant shuts it out at once', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await root.put(`/org/tenants/${tenant.id}`, { status: 0 })
    expect(await user.get('/profile')).toMatchObject(refusal('tenantDisabled'))
    expect((await refresh(user.refreshToken)).status).toBe(401)
    await root.delete(`/org/tenants/${tenant.id}`)
    await expectOut(user)
  })

  test('a role that was taken away gives it no permission any more', async () => {
    const user = await ours.member()
    const viewer = systemRoleId('viewer')
    await ours.admin.post(`/rbac/users/${user.userId}/roles`, { role_id: viewer })
    expect((await user.get('/users')).status).toBe(200)
    await ours.admin.delete(`/rbac/users/${user.userId}/roles/${viewer}`)
    expect(await user.get('/users')).toMatchObject(refusal('permissionMissing'))
  })
})

describe('one name in two forms', () => {
  test('no second account has the e-mail of the first in another case', async () => {
    const { admin } = ours
    const taken = `${unique('Mixed')}@Example.com`
    expect((await admin.post('/users', { email: taken, username: unique(), password })).status).toBe(200)
    for (const email of [taken.toLowerCase(), taken.toUpperCase(), ` ${taken} `]) {
      const body = { email, username: unique(), password }
      expect(await call('POST', '/auth/register', { body })).toMatchObject(refusal('emailTaken'))
      expect(await theirs.admin.post('/users', body)).toMatchObject(refusal('emailTaken'))
      const { userId } = await theirs.member()
      expect(await theirs.admin.put(`/users/${userId}`, { email })).toMatchObject(refusal('emailTaken'))
      expect((await login(email)).status).toBe(200)
    }
  })

  test.each([
    ['full-width letters', 'ｖictim@example.com'],
    ['the Kelvin sign, which is k in lower case', 'mi\u212Ae@example.com'],
    ['a dotless i, whose capital is I', 'v\u0131ctim@example.com'],
    ['a long s, whose capital is S', 'bo\u017Fs@example.com'],
    ['a Cyrillic letter', 'victim@ex\u0430mple.com'],
    ['a combining accent', 'victi\u0301m@example.com'],
    ['a full-width at sign', 'victim＠example.com'],
    ['an ideographic full stop', 'victim@example。com'],
    ['a zero-width space', 'vic\u200Btim@example.com'],
    ['a line break and another address', 'victim@example.com\nx@example.com'],
    ['two addresses', 'victim@example.com,x@example.com'],
  ])('an e-mail with %s is refused at every door', async (_what, email) => {
    const body = { email, username: unique(), password }
    const { userId } = await ours.member()
    expect(await call('POST', '/auth/register', { body })).toMatchObject(refusalOf('email'))
    expect(await ours.admin.post('/users', body)).toMatchObject(refusalOf('email'))
    expect(await ours.admin.put(`/users/${userId}`, { email })).toMatchObject(refusalOf('email'))
  })

  test('a username is the same in any case, and has no other Unicode form', async () => {
    const username = unique('Name')
    const fresh = (name: string) => ({ email: `${unique()}@example.com`, username: name, password })
    expect((await ours.admin.post('/users', fresh(username))).status).toBe(200)
    for (const name of [username.toUpperCase(), username.toLowerCase(), ` ${username}\t`]) {
      expect(await ours.admin.post('/users', fresh(name))).toMatchObject(refusal('usernameTaken'))
    }
    for (const name of [`${username}\u200B`, `\uFF21${username}`, `${username}\u212A`, `${username}\u0430`]) {
      expect(await ours.admin.post('/users', fresh(name))).toMatchObject(refusalOf('username'))
    }
  })

  test('no second role looks like a system role or like another one by case or compatibility form', async () => {
    const { admin } = ours
    for (const name of ['ADMIN', 'ａｄｍｉｎ', 'ⓐⓓⓜⓘⓝ', '𝐚𝐝𝐦𝐢𝐧', ' admin\u3000']) {
      expect(await admin.post('/rbac/roles', { name })).toMatchObject(refusal('roleNameTaken'))
    }
    const { data } = await admin.post('/rbac/roles', { name: unique() })
    expect(await admin.put(`/rbac/roles/${data.id}`, { name: 'ﬁnance Ａdmin' })).toMatchObject({
      status: 200,
    })
    expect(await admin.post('/rbac/roles', { name: 'FINANCE admin' })).toMatchObject(refusal('roleNameTaken'))
  })
})

describe('a token of the attacker’s own making', () => {
  const expectRefused = async (token: string): Promise<void> => {
    expect(await call('GET', '/users', { token })).toMatchObject(refusal('tokenInvalid'))
    expect(await refresh(token)).toMatchObject(refusal('refreshTokenInvalid'))
  }

  test('a token without a signature is refused, under any name of its algorithm', async () => {
    const claims = decodeJwt(root.token)
    await expectRefused(new UnsecuredJWT(claims).encode())
    const [, payload = '', signature = ''] = root.token.split('.')
    for (const alg of ['none', 'NONE', 'nOnE', '', null]) {
      const head = { ...decodeProtectedHeader(root.token), alg }
      const encoded = Buffer.from(JSON.stringify(head)).toString('base64url')
      await expectRefused(`${encoded}.${payload}.`)
      await expectRefused(`${encoded}.${payload}.${signature}`)
    }
  })

  test('a token signed with the published key as a secret, or with its own key, is refused', async () => {
    const claims = decodeJwt(root.token)
    const { kid } = decodeProtectedHeader(root.token)
    const { body } = await call('GET', '//.well-known/jwks.json')
    const jwk = body.keys.find((key: { kid: string }) => key.kid === kid)
    const header = { kid: String(kid) }
    for (const secret of [
      Buffer.from(jwk.x, 'base64url'),
      Buffer.from(jwk.x),
      Buffer.from(JSON.stringify(jwk)),
    ]) {
      const signer = new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' })
      await expectRefused(await signer.sign(new Uint8Array(secret)))
    }
    const { privateKey } = await generateKeyPair('EdDSA')
    const extras = [{}, { jwk: { ...jwk } }, { kid: '../../../../dev/null' }, { kid: "' or 1=1 --" }]
    for (const extra of extras) {
      const signer = new SignJWT(claims).setProtectedHeader({ ...header, alg: 'EdDSA', ...extra })
      await expectRefused(await signer.sign(privateKey))
    }
  })

  test('the claims of another user under the own signature are refused', async () => {
    const member = await ours.member()
    const [head, , signature] = member.token.split('.')
    await expectRefused([head, root.token.split('.')[1], signature].join('.'))
  })
})

describe('a stolen refresh token', () => {
  test('ends the session for thief and owner when the second of them uses it, and is on record', async () => {
    const user = await ours.member()
    const thief = await refresh(user.refreshToken)
    expect(thief.status).toBe(200)
    clock.advance(11_000)
    expect(await refresh(user.refreshToken)).toMatchObject(refusal('refreshTokenInvalid'))
    expect(await refresh(thief.data.refresh_token)).toMatchObject(refusal('refreshTokenInvalid'))
    for (const token of [thief.data.access_token, user.token]) {
      expect(await call('GET', '/profile', { token })).toMatchObject(refusal('tokenInvalid'))
    }
    const records = await root.get(`/audit/logs?user_id=${user.userId}&action=auth.refresh_reused`, {
      tenant: ours.id,
    })
    expect(records.data.total).toBe(1)
  })
})

describe('finding out which e-mails have an account', () => {
  /** The answer without the parts that differ from request to request. */
  const shown = ({ status, headers, body }: Answer) => {
    const named = [...headers].filter(([name]) => !['date', 'x-trace-id'].includes(name))
    return JSON.stringify([status, named, { ...body, trace_id: '' }])
  }

  test('a login answers alike for an unknown, a deleted, a disabled and a suspended account', async () => {
    const [known, disabled, deleted] = [await ours.member(), await ours.member(), await ours.member()]
    const tenant = await newTenant()
    const suspended = await tenant.member()
    await ours.admin.put(`/users/${disabled.userId}`, { status: 0 })
    await ours.admin.delete(`/users/${deleted.userId}`)
    await root.put(`/org/tenants/${tenant.id}`, { status: 0 })
    const wrong = shown(await login(known.email, 'not the password'))
    for (const email of [`${unique()}@example.com`, disabled.email, deleted.email, suspended.email]) {
      expect(shown(await login(email, 'not the password'))).toBe(wrong)
    }
  })

  test('a user, a role or a notification of another tenant answers like none', async () => {
    const { admin } = ours
    const foreign = await theirs.member()
    const role = await theirs.role()
    const { data } = await theirs.admin.post('/notifications', { user_id: foreign.userId, title: 'Hello' })
    const pairs = [
      [`/users/${foreign.userId}`, `/users/${nobodysId}`],
      [`/rbac/roles/${role.id}`, `/rbac/roles/${nobodysId}`],
      [`/rbac/users/${foreign.userId}/roles`, `/rbac/users/${nobodysId}/roles`],
      [`/notifications/${data.id}`, `/notifications/${nobodysId}`],
      [`/notifications/user/${foreign.userId}`, `/notifications/user/${nobodysId}`],
    ] as const
    for (const [real, none] of pairs) {
      const answer = await admin.get(real)
      expect(answer.status).toBe(404)
      expect(shown(answer)).toBe(shown(await admin.get(none)))
    }
  })
})

describe('an address in a request', () => {
  test('is never called, at any position', async () => {
    const visits: string[] = []
    const listener = await listen((request, response) => {
      visits.push(request.url ?? '')
      response.end()
    })
    const { port } = listener
    const url = `${listener.url}/visited`
    const { admin } = ours
    const member = await ours.member()

    const { privateKey } = await generateKeyPair('EdDSA')
    for (const extra of [{ jku: url }, { x5u: url }, { kid: url }, { jku: url, kid: url }]) {
      const signer = new SignJWT({ ...decodeJwt(root.token), iss: url })
      const token = await signer.setProtectedHeader({ alg: 'EdDSA', ...extra }).sign(privateKey)
      expect((await call('GET', '/profile', { token })).status).toBe(401)
    }
    const headers = {
      referer: url,
      origin: `http://127.0.0.1:${port}`,
      forwarded: `host=127.0.0.1:${port}`,
      'x-forwarded-host': `127.0.0.1:${port}`,
      'x-callback-url': url,
    }
    const fields = { url, avatar: url, webhook: url, callback_url: url, $ref: url, logo: url }
    const value = { ...fields, $schema: url, dsn: url }
    const answers = [
      await admin.put('/settings/tenant/webhook.url', { value }, { headers }),
      await admin.put(`/users/${member.userId}`, { ...fields, nickname: url.slice(0, 64) }, { headers }),
      await admin.post('/notifications', {
        user_id: member.userId,
        title: url,
        content: `<img src="${url}">`,
      }),
      await member.get(`/profile?url=${encodeURIComponent(url)}`, { headers }),
      await root.put(`/org/tenants/${ours.id}`, { ...fields, name: url }, { headers }),
      await call('GET', `//api/upgrade/check?manifest=${encodeURIComponent(url)}`, { headers }),
      await call('GET', `//openapi.json?url=${encodeURIComponent(url)}`, { headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))

    expect(visits).toEqual([])
    await listener.stop()
  })
})

describe('a setting key that looks like a path', () => {
  test('leads to no other setting, scope or file', async () => {
    const { admin } = ours
    const key = unique('global')
    await root.put(`/settings/global/${key}`, { value: 'untouched' })
    const records = await countAuditRecords(root.tenantId)
    const paths = [
      `/settings/tenant/../global/${key}`,
      `/settings/tenant/..%2Fglobal%2F${key}`,
      `/settings/tenant/%2e%2e/global/${key}`,
      `/settings/tenant/%2e%2e%2fglobal%2f${key}`,
      `/settings/tenant/..%252fglobal%252f${key}`,
      `/settings/tenant/..%5Cglobal%5C${key}`,
      `/settings/tenant/..;/global/${key}`,
      `/settings/tenant//global/${key}`,
      '/settings/tenant/..%2f..%2f..%2f..%2fetc%2fpasswd',
      '/settings/tenant/..%c0%af..%c0%afetc%c0%afpasswd',
      '/settings/tenant/color%00.json',
    ]
    for (const path of paths) {
      for (const [method, body] of [['GET'], ['PUT', '{"value":"overwritten"}']] as const) {
        const { status } = await raw(method, path, admin, body)
        expect([400, 404], `${method} ${path}`).toContain(status)
      }
    }
    expect((await root.get(`/settings/global/${key}`)).data.value).toBe('untouched')
    expect(await countAuditRecords(root.tenantId)).toBe(records)
  })

  test('a key of only dots is a key like any other, of its tenant only', async () => {
    const { admin } = ours
    for (const key of ['..', '.', '...']) {
      const path = `/settings/tenant/${key}`
      expect((await raw('PUT', path, admin, `{"value":"${key}"}`)).status).toBe(200)
      const { data } = (await raw('GET', path, admin)).body
      expect(data).toMatchObject({ key, value: key, scope: 'tenant', tenant_id: ours.id })
      expect((await raw('GET', `/settings/tenant/${key}`, theirs.admin)).status).toBe(404)
      expect((await raw('GET', `/settings/global/${key}`, admin)).status).toBe(404)
    }
  })
})

describe('polluting the prototype of objects', () => {
  const expectClean = async (): Promise<void> => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBe(undefined)
    expect(await (await ours.member()).get('/users')).toMatchObject(refusal('permissionMissing'))
  }

  test('a body does not do it, at any depth, by any name', async () => {
    const { admin } = ours
    const poison = '{"polluted":true,"permissions":["user:read"]}'
    const refused = [`{"value":1,"__proto__":${poison}}`, `{"value":{"a":[{"__proto__":${poison}}]}}`]
    for (const body of refused) {
      expect((await raw('PUT', '/settings/tenant/poison', admin, body)).status).toBe(400)
    }
    const kept = `{"value":{"constructor":{"prototype":${poison}}},"constructor":{"prototype":${poison}}}`
    expect((await raw('PUT', '/settings/tenant/poison', admin, kept)).status).toBe(200)
    expect((await admin.get('/settings/tenant/poison')).data.value).toEqual(JSON.parse(kept).value)
    await expectClean()
  })

  test('names that every object has are names like others, or unknown', async () => {
    const { admin } = ours
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']
    for (const name of names) {
      const path = `/settings/tenant/${name}`
      expect((await admin.get(path)).status).toBe(404)
      expect((await admin.put(path, { value: { polluted: name } })).status).toBe(200)
      expect((await admin.get(path)).data).toMatchObject({ key: name, value: { polluted: name } })
      expect((await admin.get(`/audit/logs?action=${name}&resource=${name}`)).data.total).toBe(0)
      expect((await admin.get(`/users?${name}[polluted]=1&${name}.polluted=1`)).status).toBe(200)
      const { data } = await admin.post('/rbac/roles', { name })
      expect(data).toMatchObject({ name, permissions: [] })
      const [record] = await auditRecords(ours.id, 'role', data.id)
      expect(record?.detail['name']).toEqual({ from: null, to: name })
      expect((await call('GET', `/${name}`, { token: admin.token })).status).toBe(404)
    }
    await expectClean()
  })
})
