/** The exchanges with Google, Microsoft, Apple and GitHub, whose public names lead to servers on loopback. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { networkOf, startGitHub, type TestGitHub } from '../../../../test/public-providers.ts'
import { createProviders } from '../../../protocols/oidc/known-providers.ts'
import { parts } from '../../../../test/harness.ts'
import { beginAt, readAnswerOf, type OpenedProvider } from './exchange.service.ts'

const binding = { state: 's'.repeat(43), browser: 'b'.repeat(43) }
const callbackUrl = 'https://admin.example.com/sso/providers/any/callback'

/** An issuer of OpenID Connect that signs whatever a test wants. */
interface Issuer {
  url: string
  metadata: Record<string, unknown>
  keys: JWK[]
  claims: Record<string, unknown>
  form: URLSearchParams
  stop: () => Promise<void>
}

const startIssuer = async (): Promise<Issuer> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const issuer: Issuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    metadata: {},
    keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }],
    claims: {},
    form: new URLSearchParams(),
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString()
    const send = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url?.endsWith('/.well-known/openid-configuration')) send(issuer.metadata)
    else if (request.url === '/keys') send({ keys: issuer.keys })
    else {
      issuer.form = new URLSearchParams(text)
      const token = new SignJWT(issuer.claims).setProtectedHeader({ alg: 'RS256', kid: 'k' })
      send({ access_token: 'a', token_type: 'bearer', id_token: await token.sign(privateKey) })
    }
  }
  server.on('request', (request, response) => void answer(request, response))
  return issuer
}

let issuer: Issuer
let github: TestGitHub
beforeAll(async () => {
  issuer = await startIssuer()
  github = await startGitHub()
})
afterAll(async () => {
  await issuer.stop()
  await github.stop()
})
beforeEach(() => {
  issuer.claims = {}
  issuer.keys = issuer.keys.map((key) => ({ ...key, issuer: undefined }) as JWK)
})

const ctxFor = () => ({
  parts: {
    ...parts,
    ...networkOf({
      'https://accounts.google.com': issuer.url,
      'https://login.microsoftonline.com': issuer.url,
      'https://appleid.apple.com': issuer.url,
      'https://github.com': github.url,
      'https://api.github.com': github.url,
    }),
  },
})

const opened = (changes: Partial<OpenedProvider>): OpenedProvider => ({
  id: 'any',
  slug: 'any',
  kind: 'google',
  config: { client_id: 'tenantry', scopes: 'openid email' },
  changedAt: 'now',
  secret: 'a secret',
  ...changes,
})

/** Goes to the provider, and reads its answer. `claims` are those of the token. */
const exchange = async (
  provider: OpenedProvider,
  claims: Record<string, unknown> = {},
  more: Record<string, string> = {},
) => {
  const ctx = ctxFor()
  const providers = createProviders(ctx.parts)
  const address = new URL(await beginAt(ctx, providers, provider, { binding, callbackUrl, loginHint: '' }))
  const now = Math.floor(Date.now() / 1000)
  issuer.claims = {
    aud: 'tenantry',
    sub: 'ada',
    iat: now,
    exp: now + 300,
    nonce: address.searchParams.get('nonce'),
    ...claims,
  }
  const answer = new URLSearchParams({ code: 'a-code', state: binding.state, ...more })
  return { address, person: await readAnswerOf(ctx, providers, provider, { binding, callbackUrl, answer }) }
}

const metadataOf = (name: string) => ({
  issuer: name,
  authorization_endpoint: 'https://pages.example.com/authorize',
  token_endpoint: `${new URL(name.replace('{tenantid}', 'common')).origin}/token`,
  jwks_uri: `${new URL(name.replace('{tenantid}', 'common')).origin}/keys`,
  response_types_supported: ['code'],
})

describe('Google', () => {
  const iss = 'https://accounts.google.com'

  test('brings a person by code, S256, state and nonce', async () => {
    issuer.metadata = metadataOf(iss)
    const claims = { iss, email: 'ada@gmail.com', email_verified: true }
    const { address, person } = await exchange(opened({}), claims)
    expect(person).toMatchObject({ subject: 'ada', email: 'ada@gmail.com', isProved: true })
    expect(address.searchParams.get('code_challenge_method')).toBe('S256')
    expect(issuer.form.get('code_verifier')).toHaveLength(43)
  })

  test.each([
    ['another issuer', { iss: 'https://evil.example.com' }],
    ['another client', { iss, aud: 'another' }],
    ['another nonce', { iss, nonce: 'another' }],
    ['a time that has passed', { iss, exp: 1000 }],
    ['a time that is ahead', { iss, iat: 9_999_999_999, exp: 9_999_999_999 }],
  ])('is refused with a token of %s', async (_what, claims) => {
    issuer.metadata = metadataOf(iss)
    expect((await exchange(opened({}), claims)).person).toMatchObject({ refused: expect.any(String) })
  })
})

describe('Microsoft', () => {
  const tid = '11111111-2222-3333-4444-555555555555'
  const oid = '66666666-7777-8888-9999-000000000000'
  const other = '22222222-2222-3333-4444-555555555555'
  const base = 'https://login.microsoftonline.com'
  const iss = `${base}/${tid}/v2.0`
  const microsoft = (tenant: string) =>
    opened({ kind: 'microsoft', config: { client_id: 'tenantry', scopes: 'openid', tenant } })

  test('brings a person of any tenant, whose issuer is that of the tenant', async () => {
    issuer.metadata = metadataOf(`${base}/{tenantid}/v2.0`)
    expect((await exchange(microsoft('common'), { iss, tid, oid })).person).toMatchObject({
      subject: `${tid}.${oid}`,
    })
  })

  test.each([
    ['another tenant than its issuer', { iss, tid: other, oid }],
    ['no tenant', { iss, oid }],
    ['an issuer elsewhere', { iss: 'https://evil.example.com/v2.0', tid, oid }],
    ['the placeholder as its issuer', { iss: `${base}/{tenantid}/v2.0`, tid: '{tenantid}', oid }],
  ])('is refused with a token of %s', async (_what, claims) => {
    issuer.metadata = metadataOf(`${base}/{tenantid}/v2.0`)
    expect((await exchange(microsoft('common'), claims)).person).toMatchObject({
      refused: expect.any(String),
    })
  })

  test('is refused where the key signs for another issuer', async () => {
    issuer.metadata = metadataOf(`${base}/{tenantid}/v2.0`)
    const name = (text: string) => {
      issuer.keys = issuer.keys.map((key) => ({ ...key, issuer: text }))
    }
    const read = async () => (await exchange(microsoft('common'), { iss, tid, oid })).person
    name(`${base}/${other}/v2.0`)
    expect(await read()).toEqual({ refused: 'token_invalid' })
    name(`${base}/{tenantid}/v2.0`)
    expect(await read()).toMatchObject({ subject: `${tid}.${oid}` })
    name(iss)
    expect(await read()).toMatchObject({ subject: `${tid}.${oid}` })
  })

  test('takes nobody of another tenant than the configured one', async () => {
    issuer.metadata = metadataOf(iss)
    expect((await exchange(microsoft(tid), { iss, tid, oid })).person).toMatchObject({
      subject: `${tid}.${oid}`,
    })
    const foreign = { iss: `${base}/${other}/v2.0`, tid: other, oid }
    expect((await exchange(microsoft(tid), foreign)).person).toMatchObject({ refused: expect.any(String) })
  })
})

describe('Apple', () => {
  const iss = 'https://appleid.apple.com'

  test('gets a secret that the key signs for five minutes, and posts its answer', async () => {
    issuer.metadata = metadataOf(iss)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const config = { client_id: 'tenantry', scopes: 'openid email name', team_id: 'TEAM', key_id: 'KEY' }
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const provider = opened({ kind: 'apple', config, secret })
    const user = JSON.stringify({ name: { firstName: 'Ada', lastName: 'L' }, email: 'victim@example.com' })
    const claims = { iss, email: 'ada@example.com', email_verified: 'true' }
    const { address, person } = await exchange(provider, claims, { user })
    expect(address.searchParams.get('response_mode')).toBe('form_post')
    expect(person).toMatchObject({ email: 'ada@example.com', isProved: true, name: 'Ada L' })
    const sent = issuer.form.get('client_secret') ?? ''
    expect(decodeProtectedHeader(sent)).toMatchObject({ alg: 'ES256', kid: 'KEY' })
    const { iat = 0, exp = 0, ...named } = decodeJwt(sent)
    expect(named).toEqual({ iss: 'TEAM', sub: 'tenantry', aud: iss })
    expect(exp - iat).toBe(300)
  })
})

describe('GitHub', () => {
  const provider = opened({ kind: 'github', config: { client_id: 'tenantry', scopes: 'user:email' } })
  const read = async () => exchange(provider)

  beforeEach(() => {
    github.status = 200
    github.refusal = undefined
    github.user = { id: 7, login: 'octocat', name: null, email: null }
    github.emails = [{ email: 'ada@example.com', primary: true, verified: true }]
  })

  test('brings a person by S256, whose address counts as typed', async () => {
    const { address, person } = await read()
    expect(address.origin).toBe('https://github.com')
    expect(address.searchParams.get('code_challenge_method')).toBe('S256')
    expect(github.exchanged.get('code_verifier')).toHaveLength(43)
    expect(person).toMatchObject({ subject: '7', email: 'ada@example.com', isProved: false })
  })

  test('answers errors with 200, which are refused', async () => {
    github.refusal = { error: 'bad_verification_code' }
    expect((await read()).person).toEqual({ refused: 'client_refused' })
    github.refusal = { token_type: 'bearer' }
    expect((await read()).person).toEqual({ refused: 'answer_invalid' })
  })

  test('brings nobody while it limits the rate', async () => {
    github.status = 403
    expect((await read()).person).toEqual({ refused: 'userinfo_invalid' })
  })

  test('can bring a person without an address', async () => {
    github.emails = []
    expect((await read()).person).toMatchObject({ subject: '7', email: '', label: 'octocat' })
  })
})
