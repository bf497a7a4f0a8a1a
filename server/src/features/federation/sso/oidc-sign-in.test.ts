/** Answers of honest and malicious providers, without a network. */
import { createHmac } from 'node:crypto'
import {
  CompactSign,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type JWTPayload,
} from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginOidc, readOidc } from './oidc-sign-in.ts'
import { authOf, type OidcConfig } from './oidc.ts'
import type { ProviderFetch } from '../../../outbound/fetch.ts'
import type { KnownProvider } from '../../../protocols/oidc/known-providers.ts'
import { discover } from '../../../protocols/oidc/oidc-client.ts'

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

const callbackUrl = 'https://admin.example.com/sso/oidc/any/callback'
const binding = { state: 's'.repeat(43), browser: 'b'.repeat(43) }
const secret = 'a secret of the client'

const configOf = (changes: Partial<OidcConfig> = {}): OidcConfig => ({
  issuer: 'https://idp.example.com',
  client_id: 'tenantry',
  auth_method: 'client_secret_basic',
  scopes: 'openid profile email',
  subject_claim: 'sub',
  email_claim: 'email',
  name_claim: 'name',
  groups_claim: 'groups',
  ...changes,
})

let keys: Record<'RS256' | 'PS256' | 'ES256' | 'EdDSA', Key>
let published: ReturnType<typeof createLocalJWKSet>
beforeAll(async () => {
  const made = await Promise.all(
    (['RS256', 'PS256', 'ES256', 'EdDSA'] as const).map(
      async (alg) => [alg, await generateKeyPair(alg)] as const,
    ),
  )
  keys = Object.fromEntries(made.map(([alg, { privateKey }]) => [alg, privateKey])) as typeof keys
  published = createLocalJWKSet({
    keys: await Promise.all(
      made.map(async ([alg, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid: alg, alg })),
    ),
  })
})

interface ProviderBehaviour {
  config?: OidcConfig
  /** The claims that fill attributes. */
  attributes?: { claim: string; key: string }[]
  claims?: JWTPayload
  /** Signs the ID token, by default with RS256 and a published key. */
  sign?: (claims: JWTPayload) => Promise<string> | string
  userinfo?: JWTPayload
  /** Makes a JWT of userinfo. */
  signUserinfo?: (claims: JWTPayload) => Promise<string> | string
  /** Parameters of the answer that the browser delivers. */
  answer?: Record<string, string>
  /** The answer of the token endpoint instead of tokens. */
  refusal?: object
  secret?: string
  /** Receives the header with the client's credentials. */
  hear?: (authorization: string) => void
  binding?: typeof binding
}

const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

const signedBy = (alg: keyof typeof keys, key?: Key) => (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg, kid: alg }).sign(key ?? keys[alg])

/** Lets a provider answer, and reads the answer. */
const read = async (behaviour: ProviderBehaviour = {}) => {
  const config = behaviour.config ?? configOf()
  const { issuer } = config
  const now = Math.floor(Date.now() / 1000)
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256', 'none'],
    userinfo_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none'],
  }
  const ask: ProviderFetch['ask'] = async (url, { headers }) => {
    if (url.endsWith('/openid-configuration')) return json(metadata)
    if (url.endsWith('/userinfo')) return userinfo()
    behaviour.hear?.(headers['authorization'] ?? '')
    if (behaviour.refusal) return json(behaviour.refusal, 400)
    return json({ access_token: 'any', token_type: 'Bearer', id_token: await token() })
  }
  const userinfo = async () => {
    const { userinfo: own = { sub: 'ada' }, signUserinfo } = behaviour
    if (!signUserinfo) return json(own)
    return new Response(await signUserinfo(own), {
      headers: { 'content-type': 'application/jwt;charset=utf-8' },
    })
  }
  const configuration = await discover(
    { ask, hasAllowedScheme: () => true },
    config,
    authOf(config, behaviour.secret ?? secret),
  )
  const provider: KnownProvider = { keys: published, configuration }
  const address = new URL(
    await beginOidc(provider, config, { binding, callbackUrl, loginHint: 'ada@acme.example' }),
  )
  const claims: JWTPayload = {
    iss: issuer,
    aud: config.client_id,
    sub: 'ada',
    email: 'ada@acme.example',
    name: 'Ada',
    groups: ['accounting'],
    iat: now,
    exp: now + 300,
    nonce: address.searchParams.get('nonce') ?? '',
    ...behaviour.claims,
  }
  const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
  const token = () => (behaviour.sign ?? signedBy('RS256'))(given)
  const answer = new URLSearchParams({ code: 'any', state: binding.state, iss: issuer, ...behaviour.answer })
  return readOidc(
    { provider, config, attributes: behaviour.attributes ?? [], now: new Date() },
    { binding: behaviour.binding ?? binding, callbackUrl, answer },
  )
}

const accepted = {
  person: { subject: 'ada', email: 'ada@acme.example', name: 'Ada', groups: ['accounting'] },
}

describe('an honest answer', () => {
  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'] as const)(
    'an answer signed with %s is accepted',
    async (alg) => {
      expect(await read({ sign: signedBy(alg) })).toMatchObject(accepted)
    },
  )

  test('shows names of claims, and values of those that are read', async () => {
    expect(await read({ claims: { department: 'R&D' } })).toMatchObject({
      claims: expect.arrayContaining([
        { name: 'email', values: ['ada@acme.example'] },
        { name: 'groups', values: ['accounting'] },
        { name: 'department', values: null },
      ]),
    })
  })

  test('is completed by userinfo of the same person, whose claims do not replace signed ones', async () => {
    const userinfo = { sub: 'ada', email: 'eve@acme.example', name: 'Ada L' }
    expect(await read({ claims: { name: undefined }, userinfo })).toMatchObject({
      person: { email: 'ada@acme.example', name: 'Ada L' },
    })
  })

  test.each([{}, { iss: 'https://idp.example.com', aud: ['tenantry'], exp: 4e9 }])(
    'is completed by userinfo that is signed, with %j',
    async (bound) => {
      const behaviour = { userinfo: { sub: 'ada', name: 'Ada L', ...bound }, signUserinfo: signedBy('ES256') }
      expect(await read({ ...behaviour, claims: { name: undefined } })).toMatchObject({
        person: { name: 'Ada L' },
      })
    },
  )

  test('given and family name replace a missing name, from userinfo too', async () => {
    const claims = { name: undefined, given_name: 'Ada' }
    expect(await read({ claims, userinfo: { sub: 'ada', family_name: 'Lovelace' } })).toMatchObject({
      person: { name: 'Ada Lovelace' },
    })
  })

  test('a failed userinfo, a missing claim and an infinite number fill no attribute, and refuse nobody', async () => {
    const attributes = ['plan', 'level', 'team'].map((claim) => ({ claim, key: claim }))
    const withInfinity = (claims: JWTPayload) =>
      new CompactSign(
        Buffer.from(JSON.stringify({ ...claims, level: 0 }).replace('"level":0', '"level":1e999')),
      )
        .setProtectedHeader({ alg: 'RS256', kid: 'RS256' })
        .sign(keys.RS256)
    const answer = {
      attributes,
      claims: { team: 'a' },
      sign: withInfinity,
      userinfo: { sub: 'eve', plan: 'gold' },
    }
    expect(await read(answer)).toHaveProperty('person.claimed', { team: 'a' })
    const complete = await read({ ...answer, userinfo: { sub: 'ada', plan: 'gold' } })
    expect(complete).toMatchObject({ person: { claimed: { team: 'a', plan: 'gold' } } })
    expect(await read({ ...answer, claims: { email: undefined } })).toEqual({ refused: 'userinfo_invalid' })
  })

  test('clocks may differ by 50 seconds', async () => {
    const now = Math.floor(Date.now() / 1000)
    expect(await read({ claims: { iat: now + 50, exp: now - 50 } })).toMatchObject(accepted)
  })

  test('is fetched with a secret whose unreserved characters stand as they are, and no other', async () => {
    const heard: string[] = []
    const behaviour = { secret: 'a-b_c.d~e:f%g+h ä', hear: (header: string) => heard.push(header) }
    expect(await read({ ...behaviour, config: configOf({ client_id: 'my-client' }) })).toMatchObject(accepted)
    const encoded = 'my-client:a-b_c.d~e%3Af%25g%2Bh%20%C3%A4'
    expect(heard).toEqual([`Basic ${Buffer.from(encoded).toString('base64')}`])
  })

  test('says nothing of groups with more than 500, or by the overage of Entra ID', async () => {
    const many = Array.from({ length: 501 }, (_, index) => `g${index}`)
    const overage = { groups: undefined, _claim_names: { groups: 'src1' } }
    expect(await read({ claims: { groups: many } })).toMatchObject({ person: { groups: undefined } })
    expect(await read({ claims: overage })).toMatchObject({ person: { groups: undefined } })
    expect(await read({ claims: { groups: [] } })).toMatchObject({ person: { groups: [] } })
  })
})

describe('a dishonest answer', () => {
  const now = () => Math.floor(Date.now() / 1000)

  test.each<[string, () => ProviderBehaviour, string]>([
    ['with another issuer', () => ({ claims: { iss: 'https://evil.example.com' } }), 'token_invalid'],
    ['for another client', () => ({ claims: { aud: 'another' } }), 'token_invalid'],
    ['for a party of another client', () => ({ claims: { azp: 'another' } }), 'token_invalid'],
    [
      'for several clients without azp',
      () => ({ claims: { aud: ['tenantry', 'another'] } }),
      'token_invalid',
    ],
    ['that has expired', () => ({ claims: { exp: now() - 120 } }), 'token_invalid'],
    ['issued 10 minutes ahead', () => ({ claims: { iat: now() + 600, exp: now() + 900 } }), 'token_invalid'],
    ['that is not valid yet', () => ({ claims: { nbf: now() + 120 } }), 'token_invalid'],
    ['of another attempt, by its nonce', () => ({ claims: { nonce: 'another' } }), 'token_invalid'],
    ['without a nonce', () => ({ claims: { nonce: undefined } }), 'answer_invalid'],
    ['without a signature', () => ({ sign: (claims) => new UnsecuredJWT(claims).encode() }), 'token_invalid'],
    [
      'signed with the secret of the client',
      () => ({
        sign: (claims) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: 'HS256' })
            .sign(new TextEncoder().encode(secret.padEnd(32))),
      }),
      'token_invalid',
    ],
    [
      'signed by a key that is not published',
      () => ({
        sign: async (claims) => signedBy('RS256', (await generateKeyPair('RS256')).privateKey)(claims),
      }),
      'token_invalid',
    ],
    [
      'whose content was changed behind the signature',
      () => ({
        sign: async (claims) => {
          const [head, , tail] = (await signedBy('ES256')(claims)).split('.')
          const other = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url')
          return `${head}.${other}.${tail}`
        },
      }),
      'token_invalid',
    ],
    [
      'signed by HMAC with a public key',
      () => ({
        sign: (claims) => {
          const head = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'RS256' })).toString('base64url')
          const body = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
          return `${body}.${createHmac('sha256', 'RS256').update(body).digest('base64url')}`
        },
      }),
      'token_invalid',
    ],
    [
      'whose userinfo is another person',
      () => ({ claims: { name: undefined }, userinfo: { sub: 'eve' } }),
      'userinfo_invalid',
    ],
    ...(
      [
        ['names another person', { userinfo: { sub: 'eve' } }],
        ['is of another issuer', { userinfo: { sub: 'ada', iss: 'https://evil.example.com' } }],
        ['is for another client', { userinfo: { sub: 'ada', aud: 'another' } }],
        ['has expired', { userinfo: { sub: 'ada', exp: now() - 120 } }],
        ['is ahead of time', { userinfo: { sub: 'ada', iat: now() + 600 } }],
        ['is not signed', { signUserinfo: (claims) => new UnsecuredJWT(claims).encode() }],
        ['is no JWT', { signUserinfo: () => '{"sub":"ada"}' }],
        [
          'is signed by a key that is not published',
          {
            signUserinfo: async (claims) =>
              signedBy('RS256', (await generateKeyPair('RS256')).privateKey)(claims),
          },
        ],
        [
          'is signed with the secret of the client',
          {
            signUserinfo: (claims) =>
              new SignJWT(claims)
                .setProtectedHeader({ alg: 'HS256' })
                .sign(new TextEncoder().encode(secret.padEnd(32))),
          },
        ],
      ] satisfies [string, ProviderBehaviour][]
    ).map(([name, behaviour]): [string, () => ProviderBehaviour, string] => [
      `whose userinfo is a JWT that ${name}`,
      () => ({ claims: { name: undefined }, signUserinfo: signedBy('RS256'), ...behaviour }),
      'userinfo_invalid',
    ]),
    [
      'without the subject that counts',
      () => ({ config: configOf({ subject_claim: 'oid' }) }),
      'subject_missing',
    ],
    ['with a subject of 256 characters', () => ({ claims: { sub: 's'.repeat(256) } }), 'subject_missing'],
    ['with a subject that no database holds', () => ({ claims: { sub: 'a\0\ud800' } }), 'subject_missing'],
    [
      'of another issuer, mixed up',
      () => ({ answer: { iss: 'https://evil.example.com' } }),
      'answer_invalid',
    ],
    ['with another state', () => ({ answer: { state: 'another' } }), 'answer_invalid'],
    ['that is an error', () => ({ answer: { error: 'access_denied' } }), 'provider_refused'],
    ['whose code the provider refuses', () => ({ refusal: { error: 'invalid_client' } }), 'client_refused'],
    [
      'in another browser, whose cookie makes another nonce',
      () => ({ binding: { ...binding, browser: 'c'.repeat(43) } }),
      'token_invalid',
    ],
  ])('an answer %s is refused', async (_name, behaviour, reason) => {
    expect(await read(behaviour())).toEqual({ refused: reason })
  })

  test('Google has to name the domain of the address in hd', async () => {
    const config = configOf({ issuer: 'https://accounts.google.com' })
    const refused = { refused: 'hosted_domain' }
    expect(await read({ config })).toEqual(refused)
    expect(await read({ config, claims: { hd: 'evil.example' } })).toEqual(refused)
    expect(await read({ config, claims: { hd: 'acme.example', email: undefined } })).toEqual(refused)
    expect(await read({ config, claims: { hd: 'acme.example' } })).toMatchObject(accepted)
  })
})
