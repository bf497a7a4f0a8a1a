/** Tokens of service accounts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  clearCatalogue,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  unique,
} from '../../../../../test/factories.ts'
import {
  claimsOf,
  newApplication,
  newResource,
  oauthRefusal,
  postToken,
} from '../../../../../test/front-door.ts'
import { call, parts, startApp } from '../../../../../test/harness.ts'

interface Key {
  userId: number
  token: string
}

const ask = (key: Key, more: Record<string, string> = {}) =>
  postToken({
    grant_type: 'client_credentials',
    client_id: `sa_${key.userId}`,
    client_secret: key.token,
    ...more,
  })

/** Permissions of the product. */
let codes: string[]
let ids: number[]
beforeAll(async () => {
  const root = await platformAdmin()
  const created = [1, 2].map(async () =>
    ok(await root.post('/rbac/permissions', { code: `${unique('m')}:read`, name: 'Read' })),
  )
  const permissions: { id: number; code: string }[] = await Promise.all(created)
  codes = permissions.map(({ code }) => code)
  ids = permissions.map(({ id }) => id)
})
afterAll(clearCatalogue)

describe('the key of a service account', () => {
  test('becomes a token that stands for it at the API, without a refresh token', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, ['user:read'])
    const { status, body } = await ask(key)
    expect([status, Object.keys(body).toSorted()]).toEqual([
      200,
      ['access_token', 'expires_in', 'scope', 'token_type'],
    ])
    expect(body.expires_in).toBe(3600)
    expect(claimsOf(body.access_token)).toMatchObject({
      sub: String(key.userId),
      sid: `key_${key.keyId}`,
      client_id: `sa_${key.userId}`,
      aud: parts.config.audience,
    })
    expect((await call('GET', '/users', { token: body.access_token })).status).toBe(200)
    expect((await call('GET', '/roles', { token: body.access_token })).status).not.toBe(200)
  })

  test('works by Basic authentication', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, [])
    const authorization = `Basic ${Buffer.from(`sa_${key.userId}:${key.token}`).toString('base64')}`
    expect(
      await postToken({ grant_type: 'client_credentials' }, { headers: { authorization } }),
    ).toMatchObject({
      status: 200,
    })
  })

  test('that is deleted ends its tokens', async () => {
    const { id, admin } = await newTenant()
    const key = await keyWith(id, ['user:read'])
    const { body } = await ask(key)
    ok(await admin.delete(`/service-accounts/${key.userId}/keys/${key.keyId}`))
    expect((await call('GET', '/ping', { token: body.access_token })).status).toBe(401)
    expect(await ask(key)).toMatchObject(oauthRefusal('invalid_client', 401))
  })

  test('gives tokens that end no later than itself', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, [], { expires_at: new Date(Date.now() + 600_000).toISOString() })
    const { body } = await ask(key)
    expect(body.expires_in).toBeLessThanOrEqual(600)
    expect(body.expires_in).toBeGreaterThan(500)
  })

  test('gives tokens within its networks alone, which take them there alone', async () => {
    const { id } = await newTenant()
    const at = await startApp({ trustedProxies: ['127.0.0.1'] })
    const key = await keyWith(id, [], { allowed_cidrs: ['192.0.2.0/24'] })
    const form = { grant_type: 'client_credentials', client_id: `sa_${key.userId}`, client_secret: key.token }
    const inside = { at, headers: { 'x-forwarded-for': '192.0.2.9' } }
    const outside = { at, headers: { 'x-forwarded-for': '198.51.100.1' } }
    expect(await postToken(form, outside)).toMatchObject(oauthRefusal('invalid_client', 401))
    const { body } = await postToken(form, inside)
    expect((await call('GET', '/ping', { token: body.access_token, ...inside })).status).toBe(200)
    expect((await call('GET', '/ping', { token: body.access_token, ...outside })).status).toBe(401)
    await at.app.close()
  })

  test('is refused with the name of another service account, and for other grants', async () => {
    const { id } = await newTenant()
    const [key, other] = [await keyWith(id, []), await keyWith(id, [])]
    expect(await ask({ userId: other.userId, token: key.token })).toMatchObject(
      oauthRefusal('invalid_client', 401),
    )
    expect(await ask(key, { grant_type: 'refresh_token', refresh_token: 'x' })).toMatchObject(
      oauthRefusal('unauthorized_client'),
    )
  })

  test('a key of a disabled tenant is refused', async () => {
    const [{ id }, root] = [await newTenant(), await platformAdmin()]
    const key = await keyWith(id, [])
    ok(await root.put(`/org/tenants/${id}`, { status: 0 }))
    expect(await ask(key)).toMatchObject(oauthRefusal('invalid_grant'))
  })
})

describe('the scopes of a token for a key', () => {
  test('narrow it: it can do no more than they name, whatever the account holds', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, ['user:read'])
    const [code = ''] = codes
    const { body } = await ask(key, { scope: `openid ${code} user:read unknown:read` })
    expect(body.scope).toBe(code)
    expect((await call('GET', '/users', { token: body.access_token })).status).toBe(403)
  })

  test('give no token where all permissions are unknown, and other words narrow nothing', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, ['user:read'])
    expect(await ask(key, { scope: 'openid user:read' })).toMatchObject(oauthRefusal('invalid_scope'))
    expect(await ask(key, { scope: 'openid phone' })).toMatchObject({ status: 200, body: { scope: '' } })
  })

  test('are those of a resource where it names one', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, [])
    const [code = '', other = ''] = codes
    const resource = await newResource(ids.slice(0, 1))
    const all = await ask(key, { resource: resource.identifier })
    expect(claimsOf(all.body.access_token)).toMatchObject({ aud: resource.identifier, scope: code })
    expect(await ask(key, { resource: resource.identifier, scope: other })).toMatchObject(
      oauthRefusal('invalid_scope'),
    )
    expect(await ask(key, { resource: 'https://none.example.com' })).toMatchObject(
      oauthRefusal('invalid_target'),
    )
    expect((await call('GET', '/ping', { token: all.body.access_token })).status).toBe(401)
  })
})

test('an application gets no token for itself', async () => {
  const { clientId, secret } = await newApplication()
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  expect(await postToken(form)).toMatchObject(oauthRefusal('unauthorized_client'))
})
