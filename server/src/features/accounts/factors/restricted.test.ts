import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { pingStatus, postLogin, postRefresh } from '../../../../test/accounts.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { endpoints, type Endpoint } from '../../../../test/endpoints.ts'
import {
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  signIn,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { addTotp, signInWithCode, withTokens, type App } from '../../../../test/second-factors.ts'

beforeAll(() => platformAdmin())

const setting = '/settings/tenant/auth.require_second_factor'

interface Strict {
  tenant: Tenant
  /** The administrator, with a second factor. */
  admin: Caller
  app: App
  /** A user without a second factor. */
  user: Caller
}

/** A tenant that requires a second factor. */
const strictTenant = async (): Promise<Strict> => {
  const tenant = await newTenant()
  const [app, user] = [await addTotp(tenant.admin), await tenant.userWith()]
  ok(await tenant.admin.put(setting, { value: true }))
  return { tenant, admin: tenant.admin, app, user }
}

const restricted = refusal('sessionRestricted')

/** Signs in with only the password. */
const signInPlainly = async (user: Caller): Promise<Caller> =>
  withTokens(user, ok(await postLogin(user.email)))

/** The path of an endpoint with unused ids. */
const anyPath = ({ path }: Endpoint): string => {
  const id = /^\/(?:auth|org)\//.test(path) ? crypto.randomUUID() : '1'
  return path.replaceAll(/:(?:id|userId|roleId|keyId)/g, id).replace(':key', 'any')
}

describe('a tenant that asks for a second factor', () => {
  test('restricts a session without one at once, and after a sign-in and a refresh', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await addTotp(tenant.admin)
    expect(await pingStatus(user.token)).toBe(200)
    ok(await tenant.admin.put(setting, { value: true }))
    expect(await user.get('/ping')).toMatchObject(restricted)
    expect(await (await signInPlainly(user)).get('/ping')).toMatchObject(restricted)
    const pair = ok(await postRefresh(user.refreshToken))
    expect(await withTokens(user, pair).get('/ping')).toMatchObject(restricted)
  })

  test('lets a restricted session reach its own account, and nothing else', async () => {
    const strict = await strictTenant()
    const { tenant } = strict
    const user = await signInPlainly(strict.user)
    const own = endpoints.filter(({ caller }) => ['account', 'suspendedAccount'].includes(caller))
    expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(['GET /profile', 'GET /auth/factors']))
    for (const endpoint of endpoints.filter(({ caller }) => caller !== 'nobody')) {
      // These two endpoints end the session. Tests below cover them.
      if (/^(POST \/auth\/logout|DELETE \/auth\/sessions)$/.test(endpoint.name)) continue
      const { status, body } = await call(endpoint.method, anyPath(endpoint), {
        token: user.token,
        tenant: tenant.id,
        body: endpoint.method === 'GET' ? undefined : {},
      })
      const isRestricted = status === 403 && body.code === 40315
      expect([endpoint.name, isRestricted]).toEqual([endpoint.name, !own.includes(endpoint)])
    }
    ok(await user.delete('/auth/sessions'))
    ok(await user.post('/auth/logout'))
  })

  test('gives a restricted session an access token that other verifiers refuse', async () => {
    const { token } = await signInPlainly((await strictTenant()).user)
    expect(decodeProtectedHeader(token).typ).toBe('restricted+jwt')
    expect(decodeJwt(token)).toMatchObject({ aud: 'tenantry:restricted', amr: ['pwd'] })
    const { keys } = (await call('GET', '//.well-known/jwks.json')).body as { keys: { kid: string }[] }
    expect(keys.map(({ kid }) => kid)).not.toContain(decodeProtectedHeader(token).kid)
  })

  test('is satisfied by a factor that the restricted session adds, whose next token is a full one', async () => {
    const user = await signInPlainly((await strictTenant()).user)
    expect(await user.get('/ping')).toMatchObject(restricted)
    await addTotp(user)
    expect(await pingStatus(user.token)).toBe(200)
    const { access_token: token } = ok(await postRefresh(user.refreshToken))
    expect(decodeProtectedHeader(token).typ).toBe('at+jwt')
  })

  test('serves those who signed in with one', async () => {
    const { admin, app } = await strictTenant()
    const again = await signInWithCode(admin, app)
    expect(decodeProtectedHeader(again.token).typ).toBe('at+jwt')
    expect((await again.get('/users')).status).toBe(200)
  })

  test('asks callers with tenant:enter for it as well, in reads and writes', async () => {
    const { tenant } = await strictTenant()
    const root = await signIn(await platformAdmin())
    const scope = { tenant: tenant.id }
    expect(await root.get('/users', scope)).toMatchObject(restricted)
    expect(await root.post('/rbac/roles', { name: 'x' }, scope)).toMatchObject(restricted)
    expect((await root.get('/users')).status).toBe(200)
    expect((await root.get('/auth/factors', scope)).status).toBe(200)
  })

  test('does not ask service accounts for it', async () => {
    const tenant = await newTenant()
    const key = await keyWith(tenant.id, ['user:read'])
    await addTotp(tenant.admin)
    ok(await tenant.admin.put(setting, { value: true }))
    expect((await key.get('/users')).status).toBe(200)
  })

  test('says to a product that a restricted session is unknown', async () => {
    const { admin, user } = await strictTenant()
    const { token } = await signInPlainly(user)
    const ask = (sessionId: unknown, userId: number) =>
      admin.get(`/authz/permissions?user_id=${userId}&session_id=${String(sessionId)}`)
    expect(await ask(decodeJwt(token)['sid'], user.userId)).toMatchObject(refusal('sessionUnknown'))
    expect((await ask(decodeJwt(admin.token)['sid'], admin.userId)).status).toBe(200)
  })

  test('lifts the restriction with the setting', async () => {
    const { admin, user: plain } = await strictTenant()
    const user = await signInPlainly(plain)
    expect(await user.get('/ping')).toMatchObject(restricted)
    ok(await admin.put(setting, { value: false }))
    expect(await pingStatus(user.token)).toBe(200)
  })
})

describe('the setting', () => {
  test('is turned on and off, and deleted, only in a session with mfa', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const denied = refusal('mfaRequired')
    expect(await admin.put(setting, { value: true })).toMatchObject(denied)
    expect(await admin.put(setting, { value: false })).toMatchObject(denied)
    const key = await keyWith(tenant.id, ['setting:update', 'setting:delete'])
    expect(await key.put(setting, { value: true })).toMatchObject(denied)
    await addTotp(admin)
    ok(await admin.put(setting, { value: true }))
    expect(await key.put(setting, { value: false })).toMatchObject(denied)
    expect(await key.delete(setting)).toMatchObject(denied)
    ok(await admin.delete(setting))
  })

  test.each(['true', 1, null, {}])('is true or false, and not %j', async (value) => {
    const { admin } = await newTenant()
    await addTotp(admin)
    expect(await admin.put(setting, { value })).toMatchObject(refusalOf('value'))
  })

  test('settings with other keys need no second factor', async () => {
    const { admin } = await newTenant()
    expect((await admin.put('/settings/tenant/auth.require', { value: true })).status).toBe(200)
  })
})
