import { createPublicKey, randomUUID } from 'node:crypto'
import {
  calculateJwkThumbprint,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
  type JWTPayload,
} from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newTenant, platformAdmin, register, type Caller } from '../../test/factories.ts'
import { openInstallation, type Installation } from '../../test/installation.ts'
import { call, clock, parts, service } from '../../test/harness.ts'
import type { TokenPurpose } from './keys.store.ts'
import { keepIssuer } from './rotation.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { pingStatus, postRefresh } from '../../test/accounts.ts'

let user: Caller

beforeAll(async () => {
  await platformAdmin()
  user = await register()
})

const expectRefused = async (token: string): Promise<void> => {
  const answer = await call('GET', '/ping', { token })
  expect(answer).toMatchObject({ status: 401, body: { data: null } })
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  expect(await postRefresh(token)).toMatchObject({ status: 401, body: { code: 40106 } })
}

const { issuer } = parts.config

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('the claims of a token', () => {
  const common = () => ({
    iss: issuer,
    sub: String(user.userId),
    tid: user.tenantId,
    sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    jti: expect.stringMatching(/./),
    iat: expect.any(Number),
  })

  test('an access token is one of RFC 9068, and lives two hours', async () => {
    const claims = decodeJwt(user.token)
    expect(claims).toEqual({
      ...common(),
      aud: issuer,
      client_id: 'tenantry',
      amr: ['pwd'],
      token_use: 'access',
      exp: Number(claims.iat) + 7200,
    })
    expect(Math.abs(Number(claims.iat) - Date.now() / 1000)).toBeLessThan(120)
    const { kid } = await parts.keys.signing('access', clock.now())
    expect(decodeProtectedHeader(user.token)).toEqual({ alg: 'EdDSA', kid, typ: 'at+jwt' })
  })

  test('a refresh token has a type, an audience and a key of its own, and lives seven days', async () => {
    const claims = decodeJwt(user.refreshToken)
    expect(claims).toEqual({
      ...common(),
      aud: 'tenantry:refresh',
      token_use: 'refresh',
      exp: Number(claims.iat) + 7 * 24 * 3600,
    })
    const { kid } = await parts.keys.signing('refresh', clock.now())
    expect(decodeProtectedHeader(user.refreshToken)).toEqual({ alg: 'EdDSA', kid, typ: 'rt+jwt' })
  })

  test('both tokens name one session, and no two tokens have the same jti', async () => {
    const next = await postRefresh((await register()).refreshToken)
    const tokens = [user.token, user.refreshToken, next.data.access_token, next.data.refresh_token]
    expect(decodeJwt(user.token)['sid']).toBe(decodeJwt(user.refreshToken)['sid'])
    expect(new Set(tokens.map((token) => decodeJwt(token).jti)).size).toBe(4)
  })

  test('a token holds no e-mail, name or permission', () => {
    for (const token of [user.token, user.refreshToken]) {
      const text = JSON.stringify(decodeJwt(token))
      expect(text).not.toContain(user.email)
      expect(text).not.toContain(user.username)
      expect(text).not.toMatch(/permission|role|admin/)
    }
  })
})

describe('the key set', () => {
  test('others verify access tokens with only the key set, and no refresh token passes', async () => {
    const keySet = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(user.token, keySet, { issuer, audience: issuer, typ: 'at+jwt' })
    expect(payload.sub).toBe(String(user.userId))
    await expect(jwtVerify(user.refreshToken, keySet)).rejects.toThrow(/no applicable key found/)
    await expect(postRefresh(user.refreshToken)).resolves.toMatchObject({ status: 200 })
  })

  test('the key set is bare, public, cacheable and holds no private part', async () => {
    const answer = await call('GET', '//.well-known/jwks.json')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/(?:jwk-set\+)?json/)
    expect(answer.headers.get('cache-control')).toContain('max-age')
    expect(Object.keys(answer.body)).toEqual(['keys'])
    for (const key of answer.body.keys) {
      const ofKind = key.kty === 'RSA' ? ['e', 'n'] : ['crv', 'x']
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'kid', 'kty', 'use', ...ofKind].toSorted())
      expect(await calculateJwkThumbprint(key)).toMatch(/^[\w-]{43}$/)
    }
    // Keys of access tokens and ID tokens. Rotated keys stay for a while.
    const kinds = new Set(answer.body.keys.map(({ alg }: { alg: string }) => alg))
    expect(kinds).toEqual(new Set(['EdDSA', 'RS256']))
  })
})

describe('a token of the other use', () => {
  test('a refresh token is no access token', async () => {
    expect(await call('GET', '/ping', { token: user.refreshToken })).toMatchObject({
      status: 401,
      body: { code: 40102 },
    })
  })

  test('an access token is no refresh token', async () => {
    expect(await postRefresh(user.token)).toMatchObject({ status: 401, body: { code: 40106 } })
    expect(await pingStatus(user.token)).toBe(200)
  })
})

describe('a forged token', () => {
  /** The real claims of both tokens, with the given changes. */
  const forgeries = (change: JWTPayload = {}) =>
    [user.token, user.refreshToken].map((token) => ({ ...decodeJwt(token), ...change }))
  const kidOf = async () => (await parts.keys.signing('access', clock.now())).kid
  const publicKey = async (kid?: string) => {
    const wanted = kid ?? (await kidOf())
    const { keys } = await parts.keys.jwks(clock.now())
    return keys.find((key) => key.kid === wanted) ?? expect.fail('the signing key is not in the key set')
  }

  test('an unsigned token is refused, however none is written', async () => {
    for (const claims of forgeries()) {
      await expectRefused(new UnsecuredJWT(claims).encode())
      for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
        const head = base64url({ alg, typ: 'JWT', kid: await kidOf() })
        await expectRefused(`${head}.${base64url(claims)}.`)
        await expectRefused(`${head}.${base64url(claims)}.${user.token.split('.')[2]}`)
      }
    }
  })

  test('a token signed by HMAC with the public key is refused', async () => {
    const jwk = await publicKey()
    const pem = createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const { x = '' } = jwk
    const secrets = [Buffer.from(x, 'base64url'), Buffer.from(x), Buffer.from(pem)]
    for (const claims of forgeries()) {
      for (const secret of secrets) {
        for (const alg of ['HS256', 'HS512']) {
          const signer = new SignJWT(claims).setProtectedHeader({ alg, kid: jwk.kid })
          await expectRefused(await signer.sign(new Uint8Array(secret)))
        }
      }
    }
  })

  test('a token of another key is refused, under its own kid, ours or none', async () => {
    const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
    for (const claims of forgeries()) {
      for (const kid of [randomUUID(), await kidOf(), undefined, '', '__proto__', 'constructor']) {
        const header = kid === undefined ? { alg: 'EdDSA' } : { alg: 'EdDSA', kid }
        await expectRefused(await new SignJWT(claims).setProtectedHeader(header).sign(privateKey))
      }
    }
  })

  test('a key that a token brings along or points to is not used', async () => {
    const { privateKey, publicKey: key } = await generateKeyPair('EdDSA', {
      crv: 'Ed25519',
      extractable: true,
    })
    const jwk = { ...(await exportJWK(key)), kid: 'mine' }
    const url = 'http://127.0.0.1:9/jwks.json'
    for (const claims of forgeries()) {
      for (const extra of [{ jwk }, { jwk, kid: 'mine' }, { jku: url, kid: 'mine' }, { x5u: url }]) {
        const header = { alg: 'EdDSA', kid: await kidOf(), ...extra }
        await expectRefused(await new SignJWT(claims).setProtectedHeader(header).sign(privateKey))
      }
    }
  })

  test('a key of another kind is refused under any kid', async () => {
    for (const alg of ['ES256', 'RS256', 'PS256']) {
      const { privateKey } = await generateKeyPair(alg)
      for (const claims of forgeries()) {
        const signer = new SignJWT(claims).setProtectedHeader({ alg, kid: await kidOf() })
        await expectRefused(await signer.sign(privateKey))
      }
    }
  })

  test('a token with a changed payload is refused', async () => {
    const root = await platformAdmin()
    const changes = [{ sub: String(root.userId) }, { exp: 9_999_999_999 }, { token_use: 'access' }]
    for (const token of [user.token, user.refreshToken]) {
      const [head, , signature] = token.split('.')
      for (const change of changes) {
        const claims = { ...decodeJwt(token), jti: '0-changed', ...change }
        await expectRefused(`${head}.${base64url(claims)}.${signature}`)
      }
    }
  })

  test('a token with a changed header or signature is refused', async () => {
    const [head = '', payload = '', signature = ''] = user.token.split('.')
    const flipped = Buffer.from(signature, 'base64url')
    flipped.writeUInt8(flipped.readUInt8(10) ^ 1, 10)
    const [, , foreign = ''] = user.refreshToken.split('.')
    const header = base64url({ ...decodeProtectedHeader(user.token), typ: 'jwt' })
    for (const token of [
      `${head}.${payload}.${flipped.toString('base64url')}`,
      `${head}.${payload}.${foreign}`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${header}.${payload}.${signature}`,
      `${head}.${payload}.${signature}.${signature}`,
      `${head}..${signature}`,
    ]) {
      await expectRefused(token)
    }
    expect(await pingStatus(user.token)).toBe(200)
  })

  const uses = ['access', 'refresh'] as const
  const typs = { access: 'at+jwt', refresh: 'rt+jwt' }

  /** A token with the real claims and header of a use, except for the changes. */
  const signOurs = async (
    use: (typeof uses)[number],
    claims: Record<string, unknown>,
    { typ = typs[use], signer = use }: { typ?: string | undefined; signer?: TokenPurpose } = {},
  ) => {
    const { kid, key } = await parts.keys.signing(signer, clock.now())
    const real = decodeJwt(use === 'access' ? user.token : user.refreshToken)
    return new SignJWT({ ...real, ...claims })
      .setProtectedHeader({ alg: 'EdDSA', kid, ...(typ === '' ? {} : { typ }) })
      .sign(key)
  }

  test('a token with wrong claims is refused, although our own key signed it', async () => {
    const stranger = await (await newTenant()).member()
    const now = Math.floor(Date.now() / 1000)
    const changes: Record<string, unknown>[] = [
      { iss: 'somebody else' },
      { iss: undefined },
      { aud: 'somebody else' },
      { aud: undefined },
      { aud: [] },
      { exp: now - 1 },
      { exp: undefined },
      { sub: undefined },
      { sub: 'nobody' },
      { sub: String(stranger.userId) },
      { tid: stranger.tenantId },
      { tid: 'nonsense' },
      { tid: undefined },
      { sid: randomUUID() },
      { sid: decodeJwt(stranger.token)['sid'] },
      { sid: undefined },
      { token_use: 'id' },
      { token_use: undefined },
      { jti: undefined },
      { jti: 'nonsense' },
      { nbf: now + 600 },
    ]
    expect(await pingStatus(await signOurs('access', {}))).toBe(200)
    for (const use of uses) {
      for (const change of changes) await expectRefused(await signOurs(use, change))
    }
    const control = await register()
    const refreshClaims = decodeJwt(control.refreshToken)
    expect((await postRefresh(await signOurs('refresh', refreshClaims))).status).toBe(200)
  })

  test('type, audience, use and key of a token must all be those of one use', async () => {
    const [access, refresh] = [decodeJwt(user.token), decodeJwt(user.refreshToken)]
    for (const use of uses) {
      const other = use === 'access' ? 'refresh' : 'access'
      for (const typ of ['', 'JWT', 'jwt', typs[other]]) await expectRefused(await signOurs(use, {}, { typ }))
      await expectRefused(await signOurs(use, {}, { signer: other }))
      await expectRefused(await signOurs(use, { aud: (use === 'access' ? refresh : access).aud }))
      await expectRefused(await signOurs(use, { token_use: other }))
      await expectRefused(await signOurs(use, { token_use: other }, { typ: typs[other] }))
    }
  })

  test('an unknown critical header is refused', async () => {
    const { kid, key } = await parts.keys.signing('access', clock.now())
    const [claims] = forgeries()
    const signer = new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, crit: ['b64'], b64: true })
    const token = await signer.sign(key)
    const crit = base64url({ alg: 'EdDSA', kid, crit: ['x'], x: 1 })
    await expectRefused(`${crit}.${token.split('.')[1]}.${token.split('.')[2]}`)
  })

  test('the public key of the key set verifies real tokens', async () => {
    // Another key can sign now, because tests of the rotation use the same database.
    const { kid } = decodeProtectedHeader(user.token)
    const verified = jwtVerify(user.token, await importJWK({ ...(await publicKey(kid)) }, 'EdDSA'))
    await expect(verified).resolves.toMatchObject({ payload: { sub: String(user.userId) } })
  })
})

describe('an expired token', () => {
  test('an access token lives two hours and no longer', async () => {
    const { token } = await register()
    clock.advance(7195 * 1000)
    expect(await pingStatus(token)).toBe(200)
    clock.advance(6 * 1000)
    const answer = await call('GET', '/ping', { token })
    expect(answer).toMatchObject({ status: 401, body: { code: 40102 } })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
})

describe('the issuer', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await openInstallation({ TENANTRY_ISSUER: 'https://old.example' })
  })
  afterAll(() => installation.remove())

  test('tokens of an issuer of the last seven days stay valid, those of any other one are refused', async () => {
    const { tokens, keys, store } = installation.parts
    const renamed = createTokens(
      keys,
      { issuer: 'https://new.example', audience: 'https://new.example' },
      7200,
    )
    const subject = {
      userId: 1,
      tenantId: randomUUID(),
      sessionId: randomUUID(),
      generation: 0,
      amr: ['pwd'],
      isRestricted: false,
    }
    const [old, fresh] = [tokens, renamed]
    const accepts = async (verifier: Tokens, signer: Tokens) => {
      const token = await signer.sign('access', subject, clock.now())
      return (await verifier.verify('access', token, clock.now())) !== undefined
    }
    expect(await accepts(fresh, old)).toBe(true)
    expect(await accepts(old, fresh)).toBe(false)
    await keepIssuer(store, 'https://new.example', clock.now())
    keys.forget()
    expect(await accepts(old, fresh)).toBe(true)
    clock.advance(6.9 * 24 * 3600_000)
    expect(await accepts(fresh, old)).toBe(true)
    clock.advance(0.2 * 24 * 3600_000)
    expect(await accepts(fresh, old)).toBe(false)
  })
})

describe('the settings', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await openInstallation({
      TENANTRY_PUBLIC_URL: 'https://admin.example.com',
      TENANTRY_AUDIENCE: 'https://product.example.com',
      TENANTRY_ACCESS_TOKEN_SECONDS: '60',
      TENANTRY_TOKEN_ALGORITHM: 'ES256',
    })
  })
  afterAll(() => installation.remove())

  test('give issuer, audience, algorithm and life of access tokens', async () => {
    const { tokens } = installation.parts
    const claims = { userId: 1, tenantId: randomUUID(), sessionId: randomUUID(), generation: 0 }
    const token = await tokens.sign('access', { ...claims, amr: ['pwd'], isRestricted: false }, clock.now())
    const { iss, aud, iat = 0, exp = 0 } = decodeJwt(token)
    expect([iss, aud, exp - iat]).toEqual(['https://admin.example.com', 'https://product.example.com', 60])
    expect(decodeProtectedHeader(token).alg).toBe('ES256')
    expect(await tokens.verify('access', token, clock.now())).toMatchObject(claims)
    clock.advance(61_000)
    expect(await tokens.verify('access', token, clock.now())).toBeUndefined()
  })
})
