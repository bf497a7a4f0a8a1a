/** The form of requests and errors at the endpoints below `/oauth2`. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSource } from '../../../../../test/accounts.ts'
import {
  beginForConsole,
  consoleCodeIn,
  formOf,
  interactionOf,
  movedTo,
  openBrowser,
  openConsole,
  requestFor,
} from '../../../../../test/browser.ts'
import { newTenant, ok, password, unique } from '../../../../../test/factories.ts'
import {
  changeApplication,
  credentialsOf,
  newApplication,
  oauthRefusal,
  openSession,
  postForm,
  postToken,
  refresh,
  type TestApplication,
} from '../../../../../test/front-door.ts'
import { call, startApp, type Running } from '../../../../../test/harness.ts'
import { errorCodes } from '../../../../errors/app-error.ts'

let application: TestApplication
beforeAll(async () => {
  application = await newApplication()
})

const encoded = (form: Record<string, string | undefined>): string =>
  Object.entries(form)
    .map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

describe('a request', () => {
  test('a refused request gets an error with a description and the trace id', async () => {
    const { status, body, headers } = await postToken({
      ...credentialsOf(application),
      grant_type: 'password',
    })
    expect([status, body]).toEqual([
      400,
      {
        error: 'unsupported_grant_type',
        error_description: expect.any(String),
        trace_id: headers.get('x-trace-id'),
      },
    ])
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test.each(['__proto__', 'constructor', 'urn:ietf:params:oauth:grant-type:jwt-bearer'])(
    'the grant %s is refused',
    async (type) => {
      const answer = await postToken({ ...credentialsOf(application), grant_type: type })
      expect(answer).toMatchObject(oauthRefusal('unsupported_grant_type'))
    },
  )

  test.each(['/authorize', '/logout'])(
    'a POST of a browser to %s continues as a GET, unless its address is too long',
    async (path) => {
      const fitting = await postForm(path, 'state=x&state=y')
      expect([fitting.status, fitting.headers.get('location')]).toEqual([
        303,
        `/oauth2${path}?state=x&state=y`,
      ])
      const [long, many] = [`state=${'x'.repeat(15_000)}`, '&a=b'.repeat(4000)]
      for (const form of [long, many]) {
        expect((await postForm(path, form)).status).toBe(400)
      }
    },
  )

  test('a repeated known parameter is refused, and a repeated unknown one is not', async () => {
    const form = encoded({ ...credentialsOf(application), grant_type: 'refresh_token', refresh_token: 'x' })
    expect(await postForm('/token', `${form}&grant_type=refresh_token`)).toMatchObject(
      oauthRefusal('invalid_request'),
    )
    expect(await postForm('/token', `${form}&resource=https://a.test&resource=https://b.test`)).toMatchObject(
      oauthRefusal('invalid_target'),
    )
    expect(await postForm('/token', `${form}&other=1&other=2`)).toMatchObject(oauthRefusal('invalid_grant'))
  })

  test('an empty parameter counts as missing', async () => {
    const form = { ...credentialsOf(application), grant_type: 'refresh_token', refresh_token: '' }
    expect(await postToken(form)).toMatchObject(oauthRefusal('invalid_request'))
  })

  test.each(['%00', '%ff', '%', '%ud800'])('the text %s is refused', async (text) => {
    const form = encoded({ ...credentialsOf(application), grant_type: 'refresh_token' })
    const { status, body } = await postForm('/token', `${form}&refresh_token=${text}`)
    expect([status, ['invalid_request', 'invalid_grant'].includes(body.error)]).toEqual([400, true])
  })

  test('a body that is no form gets 415, and a long one 413', async () => {
    const json = await call('POST', '//oauth2/token', { body: { grant_type: 'refresh_token' } })
    expect(json).toMatchObject(oauthRefusal('invalid_request', 415))
    const long = await postForm('/token', `refresh_token=${'x'.repeat(70_000)}`)
    expect(long).toMatchObject(oauthRefusal('invalid_request', 413))
    expect(await postToken({ ...credentialsOf(application), code: 'x'.repeat(2000) })).toMatchObject(
      oauthRefusal('invalid_request'),
    )
  })
})

describe('a page of an application', () => {
  const origin = `https://${unique('spa')}.example.com`
  beforeAll(() => newApplication({ kind: 'browser', allowed_origins: [origin] }))

  const preflight = (path: string, from: string) =>
    call('OPTIONS', `//oauth2/${path}`, {
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })

  test.each(['token', 'revoke', 'userinfo'])('may call %s, without cookies', async (path) => {
    const { status, headers } = await preflight(path, origin)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-headers')).toContain('authorization')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    const answer = await postForm(`/${path}`, {}, { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('vary')).toContain('origin')
  })

  test('another origin may not call the endpoints, and no origin may call introspection', async () => {
    for (const [path, from] of [
      ['token', 'https://other.example.com'],
      ['introspect', origin],
    ] as const) {
      const { headers } = await postForm(`/${path}`, {}, { headers: { origin: from } })
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null])
    }
    expect(
      (await preflight('token', 'https://other.example.com')).headers.get('access-control-allow-methods'),
    ).toBeNull()
  })

  test('may no longer when the origin is taken off', async () => {
    const own = `https://${unique('spa')}.example.com`
    const changed = await newApplication({ kind: 'browser', allowed_origins: [own] })
    expect((await preflight('token', own)).headers.get('access-control-allow-origin')).toBe(own)
    await changeApplication(changed, { allowed_origins: [] })
    expect((await preflight('token', own)).headers.get('access-control-allow-origin')).toBeNull()
  })

  test('may call with another origin configured for the API, whose pages may not', async () => {
    const at = await startApp({ corsOrigins: ['https://api.example.com'] })
    const options = (from: string) => ({
      at,
      headers: { origin: from, 'access-control-request-method': 'POST' },
    })
    const allowed = await call('OPTIONS', '//oauth2/token', options(origin))
    const foreign = await call('OPTIONS', '//oauth2/token', options('https://api.example.com'))
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin)
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
    await at.app.close()
  })

  test('every origin may call as a client that registered itself, if such clients are allowed', async () => {
    const at = await startApp({ clientRegistration: 'open' })
    const from = 'http://localhost:6274'
    const asked = {
      origin: from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-protocol-version',
    }
    const documents = ['.well-known/openid-configuration', '.well-known/oauth-authorization-server']
    for (const path of ['oauth2/register', 'oauth2/token', 'oauth2/revoke', ...documents]) {
      const { status, headers } = await call('OPTIONS', `//${path}`, { at, headers: asked })
      const shown = ['origin', 'headers', 'credentials'].map((name) =>
        headers.get(`access-control-allow-${name}`),
      )
      expect([path, status, ...shown]).toEqual([
        path,
        204,
        '*',
        expect.stringMatching(/content-type.*mcp-protocol-version/),
        null,
      ])
    }
    const body = {
      redirect_uris: ['cursor://anysphere.cursor-deeplink/cb', 'http://localhost:8787/cb'],
    }
    const made = await call('POST', '//oauth2/register', { at, headers: { origin: from }, body })
    expect([made.status, made.headers.get('access-control-allow-origin')]).toEqual([201, '*'])
    expect(made.body.client_name).toBe('cursor:')
    const originAt = async (path: string, client_id: string) => {
      const answer = await postForm(
        `/${path}`,
        { client_id, grant_type: 'refresh_token' },
        { at, headers: { origin: from } },
      )
      return answer.headers.get('access-control-allow-origin')
    }
    const managed = await newApplication({ kind: 'native' })
    for (const path of ['token', 'revoke']) {
      expect(await originAt(path, made.body.client_id)).toBe('*')
      expect(await originAt(path, managed.clientId)).toBeNull()
    }
    expect(await originAt('introspect', made.body.client_id)).toBeNull()
    await at.app.close()
  })

  test('every origin may read discovery and keys', async () => {
    for (const path of ['jwks.json', 'openid-configuration', 'oauth-authorization-server']) {
      const { headers } = await call('GET', `//.well-known/${path}`, {
        headers: { origin: 'https://any.test' },
      })
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
  })
})

describe('limits', () => {
  let at: Running
  beforeAll(async () => {
    at = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
  })
  afterAll(() => at.app.close())

  const flood = async (send: () => Promise<{ status: number }>, times: number): Promise<Set<number>> => {
    const statuses = new Set<number>()
    for (let left = times; left > 0; left -= 20) {
      for (const { status } of await Promise.all(Array.from({ length: 20 }, send))) statuses.add(status)
    }
    return statuses
  }

  test('a source that proves nothing has 300 requests a minute, and a client that proves itself more', async () => {
    const headers = newSource()
    const wrong = { client_id: 'nobody', client_secret: 'x', grant_type: 'refresh_token' }
    expect(await flood(() => postToken(wrong, { at, headers }), 300)).toEqual(new Set([401]))
    const late = await postToken(wrong, { at, headers })
    expect(late).toMatchObject(oauthRefusal('temporarily_unavailable', 429))
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    const { admin } = await newTenant()
    const { refresh_token: token } = await openSession(admin, application)
    expect(await refresh(application, token, {}, { at, headers })).toMatchObject({ status: 200 })
  })
})

/** The routes that the sign-in pages and the console call. */
const ofOwnPages = /^\/oauth2\/(?:interactions|links|verify-email|way-back|look|resume|logout\/)/

/** Every other route below `/oauth2`, and an address that has no route. */
const behindTheDoor = ({ routes }: Running): [method: string, path: string][] => [
  ...routes
    .filter(({ url }) => url.startsWith('/oauth2/') && !ofOwnPages.test(url))
    .map(({ method, url }): [string, string] => [String(method), url.replace(':id', randomUUID())]),
  ['GET', '/oauth2/nothing'],
]

describe('the front door', () => {
  test.each([
    [
      'is neither https nor loopback',
      { publicUrl: 'http://admin.example.com', issuer: 'http://admin.example.com' },
    ],
    ['is not the issuer', { publicUrl: 'https://admin.example.com', issuer: 'https://other.example.com' }],
  ])('is shut where the public address %s', async (_, overrides) => {
    const at = await startApp(overrides)
    const told = await Promise.all(
      behindTheDoor(at).map(async ([method, path]) => {
        const { status, headers, body } = await call(method, `/${path}`, { at })
        const text = body.error_description ?? body.message
        const isClear = /^TENANTRY_(?:PUBLIC_URL|ISSUER) must/.test(text)
        return [method, path, status, headers.get('retry-after'), isClear, body.error ?? body.code]
      }),
    )
    expect(told.length).toBeGreaterThan(15)
    expect(told).toEqual(
      told.map(([method, path]) => {
        const error = String(path).endsWith('nothing') ? errorCodes.frontDoorShut : 'temporarily_unavailable'
        return [method, path, 503, '60', true, error]
      }),
    )
    const metadata = await call('GET', '//.well-known/openid-configuration', { at })
    expect(metadata.body).toEqual({
      issuer: overrides.issuer,
      jwks_uri: `${overrides.publicUrl}/.well-known/jwks.json`,
      response_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['EdDSA', 'ES256', 'RS256'],
    })
    await at.app.close()
  })

  test('a shut front door admits the console, and nothing else', async () => {
    const publicUrl = 'http://admin.example.com'
    const at = await startApp({ publicUrl, issuer: publicUrl })
    const tenant = await newTenant()
    const { email } = await tenant.member()
    const browser = openBrowser(at)
    const id = interactionOf(await beginForConsole(browser))
    ok(await browser.act(id, 'identify', { email }))
    const { redirect_to: to } = ok(await browser.act(id, 'password', { email, password }))
    ok(await openConsole(browser, consoleCodeIn(to) ?? ''))
    const { params } = requestFor(application)
    for (const client_id of [application.clientId, 'Console', '']) {
      expect((await browser.authorize({ ...params, client_id })).status).toBe(503)
    }
    expect((await browser.authorize(`${formOf(params)}&client_id=console`)).status).toBe(503)
    const begun = openBrowser()
    const other = interactionOf(await begun.authorize(params))
    expect((await begun.read(other)).status).toBe(200)
    expect((await movedTo(at, begun).read(other)).status).toBe(404)
    await at.app.close()
  })

  test('names every endpoint and what it supports, nothing left to a default', async () => {
    const at = await startApp({ publicUrl: 'https://admin.example.com', issuer: 'https://admin.example.com' })
    const [one, other] = [
      await call('GET', '//.well-known/openid-configuration', { at }),
      await call('GET', '//.well-known/oauth-authorization-server', { at }),
    ]
    expect(other.body).toEqual(one.body)
    const methods = ['client_secret_basic', 'client_secret_post', 'none']
    expect(one.body).toMatchObject({
      issuer: 'https://admin.example.com',
      authorization_endpoint: 'https://admin.example.com/oauth2/authorize',
      token_endpoint: 'https://admin.example.com/oauth2/token',
      userinfo_endpoint: 'https://admin.example.com/oauth2/userinfo',
      introspection_endpoint: 'https://admin.example.com/oauth2/introspect',
      revocation_endpoint: 'https://admin.example.com/oauth2/revoke',
      device_authorization_endpoint: 'https://admin.example.com/oauth2/device_authorization',
      end_session_endpoint: 'https://admin.example.com/oauth2/logout',
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:token-exchange',
        'client_credentials',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      introspection_endpoint_auth_methods_supported: methods,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'EdDSA', 'ES256'],
      acr_values_supported: ['single', 'mfa'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
    })
    await at.app.close()
  })
})
