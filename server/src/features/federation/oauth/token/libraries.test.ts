/** Popular client libraries use the token endpoint. */
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../../../../../test/browser.ts'
import { keyWith, newTenant, ok, password, type Caller } from '../../../../../test/factories.ts'
import {
  admit,
  newApplication,
  openSession,
  redirectUri,
  type TestApplication,
} from '../../../../../test/front-door.ts'
import { parts, service } from '../../../../../test/harness.ts'

const issuer = new URL(parts.config.issuer)

/** The service under test listens at another address than its public address. */
const there = (input: string | URL, options: object): Promise<Response> =>
  fetch(String(input).replace(parts.config.publicUrl, service.url), options)

let user: Caller
let application: TestApplication
beforeAll(async () => {
  user = (await newTenant()).admin
  application = await newApplication()
})

const scopes = ['openid', 'profile', 'email']

const callbackWith = (code: string): URL =>
  new URL(`${redirectUri}?code=${code}&iss=${encodeURIComponent(parts.config.issuer)}&state=s`)

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

const newDevice = () => newApplication({ kind: 'native', grant_types: ['authorization_code', deviceGrant] })

/** The person types the code of a device, and allows it. */
const allowDevice = async (userCode: string): Promise<void> => {
  const browser = openBrowser()
  const { id } = ok(await browser.call('POST', '/interactions', { user_code: userCode }))
  ok(await browser.act(id, 'password', { email: user.email, password }))
  expect(ok(await browser.act(id, 'consent', { allow: true })).step).toBe('done')
}

describe('openid-client', () => {
  const configure = (id: string, authentication: openid.ClientAuth) =>
    openid.discovery(issuer, id, undefined, authentication, {
      [openid.customFetch]: there,
      // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; the service is on this machine
      execute: [openid.allowInsecureRequests],
    })

  test.each([
    ['client_secret_post', openid.ClientSecretPost],
    ['client_secret_basic', openid.ClientSecretBasic],
  ])('signs in, refreshes, reads the person and revokes by %s', async (_, authentication) => {
    const config = await configure(application.clientId, authentication(application.secret))
    const { code, verifier } = await admit(user, application, { scopes })
    const tokens = await openid.authorizationCodeGrant(config, callbackWith(code), {
      pkceCodeVerifier: verifier,
      expectedNonce: 'the nonce',
      expectedState: 's',
      idTokenExpected: true,
    })
    expect(tokens.claims()).toMatchObject({ sub: String(user.userId), email: user.email })
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
    const info = await openid.fetchUserInfo(config, next.access_token, String(user.userId))
    expect(info).toMatchObject({ preferred_username: user.username, email: user.email })
    await openid.tokenRevocation(config, next.access_token)
    await expect(openid.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('gets a token for a service account, and introspects it', async () => {
    const key = await keyWith(user.tenantId, ['authz:check'])
    const config = await configure(`sa_${key.userId}`, openid.ClientSecretBasic(key.token))
    const { access_token: token } = await openid.clientCredentialsGrant(config)
    expect(await openid.tokenIntrospection(config, token)).toMatchObject({
      active: true,
      sid: `key_${key.keyId}`,
    })
  })

  test('signs a device in', async () => {
    const config = await configure((await newDevice()).clientId, openid.None())
    const device = await openid.initiateDeviceAuthorization(config, { scope: 'openid email' })
    await allowDevice(device.user_code)
    const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 })
    expect(tokens.claims()).toMatchObject({ sub: String(user.userId), email: user.email })
  })

  test('signs out by the address that it builds', async () => {
    const bye = 'https://app.example.com/bye'
    const leaving = await newApplication({ post_logout_redirect_uris: [bye] })
    const { id_token: hint, access_token: token, signIn } = await openSession(user, leaving)
    const config = await configure(leaving.clientId, openid.ClientSecretPost(leaving.secret))
    const { pathname, search } = openid.buildEndSessionUrl(config, {
      id_token_hint: hint,
      post_logout_redirect_uri: bye,
      state: 's',
    })
    const browser = openBrowser(service)
    browser.cookies.set('tenantry-sign-in', signIn.cookie)
    expect((await browser.open(`${pathname}${search}`)).location).toBe(`${bye}?state=s`)
    await expect(openid.fetchUserInfo(config, token, String(user.userId))).rejects.toMatchObject({
      status: 401,
    })
  })
})

describe('oauth4webapi', () => {
  // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; the service is on this machine
  const options = { [oauth.customFetch]: there, [oauth.allowInsecureRequests]: true }
  let server: oauth.AuthorizationServer
  beforeAll(async () => {
    server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
  })

  test('gets a token for a service account, and introspects it', async () => {
    const key = await keyWith(user.tenantId, ['authz:check'])
    const client = { client_id: `sa_${key.userId}` }
    const proof = oauth.ClientSecretPost(key.token)
    const answer = await oauth.clientCredentialsGrantRequest(server, client, proof, {}, options)
    const { access_token: token } = await oauth.processClientCredentialsResponse(server, client, answer)
    const asked = await oauth.introspectionRequest(server, client, proof, token, options)
    expect(await oauth.processIntrospectionResponse(server, client, asked)).toMatchObject({ active: true })
  })

  test('signs a device in, and revokes its session', async () => {
    const { clientId } = await newDevice()
    const [client, proof] = [{ client_id: clientId }, oauth.None()]
    const began = await oauth.deviceAuthorizationRequest(server, client, proof, { scope: 'openid' }, options)
    const device = await oauth.processDeviceAuthorizationResponse(server, client, began)
    await allowDevice(device.user_code)
    const granted = await oauth.deviceCodeGrantRequest(server, client, proof, device.device_code, options)
    const { access_token: token } = await oauth.processDeviceCodeResponse(server, client, granted)
    const readPerson = async () => (await oauth.userInfoRequest(server, client, token, options)).status
    expect(await readPerson()).toBe(200)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, proof, token, options),
    )
    expect(await readPerson()).toBe(401)
  })
})

test('oauth4webapi signs a public client in, and refreshes', async () => {
  const browser = await newApplication({ kind: 'browser' })
  // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; the service is on this machine
  const options = { [oauth.customFetch]: there, [oauth.allowInsecureRequests]: true }
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
  const client = { client_id: browser.clientId }
  const { code, verifier } = await admit(user, browser, { scopes })
  const params = oauth.validateAuthResponse(server, client, callbackWith(code), 's')
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    params,
    redirectUri,
    verifier,
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
    expectedNonce: 'the nonce',
    requireIdToken: true,
  })
  expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({ sub: String(user.userId) })
  const refreshed = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    tokens.refresh_token ?? '',
    options,
  )
  expect(await oauth.processRefreshTokenResponse(server, client, refreshed)).toMatchObject({
    scope: scopes.join(' '),
  })
})
