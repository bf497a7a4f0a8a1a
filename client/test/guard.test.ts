/** The guard of a product's backend, with the real service as its Tenantry. */
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWK, type JWTPayload } from 'jose'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../server/src/app.ts'
import { keySetSeconds } from '../../server/src/crypto/keys.ts'
import { rotateKeys } from '../../server/src/crypto/rotation.ts'
import { keyWith, newTenant, ok, platformAdmin, signIn, unique } from '../../server/test/factories.ts'
import { clock, parts, service, startApp } from '../../server/test/harness.ts'
import { createGuard } from '../src/guard/guard.ts'
import { code, guardWith, newProduct, outdated, signFor, startWatched, visit } from './guarded.ts'
import { accessTokenMs } from './signed-in.ts'

const overMs = 60_000

describe('a request', () => {
  test('a request of a user with the permission is admitted, with its caller', async () => {
    const { user, backend } = await newProduct()
    const caller = { userId: user.userId, tenantId: user.tenantId, permissions: [code] }
    const { guard, lines } = guardWith({ key: backend.token })
    expect(await visit(guard)(user.token)).toEqual({ status: 200, caller })
    expect(lines).toEqual([])
  })

  test('a request of a user without the permission gets 403', async () => {
    const { tenant, backend } = await newProduct()
    const other = await tenant.userWith('user:read')
    const { guard } = guardWith({ key: () => Promise.resolve(backend.token) })
    expect(await visit(guard)(other.token)).toEqual({ status: 403, error: 'permissionMissing' })
  })

  test('is judged in the tenant of its token, whatever tenant a header names', async () => {
    const { user } = await newProduct()
    const other = await newTenant()
    const root = await platformAdmin()
    const into = visit(guardWith({ key: root.token }).guard)
    expect(await into(user.token, { 'x-tenant-id': other.id })).toMatchObject({
      status: 200,
      caller: { userId: user.userId, tenantId: user.tenantId },
    })
    expect(await into(root.token, { 'x-tenant-id': other.id })).toMatchObject({
      caller: { userId: root.userId, tenantId: root.tenantId },
    })
  })

  test('cannot change the permissions that other requests of its session find', async () => {
    const { user, backend } = await newProduct()
    const into = visit(guardWith({ key: backend.token }).guard)
    const { caller } = await into(user.token)
    expect(Object.isFrozen(caller?.permissions)).toBe(true)
  })
})

describe('a token that is no access token of this service', () => {
  test('is 401, and Tenantry is asked nothing but its keys', async () => {
    const { user, backend } = await newProduct()
    const { url, asked } = await startWatched()
    const into = visit(guardWith({ baseUrl: url, key: backend.token }).guard)
    await into(user.token)
    asked.length = 0
    const { kid = '', typ = '' } = decodeProtectedHeader(user.token)
    const claims = decodeJwt(user.token)
    const { privateKey } = generateKeyPairSync('ed25519')
    const forged = new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, typ }).sign(privateKey)
    const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as {
      keys: JWK[]
    }
    const pem = createPublicKey({ key: { ...keys[0] }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
    const inBase64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = (alg: string) => `${inBase64({ alg, kid, typ })}.${inBase64(claims)}`
    const hashed = unsigned('HS256')
    const mac = createHmac('sha256', pem).update(hashed).digest('base64url')
    const own = await parts.keys.signing('access', parts.now())
    const signed = (type: string, payload: JWTPayload) =>
      new SignJWT(payload).setProtectedHeader({ alg: own.alg, kid: own.kid, typ: type }).sign(own.key)
    const tokens = {
      'of another type': await signed('JWT', claims),
      'without a session': await signed(typ, { ...claims, sid: undefined }),
      refresh: user.refreshToken,
      expired: await signFor(user, 'access', { ageMs: accessTokenMs + overMs }),
      restricted: await signFor(user, 'access', { isRestricted: true }),
      forged: await forged,
      'signed with the public key': `${hashed}.${mac}`,
      unsigned: `${unsigned('none')}.`,
      cut: user.token.slice(0, -8),
      'no token': 'tnt_abc',
    }
    for (const [name, token] of Object.entries(tokens)) {
      expect([name, await into(token)]).toEqual([name, { status: 401, error: 'tokenInvalid' }])
    }
    expect(asked.filter((one) => !one.endsWith('/jwks.json'))).toEqual([])
  })

  test.each([
    ['issuer', 'iss'],
    ['audience', 'aud'],
  ])('is 401 for another %s, and the log says so once, without the token', async (name, claim) => {
    const { user, backend } = await newProduct()
    const { guard, lines } = guardWith({ key: backend.token, [name]: 'https://other.example.com' })
    const into = visit(guard)
    for (const token of [user.token, await signFor(user, 'access'), user.token]) {
      expect(await into(token)).toEqual({ status: 401, error: 'tokenInvalid' })
    }
    const found = String(decodeJwt(user.token)[claim])
    expect(lines).toEqual([
      `Tenantry signs tokens for the ${name} "${found}", and the guard expects "https://other.example.com": ` +
        `such tokens get 401. The option ${name} changes it`,
    ])
  })

  test('has ten lines in the log about other names at most, and none without a right signature', async () => {
    const { user, backend } = await newProduct()
    const { guard, lines } = guardWith({ key: backend.token })
    const into = visit(guard)
    const own = await parts.keys.signing('access', parts.now())
    const { kid = '', typ = '' } = decodeProtectedHeader(user.token)
    const claims = decodeJwt(user.token)
    const sign = (iss: string, key: CryptoKey | KeyObject) =>
      new SignJWT({ ...claims, iss }).setProtectedHeader({ alg: own.alg, kid, typ }).sign(key)
    await into(await sign('https://forged.example.com', generateKeyPairSync('ed25519').privateKey))
    await into(await signFor(user, 'access', { isRestricted: true }))
    expect(lines).toEqual([])
    for (const n of Array.from({ length: 12 }).keys()) {
      await into(await sign(`https://${n}.example.com/${'x'.repeat(1000)}`, own.key))
    }
    expect(lines).toHaveLength(10)
    for (const line of lines) expect(line.length).toBeLessThan(600)
  })

  test('is 401 unless its issuer is the baseUrl, or on one machine another name of this machine', async () => {
    const { user, backend } = await newProduct()
    const own = await parts.keys.signing('access', parts.now())
    const { kid = '', typ = '' } = decodeProtectedHeader(user.token)
    const { port } = new URL(service.url)
    const statusOf = async (baseUrl: string, iss: string) => {
      const claims = { ...decodeJwt(user.token), iss, aud: iss }
      const token = await new SignJWT(claims).setProtectedHeader({ alg: own.alg, kid, typ }).sign(own.key)
      const guard = createGuard({ baseUrl, key: backend.token, log: () => undefined })
      return (await visit(guard)(token)).status
    }
    const names = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
    for (const baseUrl of names) {
      for (const iss of [...names, `http://[::1]:${port}`]) expect(await statusOf(baseUrl, iss)).toBe(200)
      const others = ['http://localhost', `https://localhost:${port}`, `http://localhost.example.com:${port}`]
      for (const iss of others) expect(await statusOf(baseUrl, iss)).toBe(401)
    }
  })

  test('is 401 once it expires, although it was verified just before', async () => {
    const { user, backend } = await newProduct()
    const into = visit(guardWith({ key: backend.token }).guard)
    expect(await into(user.token)).toMatchObject({ status: 200 })
    const { exp = 0 } = decodeJwt(user.token)
    vi.useFakeTimers({ toFake: ['Date'], now: exp * 1000 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await into(user.token)).toEqual({ status: 401, error: 'tokenInvalid' })
  })

  test('is 401 without a bearer token', async () => {
    const { backend } = await newProduct()
    const into = visit(guardWith({ key: backend.token }).guard)
    for (const authorization of ['', 'Basic YWRhOnB3', 'Bearer', 'Bearer a b']) {
      expect(await into('', { authorization })).toEqual({ status: 401, error: 'tokenMissing' })
    }
  })
})

describe('a change in Tenantry', () => {
  test('a user whose permission was taken gets 403 within 2 seconds', async () => {
    const { tenant, backend } = await newProduct()
    const user = await tenant.member()
    const role = await tenant.role('user:read')
    ok(await tenant.admin.post(`/rbac/users/${user.userId}/roles`, { role_id: role.id }))
    const into = visit(guardWith({ key: backend.token }).guard, 'user:read')
    expect(await into(user.token)).toMatchObject({ status: 200 })
    ok(await tenant.admin.delete(`/rbac/users/${user.userId}/roles/${role.id}`))
    await outdated()
    expect(await into(user.token)).toEqual({ status: 403, error: 'permissionMissing' })
  })

  test('a user whose session was ended gets 401 within 2 seconds', async () => {
    const { tenant, user, backend } = await newProduct()
    const into = visit(guardWith({ key: backend.token }).guard)
    expect(await into(user.token)).toMatchObject({ status: 200 })
    ok(await tenant.admin.delete(`/users/${user.userId}`))
    await outdated()
    expect(await into(user.token)).toEqual({ status: 401, error: 'sessionOver' })
  })

  test('a user is refused once the user is disabled, or the tenant is disabled or removed', async () => {
    const [disabled, closed, removed] = [await newProduct(), await newProduct(), await newProduct()]
    const root = await platformAdmin()
    const into = visit(guardWith({ key: root.token }).guard)
    ok(await root.put(`/users/${disabled.user.userId}`, { status: 0 }, { tenant: disabled.tenant.id }))
    ok(await root.put(`/org/tenants/${closed.tenant.id}`, { status: 0 }))
    ok(await root.delete(`/org/tenants/${removed.tenant.id}`))
    expect(await into(disabled.user.token)).toEqual({ status: 401, error: 'sessionOver' })
    expect(await into(closed.user.token)).toEqual({ status: 403, error: 'permissionMissing' })
    expect(await into(removed.user.token)).toEqual({ status: 401, error: 'sessionOver' })
  })

  test('counts at once after forget', async () => {
    const { tenant, user, backend } = await newProduct()
    const { guard } = guardWith({ key: backend.token })
    const into = visit(guard)
    await into(user.token)
    ok(await tenant.admin.delete(`/users/${user.userId}`))
    guard.forget({ userId: user.userId + 1 })
    expect(await into(user.token)).toMatchObject({ status: 200 })
    guard.forget({ tenantId: tenant.id, userId: user.userId })
    expect(await into(user.token)).toMatchObject({ status: 401 })
  })
})

describe('the questions of the guard to Tenantry', () => {
  test('the guard asks once for equal questions at one moment, and once in 1.5 seconds for a session', async () => {
    const { tenant, user, backend } = await newProduct()
    const { url, asked } = await startWatched()
    const { guard } = guardWith({ baseUrl: url, key: backend.token })
    const into = visit(guard)
    const answers = await Promise.all(Array.from({ length: 20 }, () => into(user.token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    await into(user.token)
    const check = 'POST /api/v1/authz/check'
    const question = 'GET /api/v1/authz/permissions'
    expect(asked.toSorted()).toEqual(['GET /.well-known/jwks.json', question, check].toSorted())
    await into((await tenant.userWith(code)).token)
    await outdated()
    await into(user.token)
    expect(asked.filter((one) => one === question)).toHaveLength(3)
  })

  test('the guard asks for the keys again when a rotated key signs, at most once in 30 seconds', async () => {
    const { user, backend } = await newProduct()
    const { url, asked } = await startWatched()
    const into = visit(guardWith({ baseUrl: url, key: backend.token }).guard)
    const fetches = () => asked.filter((one) => one.endsWith('/jwks.json')).length
    expect(await into(user.token)).toMatchObject({ status: 200 })
    await parts.store.transaction({}, (db) => rotateKeys(db, parts.secrets, parts.now()))
    await parts.cache.publish({ kind: 'keys' })
    clock.advance(keySetSeconds * 1000)
    const again = await signIn(user)
    expect(decodeProtectedHeader(again.token).kid).not.toBe(decodeProtectedHeader(user.token).kid)
    expect([await into(again.token), fetches()]).toEqual([{ status: 401, error: 'tokenInvalid' }, 1])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_001 })
    onTestFinished(() => void vi.useRealTimers())
    expect([await into(again.token), fetches()]).toMatchObject([{ status: 200 }, 2])
    expect(await into(user.token)).toMatchObject({ status: 200 })
  })

  test('the guard asks for the keys only once while tokens name unknown ones', async () => {
    const { user, backend } = await newProduct()
    const { url, asked } = await startWatched()
    const into = visit(guardWith({ baseUrl: url, key: backend.token }).guard)
    await into(user.token)
    for (let count = 0; count < 5; count += 1) await into(user.refreshToken)
    expect(asked.filter((one) => one.endsWith('/jwks.json'))).toHaveLength(1)
  })
})

describe('a code that the catalogue lacks', () => {
  test('is logged at the start, and its routes answer 500 to signed-in users', async () => {
    const { user, backend } = await newProduct()
    const { guard, lines } = guardWith({ key: backend.token })
    const into = visit(guard, 'invoice:raed')
    visit(guard, 'invoice:raed')
    await expect.poll(() => lines).toHaveLength(1)
    expect(lines[0]).toContain("'invoice:raed'")
    expect(await into(user.token)).toEqual({ status: 500, error: 'permissionUnknown' })
    expect(await into('nobody')).toMatchObject({ status: 401 })
    expect(await visit(guard)(user.token)).toMatchObject({ status: 200 })
    expect(lines).toHaveLength(1)
  })
})

describe('a guard without an answer of Tenantry', () => {
  const unavailable = { status: 503, error: 'unavailable' }

  test('a request is 503 when the service stops, and comes in when it is back', async () => {
    const { user, backend } = await newProduct()
    const running = await startApp()
    const { port } = new URL(running.url)
    const { guard, lines } = guardWith({ baseUrl: running.url, key: backend.token })
    const into = visit(guard)
    expect(await into(user.token)).toMatchObject({ status: 200 })
    await running.app.close()
    await outdated()
    expect(await into(user.token)).toEqual(unavailable)
    expect(await into(user.token)).toEqual(unavailable)
    expect(lines).toEqual(['Tenantry gives no answer (network): protected routes answer 503'])
    const again = await buildApp(parts)
    onTestFinished(() => again.close())
    await again.listen({ host: '127.0.0.1', port: Number(port) })
    expect(await into(user.token)).toMatchObject({ status: 200 })
  })

  test('a guard that starts before Tenantry answers 503 until Tenantry is there', async () => {
    const { user, backend } = await newProduct()
    const { url, app } = await startApp()
    await app.close()
    const into = visit(guardWith({ baseUrl: url, key: backend.token }).guard)
    expect(await into(user.token)).toEqual(unavailable)
    const late = await buildApp(parts)
    onTestFinished(() => late.close())
    await late.listen({ host: '127.0.0.1', port: Number(new URL(url).port) })
    expect(await into(user.token)).toMatchObject({ status: 200 })
  })

  test('a request is 503 when Tenantry refuses the key', async () => {
    const { tenant, user } = await newProduct()
    const powerless = await tenant.member()
    for (const [key, reason] of [
      ['tnt_unknown', 'tokenInvalid'],
      [powerless.token, 'permissionMissing'],
    ]) {
      const { guard, lines } = guardWith({ key: key ?? '' })
      expect(await visit(guard)(user.token)).toEqual(unavailable)
      expect(lines).toEqual([`Tenantry refuses the key (${reason}): protected routes answer 503`])
    }
  })

  test('a request is 503 after any answer but that of Tenantry about this user', async () => {
    const { user, backend } = await newProduct()
    const about = (userId: number) => ({
      user_id: userId,
      tenant_id: user.tenantId,
      is_enabled: true,
      permissions: [code],
    })
    const inEnvelope = (data: unknown) => JSON.stringify({ code: 0, message: 'success', data })
    const answers: [number, string][] = [
      [200, '<html>'],
      [200, '{}'],
      [200, inEnvelope(null)],
      [200, inEnvelope({ ...about(user.userId), permissions: null })],
      [200, inEnvelope({ ...about(user.userId), permissions: code })],
      [200, inEnvelope({ ...about(user.userId), is_enabled: undefined })],
      [200, inEnvelope(about(user.userId + 1))],
      [200, JSON.stringify(about(user.userId))],
      [302, ''],
      [404, '<html>'],
      [404, JSON.stringify({ code: 40401, message: 'nothing', data: null })],
      [429, ''],
      [500, ''],
    ]
    let now: [number, string] = [200, '']
    const server = createServer((request, response) => {
      const forward = async (): Promise<[number, string]> => {
        const { method = 'GET', url = '', headers } = request
        if (url.includes('/authz/permissions')) return now
        if (method === 'POST') return [200, inEnvelope({})]
        const answer = await fetch(`${service.url}${url}`, { headers: { accept: headers.accept ?? '' } })
        return [answer.status, await answer.text()]
      }
      void forward().then(([status, text]) => response.writeHead(status).end(text))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const into = visit(guardWith({ baseUrl, key: backend.token }).guard)
    for (const one of answers) {
      now = one
      expect([one, await into(user.token)]).toEqual([one, unavailable])
    }
    now = [200, inEnvelope(about(user.userId))]
    expect(await into(user.token)).toMatchObject({ status: 200 })
  })

  test('a request is 503 beyond the limit of the key, with the seconds that Tenantry asks for', async () => {
    const { tenant, user } = await newProduct()
    const { token: key } = await keyWith(tenant.id, ['authz:check'])
    const { url, app } = await startApp({ rateLimit: true, keyRequestsPerMinute: 1 })
    onTestFinished(() => app.close())
    const { guard } = guardWith({ baseUrl: url, key })
    const admit = guard.request(code)
    const request = new Request('https://product.example.com/invoices', {
      headers: { authorization: `Bearer ${user.token}` },
    })
    expect(await admit(request)).toMatchObject({ userId: user.userId })
    guard.forget()
    const verdict = await admit(request)
    if (!(verdict instanceof Response)) throw new Error('the request came in')
    expect([verdict.status, await verdict.json()]).toMatchObject([503, { error: 'unavailable' }])
    // The minute began a moment ago.
    expect(Number(verdict.headers.get('retry-after'))).toBeGreaterThan(30)
  })

  test('a request is 503 when Tenantry takes longer than 2 seconds', async () => {
    const { user, backend } = await newProduct()
    const gate = Promise.withResolvers<undefined>()
    const slow = await startApp({}, (app) => {
      app.addHook('onRequest', async ({ url }) => {
        if (url.includes('/authz/permissions')) await gate.promise
      })
    })
    onTestFinished(() => slow.app.close())
    const { guard, lines } = guardWith({ baseUrl: slow.url, key: backend.token })
    expect(await visit(guard)(user.token)).toEqual(unavailable)
    expect(lines).toEqual(['Tenantry gives no answer (timeout): protected routes answer 503'])
    gate.resolve(undefined)
  })
})

test('a guard without a key, or with a wrong address, does not start', () => {
  const options = { baseUrl: service.url, key: unique() }
  expect(() => createGuard({ ...options, key: '' })).toThrow('key is missing')
  expect(() => createGuard({ ...options, baseUrl: 'admin.example.com' })).toThrow(TypeError)
})
