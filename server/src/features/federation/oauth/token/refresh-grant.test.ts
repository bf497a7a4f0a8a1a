import { describe, expect, test } from 'vitest'
import { postRefresh, recordsOf } from '../../../../../test/accounts.ts'
import { newTenant, ok, platformAdmin } from '../../../../../test/factories.ts'
import {
  changeApplication,
  claimsOf,
  newApplication,
  newResource,
  oauthRefusal,
  openSession,
  postForm,
  refresh,
} from '../../../../../test/front-door.ts'
import { call, clock } from '../../../../../test/harness.ts'
import { addTotp } from '../../../../../test/second-factors.ts'

const refused = oauthRefusal('invalid_grant')

const isLive = async (token: string): Promise<boolean> =>
  (await postForm('/userinfo', { access_token: token })).status === 200

describe('a refresh', () => {
  test('gives new tokens of the same session', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const first = await openSession(admin, application)
    const { status, body } = await refresh(application, first.refresh_token, { scope: 'openid' })
    expect([status, body.scope]).toEqual([200, 'openid'])
    expect(claimsOf(body.access_token)).toMatchObject({
      sid: claimsOf(first.access_token)['sid'],
      auth_time: claimsOf(first.access_token)['auth_time'],
    })
    expect(claimsOf(body.id_token)).toMatchObject({ sid: claimsOf(first.id_token)['sid'] })
    expect(claimsOf(body.id_token)['nonce']).toBeUndefined()
  })

  test('gives an ID token only where its scope names openid', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const first = await openSession(admin, application, { scopes: ['openid', 'email'] })
    const { body } = await refresh(application, first.refresh_token)
    expect([body.scope, body.id_token]).toEqual(['openid email', undefined])
    const more = await refresh(application, body.refresh_token, { scope: 'openid' })
    expect(claimsOf(more.body.id_token)).toMatchObject({ email: admin.email })
  })

  test('the same token gives the same generation again within 10 seconds', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const { refresh_token: token } = await openSession(admin, application)
    const answers = [await refresh(application, token), await refresh(application, token)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [one, other] = answers.map(({ body }) => body.refresh_token)
    expect(await refresh(application, one)).toMatchObject({ status: 200 })
    expect(await refresh(application, other)).toMatchObject({ status: 200 })
  })

  test('a used token ends only this session, with an audit record', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const { refresh_token: token, signIn } = await openSession(admin, application)
    const other = await openSession(admin, application, { signIn })
    const { body } = await refresh(application, token)
    clock.advance(11_000)
    expect(await refresh(application, token)).toMatchObject(refused)
    expect(await isLive(body.access_token)).toBe(false)
    expect(await isLive(other.access_token)).toBe(true)
    expect((await recordsOf(admin)).at(-1)).toMatchObject({ action: 'auth.refresh_reused' })
  })

  test('another client is refused, and leaves the token unused', async () => {
    const { admin } = await newTenant()
    const [application, other] = [await newApplication(), await newApplication()]
    const { refresh_token: token } = await openSession(admin, application)
    expect(await refresh(other, token)).toMatchObject(refused)
    clock.advance(11_000)
    expect(await refresh(application, token)).toMatchObject({ status: 200 })
  })

  test('a disabled tenant is refused, and leaves the token unused', async () => {
    const [tenant, root] = [await newTenant(), await platformAdmin()]
    const application = await newApplication()
    const { refresh_token: token } = await openSession(tenant.admin, application)
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 0 }))
    expect(await refresh(application, token)).toMatchObject(refused)
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 1 }))
    expect(await refresh(application, token)).toMatchObject({ status: 200 })
  })

  test('is refused for a disabled user, a removed tenant and a disabled application', async () => {
    const root = await platformAdmin()
    const prepare = async () => {
      const tenant = await newTenant()
      const application = await newApplication()
      const user = await tenant.member()
      return { tenant, application, user, ...(await openSession(user, application)) }
    }
    const [disabled, removed, shut] = [await prepare(), await prepare(), await prepare()]
    ok(await disabled.tenant.admin.put(`/users/${disabled.user.userId}`, { status: 0 }))
    ok(await root.delete(`/org/tenants/${removed.tenant.id}`))
    await changeApplication(shut.application, { status: 0 })
    for (const { application, refresh_token: token } of [disabled, removed]) {
      expect(await refresh(application, token)).toMatchObject(refused)
    }
    expect((await refresh(shut.application, shut.refresh_token)).status).toBeGreaterThanOrEqual(400)
  })

  test('a refresh gets no more than the authorization, and an error of the request leaves the token unused', async () => {
    const { admin } = await newTenant()
    const resource = await newResource([])
    const application = await newApplication({ resource_ids: [resource.id] })
    const { refresh_token: token } = await openSession(admin, application, { resource, narrowedTo: [] })
    const elsewhere = { resource: 'https://other.example.com' }
    for (const scope of ['openid email', 'openid x:gone']) {
      expect(await refresh(application, token, { scope })).toMatchObject(oauthRefusal('invalid_scope'))
    }
    expect(await refresh(application, token, elsewhere)).toMatchObject(oauthRefusal('invalid_target'))
    clock.advance(11_000)
    const again = { scope: 'openid', resource: resource.identifier.toUpperCase().replace('/MCP', '/mcp') }
    expect(await refresh(application, token, again)).toMatchObject({ status: 200 })
  })

  test('a session that has become restricted is refused', async () => {
    const tenant = await newTenant()
    const application = await newApplication()
    const { refresh_token: token, access_token: access } = await openSession(
      await tenant.member(),
      application,
    )
    await addTotp(tenant.admin)
    ok(await tenant.admin.put('/settings/tenant/auth.require_second_factor', { value: true }))
    expect(await refresh(application, token)).toMatchObject(refused)
    expect(await isLive(access)).toBe(false)
  })
})

describe('a refresh token', () => {
  test('the console refuses the refresh token of an application, and the application’s endpoint that of the console', async () => {
    const { admin } = await newTenant()
    const application = await newApplication({ kind: 'browser' })
    const { refresh_token: token } = await openSession(admin, application)
    expect((await postRefresh(token)).status).toBe(401)
    const headers = { 'sec-fetch-site': 'same-origin' }
    const kept = await call('POST', '//console/session', { headers, body: { refresh_token: token } })
    expect(kept.status).toBe(401)
    expect(await refresh(application, admin.refreshToken)).toMatchObject(refused)
    expect(await refresh({ ...application, clientId: 'tenantry' }, admin.refreshToken)).toMatchObject(
      oauthRefusal('invalid_client', 401),
    )
  })

  test('is no access token', async () => {
    const { admin } = await newTenant()
    const application = await newApplication({ tenantry_api: true })
    const { refresh_token: token } = await openSession(admin, application)
    expect((await call('GET', '/ping', { token })).status).toBe(401)
    expect(await isLive(token)).toBe(false)
  })
})
