/** The same wrong requests get the same `error` from `oidc-provider` as from us. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formOf, newRequest, openBrowser, type Params } from '../../lab/browser.ts'
import { newTenant } from './factories.ts'
import {
  admit,
  credentialsOf,
  newApplication,
  newResource,
  postForm,
  redirectUri,
  type Admitted,
  type TestApplication,
} from './front-door.ts'
import { service } from './harness.ts'
import { deviceGrant, startSecondOpinion } from './second-opinion.ts'

type Ready = Pick<Admitted, 'code' | 'verifier'>

interface Server {
  url: string
  /** Signs a person in to an application. */
  codeFor: (application: TestApplication) => Promise<Ready>
}

let shop: TestApplication
let other: TestApplication
let page: TestApplication
let device: TestApplication
let resource: string
let ours: Server
let theirs: Server
let stop: () => unknown

const codeByBrowser = async (url: string, { clientId }: TestApplication): Promise<Ready> => {
  const browser = openBrowser(url)
  const { params, verifier } = newRequest(clientId, redirectUri)
  let { location } = await browser.authorize(params)
  while (!location.startsWith(redirectUri)) {
    const { pathname, search } = new URL(location, url)
    ;({ location } = await browser.open(`${pathname}${search}`))
  }
  return { code: new URL(location).searchParams.get('code') ?? '', verifier }
}

beforeAll(async () => {
  const { admin } = await newTenant()
  const both = ['authorization_code', 'refresh_token']
  const ofDevice = ['authorization_code', deviceGrant]
  const known = await newResource([])
  resource = known.identifier
  shop = await newApplication({ grant_types: both, resource_ids: [known.id] })
  other = await newApplication({ grant_types: both })
  page = await newApplication({ kind: 'browser', grant_types: ['authorization_code'] })
  device = await newApplication({ kind: 'native', grant_types: ofDevice })
  ours = { url: service.url, codeFor: (application) => admit(admin, application) }
  const second = await startSecondOpinion(
    [
      { application: shop, kind: 'web', grantTypes: both },
      { application: other, kind: 'web', grantTypes: both },
      { application: page, kind: 'browser', grantTypes: ['authorization_code'] },
      { application: device, kind: 'native', grantTypes: ofDevice },
    ],
    resource,
  )
  theirs = {
    url: second.url,
    codeFor: (application) => {
      second.admit(application.clientId)
      return codeByBrowser(second.url, application)
    },
  }
  stop = second.stop
})
afterAll(() => void stop())

/** The `error` of an answer, "page" for one that the server shows, and "ok" for none. */
type Opinion = string
type Send = (at: Server) => Promise<Opinion>

const readRedirection = (status: number, location: string): Opinion => {
  if (status >= 400) return 'page'
  if (!location.startsWith(redirectUri)) return 'ok'
  const { searchParams, hash } = new URL(location)
  return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error') ?? 'ok'
}

/** An authorization of the shop. Changes replace parameters; `more` is added to the query. */
const authorize =
  (changes: () => Params, more = ''): Send =>
  async ({ url }) => {
    const query = formOf(newRequest(shop.clientId, redirectUri, changes()).params)
    const { status, location } = await openBrowser(url).authorize(`${query}${more}`)
    return readRedirection(status, location)
  }

interface Posted {
  path?: string
  form: Params | string
  headers?: Record<string, string>
}

const post =
  (posted: () => Posted): Send =>
  async ({ url }) => {
    const { path = '/token', form, headers = {} } = posted()
    const { status, body } = await postForm(path, form, { at: { url }, headers })
    return body?.error ?? (status === 200 ? 'ok' : String(status))
  }

/** The parameters of an exchange whose code is unknown. */
const exchangeOf = (application?: TestApplication): Params => ({
  ...(application && credentialsOf(application)),
  grant_type: 'authorization_code',
  redirect_uri: redirectUri,
  code: 'unknown',
  code_verifier: 'v'.repeat(43),
})

const exchangeReady = async (at: Server, application: TestApplication): Promise<Params> => {
  const { code, verifier } = await at.codeFor(application)
  return { ...exchangeOf(shop), code, code_verifier: verifier }
}

/** The exchange of a good code by the shop. Changes replace parameters. */
const exchange =
  (changes: () => Params, application = () => shop): Send =>
  async (at) => {
    const form = { ...(await exchangeReady(at, application())), ...changes() }
    return post(() => ({ form }))(at)
  }

const exchangeTwice: Send = async (at) => {
  const form = await exchangeReady(at, shop)
  expect(await post(() => ({ form }))(at)).toBe('ok')
  return post(() => ({ form }))(at)
}

/** A refresh by the shop, whose session has the scope `openid`. Changes replace parameters. */
const refresh =
  (changes: () => Params): Send =>
  async (at) => {
    const { body } = await postForm('/token', await exchangeReady(at, shop), { at })
    const form = {
      ...credentialsOf(shop),
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      ...changes(),
    }
    return post(() => ({ form }))(at)
  }

const pollDevice: Send = async (at) => {
  const { body } = await postForm('/device_authorization', credentialsOf(device), { at })
  const form = { ...credentialsOf(device), grant_type: deviceGrant, device_code: body.device_code }
  return post(() => ({ form }))(at)
}

const logOut =
  (params: () => Params): Send =>
  async ({ url }) => {
    const { status, location } = await openBrowser(url).open(`/oauth2/logout?${formOf(params())}`)
    return readRedirection(status, location)
  }

const basic = (id: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

const unknown = 'u'.repeat(22)
const elsewhere = 'https://elsewhere.example.com/'

const table: Record<string, [what: string, error: Opinion, send: Send][]> = {
  'an authorization': [
    ['without a fault', 'ok', authorize(() => ({}))],
    ['with a resource', 'ok', authorize(() => ({ resource }))],
    ['with an unknown scope', 'ok', authorize(() => ({ scope: 'openid unknown' }))],
    ['with claims', 'ok', authorize(() => ({ claims: '{}' }))],
    ['with unknown acr_values', 'ok', authorize(() => ({ acr_values: 'unknown' }))],
    ['of an unknown client', 'page', authorize(() => ({ client_id: unknown }))],
    ['of no client', 'page', authorize(() => ({ client_id: undefined }))],
    ['of two clients', 'page', authorize(() => ({}), '&client_id=two')],
    ['to another address', 'page', authorize(() => ({ redirect_uri: elsewhere }))],
    ['to an address below its own', 'page', authorize(() => ({ redirect_uri: `${redirectUri}/x` }))],
    ['to its address with a query', 'page', authorize(() => ({ redirect_uri: `${redirectUri}?x=1` }))],
    ['to its address in capitals', 'page', authorize(() => ({ redirect_uri: redirectUri.toUpperCase() }))],
    ['to no address', 'page', authorize(() => ({ redirect_uri: undefined }))],
    ['to two addresses', 'page', authorize(() => ({}), `&redirect_uri=${encodeURIComponent(elsewhere)}`)],
    ['without response_type', 'invalid_request', authorize(() => ({ response_type: undefined }))],
    ['for a token', 'unsupported_response_type', authorize(() => ({ response_type: 'token' }))],
    [
      'for an ID token',
      'unsupported_response_type',
      authorize(() => ({ response_type: 'id_token', nonce: 'n' })),
    ],
    [
      'for code and ID token',
      'unsupported_response_type',
      authorize(() => ({ response_type: 'code id_token', nonce: 'n' })),
    ],
    [
      'without PKCE',
      'invalid_request',
      authorize(() => ({ code_challenge: undefined, code_challenge_method: undefined })),
    ],
    ['with a method alone', 'invalid_request', authorize(() => ({ code_challenge: undefined }))],
    ['with a challenge alone', 'invalid_request', authorize(() => ({ code_challenge_method: undefined }))],
    ['with the method plain', 'invalid_request', authorize(() => ({ code_challenge_method: 'plain' }))],
    ['with a short challenge', 'invalid_request', authorize(() => ({ code_challenge: 'short' }))],
    ['with prompt=none of nobody', 'login_required', authorize(() => ({ prompt: 'none' }))],
    ['with prompt=none and another', 'invalid_request', authorize(() => ({ prompt: 'none login' }))],
    ['with an unknown prompt', 'invalid_request', authorize(() => ({ prompt: 'unknown' }))],
    ['with a max_age of letters', 'invalid_request', authorize(() => ({ max_age: 'abc' }))],
    ['with a max_age below 0', 'invalid_request', authorize(() => ({ max_age: '-1' }))],
    ['with two scopes', 'invalid_request', authorize(() => ({}), '&scope=email')],
    ['with two states', 'invalid_request', authorize(() => ({}), '&state=two')],
    ['with two challenges', 'invalid_request', authorize(() => ({}), `&code_challenge=${'x'.repeat(43)}`)],
    ['with a request object', 'request_not_supported', authorize(() => ({ request: 'eyJ' }))],
    [
      'with the address of a request object',
      'request_uri_not_supported',
      authorize(() => ({ request_uri: 'https://shop.example.com/request' })),
    ],
    ['with an unknown resource', 'invalid_target', authorize(() => ({ resource: elsewhere }))],
    ['with a relative resource', 'invalid_target', authorize(() => ({ resource: 'mcp' }))],
    ['with a fragment in the resource', 'invalid_target', authorize(() => ({ resource: `${resource}#x` }))],
    ['with two resources', 'invalid_target', authorize(() => ({ resource }), `&resource=${elsewhere}`)],
    ['with an id_token_hint that is none', 'invalid_request', authorize(() => ({ id_token_hint: 'none' }))],
  ],
  'a client': [
    ['without a name', 'invalid_request', post(() => ({ form: exchangeOf() }))],
    ['that is unknown', 'invalid_client', post(() => ({ form: { ...exchangeOf(), client_id: unknown } }))],
    [
      'that is unknown, with a secret',
      'invalid_client',
      post(() => ({ form: { ...exchangeOf(), client_id: unknown, client_secret: 'secret' } })),
    ],
    ['without its secret', 'invalid_client', exchange(() => ({ client_secret: undefined }))],
    ['with a wrong secret', 'invalid_client', exchange(() => ({ client_secret: 'wrong' }))],
    ['with the secret of another', 'invalid_client', exchange(() => ({ client_secret: other.secret }))],
    [
      'that is public, with a secret',
      'invalid_client',
      post(() => ({ form: { ...exchangeOf(page), client_secret: 'secret' } })),
    ],
    [
      'with a wrong secret by Basic',
      'invalid_client',
      post(() => ({ form: exchangeOf(), headers: basic(shop.clientId, 'wrong') })),
    ],
    [
      'with Basic that is no base64',
      'invalid_request',
      post(() => ({ form: exchangeOf(), headers: { authorization: 'Basic !' } })),
    ],
    [
      'with a bearer token',
      'invalid_request',
      post(() => ({ form: exchangeOf(), headers: { authorization: 'Bearer token' } })),
    ],
    [
      'by Basic and in the body',
      'invalid_request',
      post(() => ({ form: exchangeOf(shop), headers: basic(shop.clientId, shop.secret) })),
    ],
    [
      'by Basic with another name in the body',
      'invalid_request',
      post(() => ({
        form: { ...exchangeOf(), client_id: other.clientId },
        headers: basic(shop.clientId, shop.secret),
      })),
    ],
  ],
  'a grant': [
    ['that is missing', 'invalid_request', exchange(() => ({ grant_type: undefined }))],
    ['that is unknown', 'unsupported_grant_type', exchange(() => ({ grant_type: 'unknown' }))],
    [
      'of a password',
      'unsupported_grant_type',
      post(() => ({
        form: { ...credentialsOf(shop), grant_type: 'password', username: 'u', password: 'p' },
      })),
    ],
  ],
  'the exchange of a code': [
    ['without a fault', 'ok', exchange(() => ({}))],
    ['without the code', 'invalid_request', exchange(() => ({ code: undefined }))],
    ['of two codes', 'invalid_request', post(() => ({ form: `${formOf(exchangeOf(shop))}&code=two` }))],
    ['that is unknown', 'invalid_grant', exchange(() => ({ code: 'unknown' }))],
    [
      'of another client',
      'invalid_grant',
      exchange(
        () => ({}),
        () => other,
      ),
    ],
    ['that was used', 'invalid_grant', exchangeTwice],
    ['without the address', 'invalid_request', exchange(() => ({ redirect_uri: undefined }))],
    ['with another address', 'invalid_grant', exchange(() => ({ redirect_uri: `${redirectUri}/x` }))],
    ['without the verifier', 'invalid_grant', exchange(() => ({ code_verifier: undefined }))],
    ['with another verifier', 'invalid_grant', exchange(() => ({ code_verifier: 'x'.repeat(43) }))],
    ['with a short verifier', 'invalid_request', exchange(() => ({ code_verifier: 'short' }))],
    ['with an unknown resource', 'invalid_target', exchange(() => ({ resource: elsewhere }))],
  ],
  'a refresh': [
    ['without a fault', 'ok', refresh(() => ({}))],
    ['without the token', 'invalid_request', refresh(() => ({ refresh_token: undefined }))],
    ['with an unknown token', 'invalid_grant', refresh(() => ({ refresh_token: 'unknown' }))],
    ['by another client', 'invalid_grant', refresh(() => credentialsOf(other))],
    ['with more scopes', 'invalid_scope', refresh(() => ({ scope: 'openid email' }))],
    ['with an unknown scope', 'invalid_scope', refresh(() => ({ scope: 'openid unknown' }))],
    ['with another resource', 'invalid_target', refresh(() => ({ resource: elsewhere }))],
  ],
  'a device': [
    ['that waits', 'authorization_pending', pollDevice],
    [
      'with an unknown code',
      'invalid_grant',
      post(() => ({ form: { ...credentialsOf(device), grant_type: deviceGrant, device_code: 'unknown' } })),
    ],
    [
      'without its code',
      'invalid_request',
      post(() => ({ form: { ...credentialsOf(device), grant_type: deviceGrant } })),
    ],
    [
      'of an unknown client',
      'invalid_client',
      post(() => ({ path: '/device_authorization', form: { client_id: unknown } })),
    ],
    ['of no client', 'invalid_request', post(() => ({ path: '/device_authorization', form: {} }))],
    [
      'with an unknown resource',
      'invalid_target',
      post(() => ({
        path: '/device_authorization',
        form: { ...credentialsOf(device), resource: elsewhere },
      })),
    ],
  ],
  'a revocation': [
    [
      'of an unknown token',
      'ok',
      post(() => ({ path: '/revoke', form: { ...credentialsOf(shop), token: 'x' } })),
    ],
    [
      'with an unknown hint',
      'ok',
      post(() => ({
        path: '/revoke',
        form: { ...credentialsOf(shop), token: 'x', token_type_hint: 'unknown' },
      })),
    ],
    ['of no token', 'invalid_request', post(() => ({ path: '/revoke', form: credentialsOf(shop) }))],
    ['by no client', 'invalid_request', post(() => ({ path: '/revoke', form: { token: 'x' } }))],
    [
      'with a wrong secret',
      'invalid_client',
      post(() => ({ path: '/revoke', form: { ...credentialsOf(shop), client_secret: 'wrong', token: 'x' } })),
    ],
  ],
  'an introspection': [
    ['of no token', 'invalid_request', post(() => ({ path: '/introspect', form: credentialsOf(shop) }))],
    ['by no client', 'invalid_request', post(() => ({ path: '/introspect', form: { token: 'x' } }))],
    [
      'with a wrong secret',
      'invalid_client',
      post(() => ({
        path: '/introspect',
        form: { ...credentialsOf(shop), client_secret: 'wrong', token: 'x' },
      })),
    ],
  ],
  'a question about the person': [
    [
      'with an unknown token',
      'invalid_token',
      post(() => ({ path: '/userinfo', form: {}, headers: { authorization: 'Bearer unknown' } })),
    ],
    ['without a token', 'invalid_token', post(() => ({ path: '/userinfo', form: {} }))],
    [
      'with two tokens',
      'invalid_request',
      post(() => ({
        path: '/userinfo',
        form: { access_token: 'x' },
        headers: { authorization: 'Bearer y' },
      })),
    ],
  ],
  'a logout': [
    ['of an unknown client', 'page', logOut(() => ({ client_id: unknown }))],
    ['with a hint that is none', 'page', logOut(() => ({ id_token_hint: 'none' }))],
    [
      'to another address',
      'page',
      logOut(() => ({ client_id: shop.clientId, post_logout_redirect_uri: elsewhere })),
    ],
  ],
}

describe.each(Object.keys(table))('%s', (subject) => {
  test.each(table[subject] ?? [])(`${subject} %s gets %s from both`, async (_what, error, send) => {
    expect([await send(ours), await send(theirs)]).toEqual([error, error])
  })
})

const isNoGrantOf = (application: () => TestApplication, grantType: string): Send =>
  post(() => ({
    form: { ...credentialsOf(application()), grant_type: grantType, refresh_token: 'x', device_code: 'x' },
  }))

/** Each row says why ours is another one. */
const differing: [why: string, ourError: Opinion, theirError: Opinion, send: Send][] = [
  [
    'RFC 6749, 5.2 names an error for a grant that the client may not use: refresh',
    'unauthorized_client',
    'invalid_request',
    isNoGrantOf(() => page, 'refresh_token'),
  ],
  [
    'RFC 6749, 5.2 names an error for a grant that the client may not use: client credentials',
    'unauthorized_client',
    'invalid_request',
    isNoGrantOf(() => shop, 'client_credentials'),
  ],
  [
    'RFC 6749, 5.2 names an error for a grant that the client may not use: devices',
    'unauthorized_client',
    'invalid_request',
    isNoGrantOf(() => shop, deviceGrant),
  ],
  [
    'RFC 8628, 3.1 refers to the same error at the beginning of a device',
    'unauthorized_client',
    'invalid_request',
    post(() => ({ path: '/device_authorization', form: credentialsOf(shop) })),
  ],
  [
    'no standard registers an error for an unknown response_mode',
    'invalid_request',
    'unsupported_response_mode',
    authorize(() => ({ response_mode: 'unknown' })),
  ],
  [
    'a fragment does not reach the server of the application',
    'invalid_request',
    'ok',
    authorize(() => ({ response_mode: 'fragment' })),
  ],
  [
    'unknown parameters are ignored, and registration is one',
    'ok',
    'registration_not_supported',
    authorize(() => ({ registration: '{}' })),
  ],
  [
    'another scheme than Bearer is as no token',
    'invalid_token',
    'invalid_request',
    post(() => ({ path: '/userinfo', form: {}, headers: basic('a', 'b') })),
  ],
  [
    'an address after a logout that no client is named for leads nowhere',
    'page',
    'ok',
    logOut(() => ({ post_logout_redirect_uri: redirectUri })),
  ],
]

describe('an answer that differs', () => {
  test.each(differing)('the answers differ because of this: %s', async (_why, ourError, theirError, send) => {
    expect([await send(ours), await send(theirs)]).toEqual([ourError, theirError])
  })
})
