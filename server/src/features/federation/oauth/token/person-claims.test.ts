/** ID tokens and userinfo. */
import { createHash } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { declareAttribute } from '../../../../../test/declared-attributes.ts'
import { newTenant, ok, platformAdmin, unique } from '../../../../../test/factories.ts'
import {
  claimsOf,
  newApplication,
  newGrant,
  newResource,
  openSession,
  postForm,
  type Tokens,
} from '../../../../../test/front-door.ts'
import { call, clock, parts, service } from '../../../../../test/harness.ts'

const scopes = ['openid', 'profile', 'email']

const userinfo = (token: string) => call('GET', '//oauth2/userinfo', { token })

describe('an ID token', () => {
  test('has exactly the claims of the scopes, signed by RS256 with a published key', async () => {
    const { admin, slug } = await newTenant()
    const application = await newApplication()
    const {
      id_token: token,
      access_token: access,
      signIn,
    } = await openSession(admin, application, { scopes })
    const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: parts.config.issuer,
      audience: application.clientId,
      currentDate: clock.now(),
    })
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'JWT' })
    const half = createHash('sha256').update(access).digest().subarray(0, 16).toString('base64url')
    expect(payload).toEqual({
      iss: parts.config.issuer,
      sub: String(admin.userId),
      aud: application.clientId,
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 600,
      tid: admin.tenantId,
      sid: claimsOf(access)['sid'],
      auth_time: Math.floor(signIn.authTime.getTime() / 1000),
      acr: 'single',
      amr: ['pwd'],
      at_hash: half,
      nonce: 'the nonce',
      name: admin.username,
      preferred_username: admin.username,
      tenant_name: `Tenant ${slug}`,
      tenant_slug: slug,
      email: admin.email,
      email_verified: false,
      person: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('tells no more than the scope openid asks for, and no person to a third-party application', async () => {
    const { admin } = await newTenant()
    const application = await newApplication({ is_third_party: true })
    const grantId = await newGrant(admin, application)
    const { id_token: token } = await openSession(admin, application, { grantId, narrowedTo: [] })
    expect(Object.keys(claimsOf(token)).toSorted()).toEqual([
      'acr',
      'amr',
      'at_hash',
      'aud',
      'auth_time',
      'exp',
      'iat',
      'iss',
      'nonce',
      'sid',
      'sub',
      'tid',
    ])
  })

  test('is absent without the scope openid', async () => {
    const { admin } = await newTenant()
    const tokens: Partial<Tokens> = await openSession(admin, await newApplication(), { scopes: [] })
    expect(tokens.id_token).toBeUndefined()
  })

  test('is no access token', async () => {
    const { admin } = await newTenant()
    const { id_token: token } = await openSession(admin, await newApplication({ tenantry_api: true }))
    expect((await call('GET', '/ping', { token })).status).toBe(401)
    expect((await userinfo(token)).status).toBe(401)
  })
})

describe('userinfo', () => {
  test('tells the person as they are now, by GET and POST', async () => {
    const { admin } = await newTenant()
    const { access_token: token } = await openSession(admin, await newApplication(), { scopes })
    ok(await admin.put('/profile', { nickname: 'Ada' }))
    const { status, body } = await userinfo(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      sub: String(admin.userId),
      tid: admin.tenantId,
      name: 'Ada',
      email: admin.email,
    })
    const inHeader = await postForm('/userinfo', {}, { headers: { authorization: `Bearer ${token}` } })
    const inBody = await postForm('/userinfo', { access_token: token })
    expect([inHeader.body, inBody.body]).toEqual([body, body])
  })

  test('has the picture, which no token has', async () => {
    const { admin, id } = await newTenant()
    const avatar = 'data:image/jpeg;base64,/9j/4AAQ'
    await parts.store
      .scoped({ tenantId: id })
      .run(sql`update users set avatar = ${avatar} where tenant_id = ${id} and id = ${admin.userId}`)
    const { access_token: token, id_token: idToken } = await openSession(admin, await newApplication(), {
      scopes,
    })
    expect((await userinfo(token)).body.picture).toBe(avatar)
    expect(claimsOf(idToken)['picture']).toBeUndefined()
  })

  test('tells a third-party application no person behind all tenants', async () => {
    const { admin } = await newTenant()
    const application = await newApplication({ is_third_party: true })
    const grantId = await newGrant(admin, application)
    const { access_token: token } = await openSession(admin, application, { scopes, grantId, narrowedTo: [] })
    const { body } = await userinfo(token)
    expect(body).toMatchObject({ email: admin.email })
    expect('person' in body).toBe(false)
  })

  test('answers 401 to a token of a resource, to one that has ended, and without one', async () => {
    const { admin } = await newTenant()
    const resource = await newResource([])
    const application = await newApplication({ resource_ids: [resource.id] })
    const bound = await openSession(admin, application, { resource, narrowedTo: [] })
    const over = await openSession(admin, application)
    ok(await admin.delete(`/auth/sessions/${String(claimsOf(over.access_token)['sid'])}`))
    for (const token of [bound.access_token, over.access_token, 'x.y.z']) {
      const { status, body, headers } = await userinfo(token)
      expect([status, body.error]).toEqual([401, 'invalid_token'])
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
    const bare = await call('GET', '//oauth2/userinfo')
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  test('answers 403 to a token without the scope openid, such as the console’s', async () => {
    const { admin } = await newTenant()
    const { access_token: token } = await openSession(admin, await newApplication(), { scopes: ['profile'] })
    for (const one of [token, admin.token]) {
      const { status, body } = await userinfo(one)
      expect([status, body.error]).toEqual([403, 'insufficient_scope'])
    }
  })

  test('takes the token in one place', async () => {
    const { admin } = await newTenant()
    const { access_token: token } = await openSession(admin, await newApplication())
    const both = await postForm(
      '/userinfo',
      { access_token: token },
      { headers: { authorization: `Bearer ${token}` } },
    )
    expect([both.status, both.body.error]).toEqual([400, 'invalid_request'])
    expect((await call('GET', `//oauth2/userinfo?access_token=${token}`)).status).toBe(401)
  })
})

describe('attributes with a claim', () => {
  test('are in ID tokens and userinfo of own applications with the scope profile, and nowhere else', async () => {
    const [{ admin, id }, root] = [await newTenant(), await platformAdmin()]
    const [area, plan, long] = [unique('c'), unique('c'), unique('c')]
    const ofUser = await declareAttribute({ claim: area })
    const ofTenant = await declareAttribute({ subject: 'tenant', claim: plan })
    const tooLong = await declareAttribute({ claim: long })
    const silent = await declareAttribute({ self: 'read' })
    const values = { [ofUser]: 'Sales', [tooLong]: 'x'.repeat(255), [silent]: 's' }
    ok(await root.patch(`/users/${admin.userId}/attributes`, values, { tenant: id }))
    ok(await root.patch(`/org/tenants/${id}/attributes`, { [ofTenant]: 'gold' }))
    const shown = async (isThirdParty: boolean, asked: string[]) => {
      const application = await newApplication({ is_third_party: isThirdParty })
      const grantId = isThirdParty ? await newGrant(admin, application) : undefined
      const session = await openSession(admin, application, {
        scopes: asked,
        ...(grantId !== undefined && { grantId, narrowedTo: [] }),
      })
      const { body } = await userinfo(session.access_token)
      const of = (claims: Record<string, unknown>) => [area, plan, long, silent].map((name) => claims[name])
      return [of(claimsOf(session.id_token)), of(body)]
    }
    const known = ['Sales', 'gold', undefined, undefined]
    const none = [undefined, undefined, undefined, undefined]
    expect(await shown(false, scopes)).toEqual([known, known])
    expect(await shown(false, ['openid', 'email'])).toEqual([none, none])
    expect(await shown(true, scopes)).toEqual([none, none])
    ok(await root.delete(`/attributes/user/${ofUser}`))
    expect(await shown(false, scopes)).toEqual([
      [undefined, ...known.slice(1)],
      [undefined, ...known.slice(1)],
    ])
  })
})
