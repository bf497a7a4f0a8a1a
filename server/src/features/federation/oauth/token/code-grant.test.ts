import { describe, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { actionsOf, recordsOf } from '../../../../../test/accounts.ts'
import { newTenant, ok, platformAdmin, unique } from '../../../../../test/factories.ts'
import {
  admit,
  changeApplication,
  claimsOf,
  credentialsOf,
  exchange,
  newApplication,
  newGrant,
  newResource,
  newSignIn,
  oauthRefusal,
  openSession,
  postForm,
  postToken,
  redirectUri,
  refresh,
  type AdmissionOptions,
  type TestApplication,
  type Tokens,
} from '../../../../../test/front-door.ts'
import { call, clock, parts } from '../../../../../test/harness.ts'
import { addTotp } from '../../../../../test/second-factors.ts'

const isLive = async (token: string): Promise<boolean> => {
  const { body } = await postForm('/userinfo', { access_token: token })
  return body.error === undefined
}

describe('the exchange of a code', () => {
  test('gives tokens of a session that the person sees among their own', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const answer = await exchange(application, await admit(admin, application))
    expect(answer).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', scope: 'openid', expires_in: expect.any(Number) },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { sid } = claimsOf(answer.body.access_token)
    const sessions: { id: string; ip: string; user_agent: string }[] = ok(await admin.get('/auth/sessions'))
    expect(sessions.find(({ id }) => id === sid)).toMatchObject({ ip: '192.0.2.7', user_agent: 'Firefox' })
  })

  test('records the sign-in in the tenant with the name of the application', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    await openSession(admin, application)
    const last = (await recordsOf(admin)).at(-1)
    expect(last).toMatchObject({
      action: 'auth.login',
      detail: { application: { to: application.name } },
      ip: '192.0.2.7',
    })
  })

  test('takes the client by Basic authentication, whose parts are encoded as in a form', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const { code, verifier } = await admit(admin, application)
    const basic = Buffer.from(`${application.clientId}:${application.secret.replace('_', '%5F')}`).toString(
      'base64',
    )
    const form = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }
    expect(await postToken(form, { headers: { authorization: `Basic ${basic}` } })).toMatchObject({
      status: 200,
    })
  })

  test('works for a public client by its name alone', async () => {
    const { admin } = await newTenant()
    const application = await newApplication({ kind: 'browser' })
    expect(await exchange(application, await admit(admin, application))).toMatchObject({ status: 200 })
  })

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
    ['a verifier that is none', { code_verifier: 'short' }, 'invalid_request'],
    ['another address', { redirect_uri: `${redirectUri}/` }, 'invalid_grant'],
    ['no address', { redirect_uri: undefined }, 'invalid_request'],
    ['a resource that was not asked for', { resource: 'https://other.example.com' }, 'invalid_target'],
  ])('an exchange with %s is refused, and uses the code up', async (_, changes, error) => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const admitted = await admit(admin, application)
    expect(await exchange(application, admitted, changes)).toMatchObject(oauthRefusal(error))
    expect(await exchange(application, admitted)).toMatchObject(oauthRefusal('invalid_grant'))
  })

  test('an exchange by another client is refused, and uses the code up', async () => {
    const { admin } = await newTenant()
    const [application, other] = [await newApplication(), await newApplication()]
    const admitted = await admit(admin, application)
    expect(await exchange(other, admitted)).toMatchObject(oauthRefusal('invalid_grant'))
    expect(await exchange(application, admitted)).toMatchObject(oauthRefusal('invalid_grant'))
  })

  test('a wrong secret leaves the code unused', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const admitted = await admit(admin, application)
    const { secret } = await newApplication()
    expect(await exchange({ ...application, secret }, admitted)).toMatchObject(
      oauthRefusal('invalid_client', 401),
    )
    expect(await exchange(application, admitted)).toMatchObject({ status: 200 })
  })

  test('a code without a challenge takes no verifier', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const [one, other] = [
      await admit(admin, application, { isBare: true }),
      await admit(admin, application, { isBare: true }),
    ]
    expect(await exchange(application, one)).toMatchObject(oauthRefusal('invalid_grant'))
    expect(await exchange(application, other, { code_verifier: undefined })).toMatchObject({ status: 200 })
  })

  test('is refused after a minute', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const admitted = await admit(admin, application)
    clock.advance(61_000)
    expect(await exchange(application, admitted)).toMatchObject(oauthRefusal('invalid_grant'))
  })
})

describe('the second use of a code', () => {
  test('is refused, ends the session that came of the first, and is recorded', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const admitted = await admit(admin, application)
    const { body } = await exchange(application, admitted)
    expect(await isLive(body.access_token)).toBe(true)
    expect(await exchange(application, admitted, { code_verifier: undefined })).toMatchObject(
      oauthRefusal('invalid_grant'),
    )
    expect(await isLive(body.access_token)).toBe(false)
    expect(await refresh(application, body.refresh_token)).toMatchObject(oauthRefusal('invalid_grant'))
    expect((await recordsOf(admin)).at(-1)).toMatchObject({
      action: 'application.code_reused',
      resource_id: String(application.id),
      detail: { application: { to: application.name } },
    })
  })

  test('only one of four exchanges at the same moment gets tokens', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const admitted = await admit(admin, application)
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(application, admitted)))
    const given = answers.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    expect(await isLive(given[0]?.body.access_token)).toBe(false)
  })

  test('ends no other session of the sign-in', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const { signIn, access_token: other } = await openSession(admin, application)
    const admitted = await admit(admin, application, { signIn })
    await exchange(application, admitted)
    await exchange(application, admitted)
    expect(await isLive(other)).toBe(true)
  })
})

describe('a code opens no session after', () => {
  const root = platformAdmin()
  const prepare = async (isThirdParty = false) => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const application = await newApplication({ is_third_party: isThirdParty })
    const grantId = isThirdParty ? await newGrant(user, application) : undefined
    const admitted = await admit(user, application, grantId === undefined ? {} : { grantId })
    return { tenant, user, application, admitted }
  }
  const renamed = async (path: string) =>
    (await root).put(path, { identifier: `https://${unique('r')}.example.com/` })
  type Prepared = Awaited<ReturnType<typeof prepare>>

  test.each<[string, (prepared: Prepared) => Promise<unknown>]>([
    ['the end of all sessions', ({ user }) => user.delete('/auth/sessions')],
    ['the end of the sign-in', ({ user, admitted }) => user.delete(`/auth/sessions/${admitted.signIn.id}`)],
    [
      'an administrator ends the sessions',
      ({ tenant, user }) => tenant.admin.delete(`/users/${user.userId}/sessions`),
    ],
    ['the user is disabled', ({ tenant, user }) => tenant.admin.put(`/users/${user.userId}`, { status: 0 })],
    [
      'the tenant is disabled',
      async ({ tenant }) => (await root).put(`/org/tenants/${tenant.id}`, { status: 0 }),
    ],
    ['the application is disabled', ({ application }) => changeApplication(application, { status: 0 })],
    ['the tenant is removed', async ({ tenant }) => (await root).delete(`/org/tenants/${tenant.id}`)],
    [
      'the application keeps to other tenants',
      ({ application }) => changeApplication(application, { tenant_ids: [] }),
    ],
  ])('%s', async (_, act) => {
    const prepared = await prepare()
    await act(prepared)
    const { application, admitted } = prepared
    const { status, body } = await exchange(application, admitted)
    expect([status, body.access_token]).toEqual([body.error === 'invalid_client' ? 401 : 400, undefined])
  })

  test.each([
    ['gets another identifier', (path: string) => renamed(path)],
    ['is deleted', async (path: string) => (await root).delete(path)],
  ])('the resource %s', async (_, act) => {
    const user = await (await newTenant()).member()
    const resource = await newResource([])
    const application = await newApplication({ resource_ids: [resource.id] })
    const options = { resource, narrowedTo: [] }
    const admitted = await admit(user, application, options)
    expect((await openSession(user, application, options)).access_token).toBeTruthy()
    ok(await act(`/resources/${resource.id}`))
    expect(await exchange(application, admitted)).toMatchObject(oauthRefusal('invalid_grant'))
  })

  test('the consent is gone', async () => {
    const { application, admitted, tenant } = await prepare(true)
    await parts.store
      .scoped({ tenantId: tenant.id })
      .run(sql`delete from grants where application_id = ${application.id}`)
    expect(await exchange(application, admitted)).toMatchObject(oauthRefusal('invalid_grant'))
  })

  test('the organization asks for a second factor', async () => {
    const { tenant, application, admitted } = await prepare()
    const setting = '/settings/tenant/auth.require_second_factor'
    await addTotp(tenant.admin)
    ok(await tenant.admin.put(setting, { value: true }))
    expect(await exchange(application, admitted)).toMatchObject(oauthRefusal('invalid_grant'))
    ok(await tenant.admin.delete(setting))
    expect(await exchange(application, admitted)).toMatchObject(oauthRefusal('invalid_grant'))
  })
})

describe('a session of an application', () => {
  test('ends with the sign-in, at most 30 days after the proofs', async () => {
    const { admin } = await newTenant()
    const application = await newApplication({ session_seconds: 7_776_000 })
    let tokens: Tokens = await openSession(admin, application)
    clock.advance(29 * 86_400_000)
    tokens = (await refresh(application, tokens.refresh_token)).body
    expect(tokens.access_token).toBeDefined()
    clock.advance(2 * 86_400_000)
    expect(await refresh(application, tokens.refresh_token)).toMatchObject(oauthRefusal('invalid_grant'))
  })

  test('a session with offline_access outlives both', async () => {
    const { admin } = await newTenant()
    const application = await newApplication({ session_seconds: 7_776_000 })
    const { signIn, ...tokens } = await openSession(admin, application, {
      scopes: ['openid', 'offline_access'],
    })
    ok(await admin.delete(`/auth/sessions/${signIn.id}`))
    clock.advance(40 * 86_400_000)
    expect(await refresh(application, tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  test('is one of at most 20 living ones of a sign-in and application: the oldest ends', async () => {
    const { admin } = await newTenant()
    const [application, other] = [await newApplication(), await newApplication()]
    const signIn = await newSignIn(admin)
    const foreign = await openSession(admin, other, { signIn })
    const opened: Tokens[] = []
    for (let at = 0; at < 21; at += 1) {
      clock.advance(1)
      opened.push(await openSession(admin, application, { signIn }))
    }
    const living = await Promise.all(opened.map(({ access_token: token }) => isLive(token)))
    expect(living).toEqual([false, ...Array.from({ length: 20 }, () => true)])
    expect(await isLive(foreign.access_token)).toBe(true)
  })

  test('a user and an application have at most 20 sessions with offline_access', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const online = await openSession(admin, application)
    const opened: Tokens[] = []
    for (let at = 0; at < 21; at += 1) {
      clock.advance(1)
      opened.push(await openSession(admin, application, { scopes: ['openid', 'offline_access'] }))
    }
    const living = await Promise.all(opened.map(({ access_token: token }) => isLive(token)))
    expect(living).toEqual([false, ...Array.from({ length: 20 }, () => true)])
    expect(await isLive(online.access_token)).toBe(true)
  })

  test('has no refresh token where the application may not refresh', async () => {
    const { admin } = await newTenant()
    const application = await newApplication({ grant_types: ['authorization_code'] })
    const { body } = await exchange(application, await admit(admin, application))
    expect(body.refresh_token).toBeUndefined()
  })

  test('opens once the person was admitted, and leaves records of nothing else', async () => {
    const { admin } = await newTenant()
    const application = await newApplication()
    const before = await actionsOf(admin)
    await exchange(application, await admit(admin, application), { code_verifier: undefined })
    expect(await actionsOf(admin)).toEqual(before)
  })
})

describe('an access token', () => {
  test('is for one audience, and tells client, scopes and proofs', async () => {
    const { admin } = await newTenant()
    const resource = await newResource([])
    const own = await newApplication({ resource_ids: [resource.id] })
    const third = await newApplication({ is_third_party: true, resource_ids: [resource.id] })
    const grantId = await newGrant(admin, third)
    const told = async (application: TestApplication, options: AdmissionOptions) => {
      const claims = claimsOf((await openSession(admin, application, options)).access_token)
      return [
        claims['aud'],
        claims['client_id'],
        claims['scope'],
        claims['acr'],
        claims['amr'],
        'person' in claims,
      ]
    }
    const { audience, publicUrl } = parts.config
    const common = ['openid', 'single', ['pwd']]
    expect(await told(own, {})).toEqual([audience, own.clientId, ...common, true])
    expect(await told(own, { resource, narrowedTo: [] })).toEqual([
      resource.identifier,
      own.clientId,
      ...common,
      true,
    ])
    const consented = { grantId, narrowedTo: [] }
    const userinfo = `${publicUrl}/oauth2/userinfo`
    expect(await told(third, consented)).toEqual([userinfo, third.clientId, ...common, false])
    expect(await told(third, { ...consented, resource })).toEqual([
      resource.identifier,
      third.clientId,
      ...common,
      false,
    ])
  })

  test('works at the API only where its application may call it', async () => {
    const { admin } = await newTenant()
    const [shut, open] = [await newApplication(), await newApplication({ tenantry_api: true })]
    const status = async (application: typeof shut) =>
      (await call('GET', '/profile', { token: (await openSession(admin, application)).access_token })).status
    expect(await status(shut)).toBe(403)
    expect(await status(open)).toBe(200)
  })

  test('the API refuses a token of a third-party application, and a token for a resource', async () => {
    const { admin } = await newTenant()
    const resource = await newResource([])
    const third = await newApplication({ is_third_party: true })
    const own = await newApplication({ tenantry_api: true, resource_ids: [resource.id] })
    const grantId = await newGrant(admin, third)
    const foreign = await openSession(admin, third, { grantId, narrowedTo: [] })
    const bound = await openSession(admin, own, { resource, narrowedTo: [] })
    for (const { access_token: token } of [foreign, bound]) {
      expect((await call('GET', '/profile', { token })).status).toBe(401)
    }
  })
})

test.each(['a\0:b', 'a:b\0', '%00:b', 'a:%00', '%zz:b'])(
  '%j as a name and a secret is refused',
  async (pair) => {
    const headers = { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    expect(await postToken({ grant_type: 'client_credentials' }, { headers })).toMatchObject(
      oauthRefusal('invalid_request'),
    )
  },
)

test('a request is refused whose client sends two kinds of proof, or no name', async () => {
  const application = await newApplication()
  const basic = Buffer.from(`${application.clientId}:${application.secret}`).toString('base64')
  const headers = { authorization: `Basic ${basic}` }
  const form = { ...credentialsOf(application), grant_type: 'refresh_token' }
  expect(await postToken(form, { headers })).toMatchObject(oauthRefusal('invalid_request'))
  expect(await postToken({ grant_type: 'refresh_token' })).toMatchObject(oauthRefusal('invalid_request'))
  for (const name of ['a\0b', 'a%00b']) {
    const unsound = `Basic ${Buffer.from(`${name}:secret`).toString('base64')}`
    const refused = await postToken(
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { headers: { authorization: unsound } },
    )
    expect(refused).toMatchObject(oauthRefusal('invalid_request'))
  }
})
