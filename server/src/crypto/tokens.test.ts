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
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, platformAdmin, register, type Caller } from '../../test/factories.ts'
import { call, clock, parts, service } from '../../test/harness.ts'
import { pingStatus, postRefresh } from '../features/auth/test-accounts.ts'

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

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('the claims of a token', () => {
  test.each<['token' | 'refreshToken', string, number]>([
    ['token', 'access', 7200],
    ['refreshToken', 'refresh', 7 * 24 * 3600],
  ])('a %s says who, where, in which session, for what and how long', async (field, use, seconds) => {
    const token = user[field]
    const claims = decodeJwt(token)
    expect(claims).toEqual({
      iss: 'tenantry',
      sub: String(user.userId),
      tid: user.tenantId,
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token_use: use,
      jti: expect.stringMatching(/./),
      iat: expect.any(Number),
      exp: Number(claims.iat) + seconds,
    })
    expect(Math.abs(Number(claims.iat) - Date.now() / 1000)).toBeLessThan(120)
    const header = decodeProtectedHeader(token)
    expect(header).toMatchObject({ alg: 'EdDSA', kid: (await parts.keys.signing()).kid })
    for (const name of ['jwk', 'jku', 'x5u', 'x5c']) expect(header).not.toHaveProperty(name)
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
  test('others verify our tokens with the key set alone', async () => {
    const keySet = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
    for (const token of [user.token, user.refreshToken]) {
      const { payload } = await jwtVerify(token, keySet, { issuer: 'tenantry', algorithms: ['EdDSA'] })
      expect(payload.sub).toBe(String(user.userId))
    }
  })

  test('the key set is bare, public, cacheable and holds no private part', async () => {
    const answer = await call('GET', '//.well-known/jwks.json')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/(?:jwk-set\+)?json/)
    expect(answer.headers.get('cache-control')).toContain('max-age')
    expect(Object.keys(answer.body)).toEqual(['keys'])
    for (const key of answer.body.keys) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
      expect(key).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' })
      expect(await calculateJwkThumbprint(key)).toMatch(/^[\w-]{43}$/)
    }
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
  /** The real claims of either token, so that only what the test changes is wrong. */
  const forgeries = (change: JWTPayload = {}) =>
    [user.token, user.refreshToken].map((token) => ({ ...decodeJwt(token), ...change }))
  const kidOf = async () => (await parts.keys.signing()).kid
  const publicKey = async () => {
    const kid = await kidOf()
    const { keys } = await parts.keys.jwks()
    return keys.find((key) => key.kid === kid) ?? expect.fail('the signing key is not in the key set')
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
    const secrets = [Buffer.from(jwk.x, 'base64url'), Buffer.from(jwk.x), Buffer.from(pem)]
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

  test('a key of another kind is refused, whatever kid it claims', async () => {
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

  test('even our own signature does not make up for wrong claims', async () => {
    const { kid, key } = await parts.keys.signing()
    const stranger = await (await newTenant()).member()
    const now = Math.floor(Date.now() / 1000)
    const changes: Record<string, unknown>[] = [
      { iss: 'somebody else' },
      { iss: undefined },
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
    for (const change of changes) {
      for (const claims of forgeries()) {
        const signer = new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'EdDSA', kid })
        await expectRefused(await signer.sign(key))
      }
    }
  })

  test('a critical header that nobody understands is refused', async () => {
    const { kid, key } = await parts.keys.signing()
    const [claims] = forgeries()
    const signer = new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, crit: ['b64'], b64: true })
    const token = await signer.sign(key)
    const crit = base64url({ alg: 'EdDSA', kid, crit: ['x'], x: 1 })
    await expectRefused(`${crit}.${token.split('.')[1]}.${token.split('.')[2]}`)
  })

  test('the public key of the key set is really the one that signs', async () => {
    const verified = jwtVerify(user.token, await importJWK({ ...(await publicKey()) }, 'EdDSA'))
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
