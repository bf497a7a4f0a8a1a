import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keyWith, newTenant, register } from '../../test/factories.ts'
import { call, startApp, type Running } from '../../test/harness.ts'
import { sendRaw } from '../../test/raw-http.ts'
import { stopMinutes } from '../../test/waits.ts'

const started: Running[] = []
const start = async (...args: Parameters<typeof startApp>) => {
  const running = await startApp(...args)
  started.push(running)
  return running
}
afterAll(() => Promise.all(started.map(({ app }) => app.close())))

const refresh = (at: Running, ip = '192.0.2.1') =>
  call('POST', '/auth/refresh', { at, body: { refresh_token: 'x' }, headers: { 'x-forwarded-for': ip } })

/** Counts each status of `count` requests, a hundred at a time. */
const statusesOf = async (count: number, request: () => Promise<{ status: number }>) => {
  const seen: Record<number, number> = {}
  for (let sent = 0; sent < count; sent += 100) {
    const answers = await Promise.all(Array.from({ length: Math.min(100, count - sent) }, request))
    for (const { status } of answers) seen[status] = (seen[status] ?? 0) + 1
  }
  return seen
}

/**
 * Counts each status of a user's pings, pipelined on one connection. A client library would cost more time than the
 * service.
 */
const statusesOfPings = async (count: number, token: string, at: Running) => {
  const head = `GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
  const answers = await sendRaw(`${head}\r\n`.repeat(count - 1) + `${head}Connection: close\r\n\r\n`, { at })
  const statuses = Array.from(answers.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status)
  const seen = Map.groupBy(statuses, (status) => Number(status))
  return Object.fromEntries([...seen].map(([status, each]) => [status, each.length]))
}

describe('request limits', () => {
  beforeEach(() => {
    stopMinutes()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('a source that is not signed in gets 300 answers a minute, then 429 with Retry-After', async () => {
    const at = await start({ rateLimit: true })
    expect(await statusesOf(300, () => refresh(at))).toEqual({ 401: 300 })
    const { status, headers, body } = await refresh(at)
    expect([status, body.code]).toEqual([429, 42901])
    const seconds = Number(headers.get('retry-after'))
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true)
  })

  test('a source is the address behind a trusted proxy, and never the claim of a stranger', async () => {
    const open = await start({ rateLimit: true })
    const claims = { at: 0 }
    const lied = await statusesOf(301, () => refresh(open, `192.0.2.${(claims.at += 1) % 250}`))
    expect(lied).toEqual({ 401: 300, 429: 1 })
    const behind = await start({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    expect(await statusesOf(301, () => refresh(behind, '192.0.2.1'))).toEqual({ 401: 300, 429: 1 })
    expect((await refresh(behind, '192.0.2.2')).status).toBe(401)
    expect((await refresh(behind, '192.0.2.1:51008')).status).toBe(429)
    expect((await refresh(behind, '::ffff:192.0.2.1')).status).toBe(429)
  })

  test('a source that its proxy does not know by an address is the proxy', async () => {
    const behind = await start({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    const claims = ['unknown', '_hidden', '192.0.2.7:port', '[192.0.2', '192.0.2.1, unknown', '']
    let sent = 0
    const next = () => refresh(behind, claims[(sent += 1) % claims.length])
    expect(await statusesOf(301, next)).toEqual({ 401: 300, 429: 1 })
  })

  test('a signed-in user gets 6000 answers a minute; another user, and the probes, are not held up', async () => {
    const at = await start({ rateLimit: true })
    const [flooder, other] = [await register(), await register()]
    const ping = (token: string) => () => call('GET', '/ping', { at, token })
    expect(await statusesOfPings(6001, flooder.token, at)).toEqual({ 200: 6000, 429: 1 })
    const { status, headers } = await ping(flooder.token)()
    expect([status, Number(headers.get('retry-after')) >= 1]).toEqual([429, true])
    expect((await ping(other.token)()).status).toBe(200)
    expect((await call('GET', '//readyz', { at })).status).toBe(200)
  })

  test('a question of a key about a user who is no number is 400, however it is put', async () => {
    const { id } = await newTenant()
    const { token } = await keyWith(id, ['authz:check', 'role:read', 'user:read'])
    const odd: unknown[] = [
      { toString: 'x' },
      { valueOf: 1 },
      { toString: null },
      [],
      [[]],
      null,
      true,
      '7',
      1.5,
    ]
    for (const user_id of odd) {
      for (const path of ['/authz/check', '/authz/explain']) {
        const body = { user_id, permission: 'user:read', permissions: ['user:read'] }
        const { status } = await call('POST', path, { token, body })
        expect([path, user_id, status]).toEqual([path, user_id, 400])
      }
    }
    for (const body of [null, 'x', 7, [], [{ user_id: 1 }], ['user_id']]) {
      expect([body, (await call('POST', '/authz/check', { token, body })).status]).toEqual([body, 400])
    }
    expect((await call('GET', '/authz/permissions?user_id=1&user_id=2', { token })).status).toBe(400)
  })

  test('TENANTRY_RATE_LIMIT=off leaves no 429', async () => {
    const at = await start({ rateLimit: false })
    expect(await statusesOf(400, () => refresh(at))).toEqual({ 401: 400 })
  })
})

describe('CORS', () => {
  const origin = 'https://admin.example.com'
  const preflight = (at: Running, from = origin) =>
    call('OPTIONS', '/users', {
      at,
      headers: {
        origin: from,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization',
      },
    })

  test('is off until origins are configured', async () => {
    const at = await start()
    const answer = await call('GET', '/users', { at, headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(null)
    const { status, headers } = await preflight(at)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([405, null])
  })

  test('lets a configured origin call, write conditionally, and read trace id and version', async () => {
    const at = await start({ corsOrigins: [origin] })
    const { status, headers } = await preflight(at)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin])
    expect(headers.get('access-control-allow-headers')?.split(/, */)).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'x-tenant-id', 'if-match', 'if-none-match']),
    )
    expect(headers.get('access-control-allow-methods')?.split(/, */)).toEqual([
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
    ])
    expect(headers.get('access-control-allow-credentials')).toBe(null)
    const { token } = await register()
    for (const options of [{ token }, {}]) {
      const answer = await call('GET', '/profile', { at, ...options, headers: { origin } })
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('access-control-expose-headers')?.split(/, */)).toEqual(
        expect.arrayContaining(['x-trace-id', 'etag', 'retry-after']),
      )
      expect(answer.headers.get('vary')?.toLowerCase()).toContain('origin')
    }
  })

  test('lets no other origin call', async () => {
    const at = await start({ corsOrigins: [origin] })
    for (const other of [
      'https://evil.example.com',
      'http://admin.example.com',
      'null',
      `${origin}.evil.com`,
    ]) {
      expect((await preflight(at, other)).headers.get('access-control-allow-origin')).toBe(null)
      const answer = await call('GET', '/ping', { at, headers: { origin: other } })
      expect(answer.headers.get('access-control-allow-origin')).toBe(null)
    }
  })

  test('does not make unknown paths or methods known', async () => {
    const at = await start({ corsOrigins: [origin] })
    expect((await call('PATCH', '/users', { at })).status).toBe(405)
    expect((await call('GET', '/unknown', { at })).status).toBe(404)
    expect((await call('OPTIONS', '/unknown', { at })).status).toBe(404)
  })
})

describe('an unforeseen error', () => {
  test('is 500 in the envelope, shows nothing of itself, and has a trace id', async () => {
    const at = await start({}, (app) => {
      app.get('/api/v1/broken', { schema: { hide: true } }, async () => {
        throw new Error('password of the database is hunter-2')
      })
    })
    const { status, headers, body } = await call('GET', '/broken', { at })
    expect([status, body.code, body.data]).toEqual([500, 50001, null])
    expect(body.trace_id).toBe(headers.get('x-trace-id'))
    expect(JSON.stringify(body)).not.toMatch(/hunter|password|Error|stack/)
  })
})
