/** The service refuses malformed request lines and headers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, type Caller } from '../../test/factories.ts'
import { call, service, startApp } from '../../test/harness.ts'
import { parseRaw, sendRaw, sendRequest } from '../../test/raw-http.ts'

let admin: Caller
beforeAll(async () => {
  ;({ admin } = await newTenant())
})

const get = async (path: string, headers: string[] = []) =>
  parseRaw(await sendRequest(`GET /api/v1${path}`, [`Authorization: Bearer ${admin.token}`, ...headers]))

describe('a path', () => {
  test.each([
    '/users/%',
    '/users/%zz',
    '/users/%C3%28',
    '/users/%ED%A0%80',
    '/users/%00',
    '/settings/tenant/%E2%82',
  ])('a path with an invalid encoding or a NUL is 400 in the envelope: %s', async (path) => {
    const { status, body } = await get(path)
    expect([status, Math.floor(body.code / 100), body.data === null || 'errors' in body.data]).toEqual([
      400,
      400,
      true,
    ])
    expect(body.trace_id).toMatch(/^[0-9a-f]{32}$/)
  })

  test.each([
    '/api/v1/unknown',
    '/unknown',
    '/API/V1/users',
    '/api/v1//users',
    '/api/v1/users/1/2',
    '/api/v2/users',
    '/api/v1/users/../../etc/passwd',
    '/api/v1/%75sers%2F1',
    '/.env',
  ])('an unknown path is 404 in the envelope with every method: %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'LINK', 'QUERY']) {
      const { status, body } = parseRaw(await sendRequest(`${method} ${path}`))
      expect([method, status, body.code, body.data]).toEqual([method, 404, 40401, null])
    }
  })

  test.each([
    ['en', 'Page not found'],
    ['zh-CN', '页面不存在'],
  ])('an unknown path that a person opens in a browser is a page: %s', async (language, title) => {
    const visit = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document', `Accept-Language: ${language}`]
    const page = await sendRequest('GET /nope', visit)
    expect(page).toMatch(/^HTTP\/1\.1 404 /)
    expect(page).toMatch(/\r\ncontent-type: text\/html; charset=utf-8\r\n/i)
    expect(page).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
    expect(page).toContain(`<h1>${title}</h1>`)
    expect(parseRaw(await sendRequest('POST /nope', visit)).body).toMatchObject({ code: 40401 })
  })

  test('an unknown path is 404 with any body', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const answer = await call('POST', '/unknown', { body: '{', headers: { 'content-type': type } })
      expect([type, answer.status]).toEqual([type, 404])
    }
    const broken = await sendRequest(
      'POST /api/v1/unknown',
      ['Content-Type: application/json'],
      Buffer.from('{'),
    )
    expect(parseRaw(broken).status).toBe(404)
  })

  test('a path of any length gets an answer, and does not end the service', async () => {
    expect((await get(`/settings/tenant/${'k'.repeat(5000)}`)).status).toBeGreaterThanOrEqual(400)
    expect((await get(`/users?search=${'x'.repeat(10_000)}`)).status).toBe(400)
    expect([0, 400, 414, 431]).toContain((await get(`/users?search=${'x'.repeat(100_000)}`)).status)
    expect((await admin.get('/ping')).status).toBe(200)
  })
})

test('a public document answers HEAD as GET, without a body', async () => {
  for (const path of [
    '.well-known/jwks.json',
    '.well-known/openid-configuration',
    'openapi.json',
    'docs',
    'docs/users',
  ]) {
    const [head, got] = [await call('HEAD', `//${path}`), await call('GET', `//${path}`)]
    expect([path, head.status, head.text]).toEqual([path, 200, ''])
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
  }
})

describe('a query', () => {
  test.each([
    'page=1&page=2',
    'page[]=1',
    'search=a&search=b',
    'status=2',
    'page=%31%00',
    'search=%00',
    'search=%ED%A0%80',
    'search=%FF',
    'page=+1',
    'page=01',
    'page=0x1',
    'page=1e0',
    'page=%20%31',
    'page=1.0',
  ])('a query that is unsound, or has a parameter twice or of the wrong kind, is 400: %s', async (query) => {
    const { status } = await get(`/users?${query}`)
    expect(status).toBe(query.startsWith('page[]') ? 200 : 400)
  })

  test('a parameter without a value counts as left out', async () => {
    const names = [
      'page',
      'page_size',
      'status',
      'search',
      'sort',
      'after_id',
      'include',
      'action',
      'from',
      'user_id',
    ]
    const query = names.map((name) => `${name}=`).join('&')
    for (const path of ['/users', '/audit/logs', '/rbac/roles', '/rbac/permissions', '/settings/tenant']) {
      expect(ok(await admin.get(`${path}?${query}&module=`))).toEqual(ok(await admin.get(path)))
    }
  })

  test('an unknown parameter is ignored', async () => {
    expect((await get('/users?unknown=1&constructor=y&toString=z')).status).toBe(200)
  })

  test('a query of a thousand parameters gets an answer', async () => {
    const query = Array.from({ length: 1000 }, (_, index) => `a${index}=1`).join('&')
    expect((await get(`/users?${query}`)).status).toBe(200)
  })
})

describe('a header', () => {
  test('a header block of 64 KiB is refused without ending the service', async () => {
    const { status } = await get('/ping', [`X-Long: ${'x'.repeat(65_536)}`])
    // Status 0 means that the service reset the connection before it had the whole request.
    expect([0, 400, 431]).toContain(status)
    expect((await admin.get('/ping')).status).toBe(200)
  })

  test.each([
    ['a valid one', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
    [
      'of a later version, which may append',
      '01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more',
      true,
    ],
    ['of a later version', 'cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', true],
    ['of version 00 that appends', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more', false],
    ['of version ff', 'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
    ['with an all-zero trace id', '00-00000000000000000000000000000000-00f067aa0ba902b7-01', false],
    ['with an all-zero parent id', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', false],
    ['in capitals', '00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01', false],
    ['too short', '00-4bf92f3577b34da6a3ce929d0e0e47-00f067aa0ba902b7-01', false],
    ['without flags', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7', false],
    ['no traceparent at all', 'hello', false],
  ])('the header traceparent names the trace when it is valid: %s', async (_name, traceparent, isTaken) => {
    const { status, body, head } = await get('/ping', [`traceparent: ${traceparent}`])
    expect([status, body.trace_id === '4bf92f3577b34da6a3ce929d0e0e4736']).toEqual([200, isTaken])
    expect(body.trace_id).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
    expect(head.toLowerCase()).toContain(`x-trace-id: ${body.trace_id}`)
  })

  test('the header traceparent given twice names no trace', async () => {
    const one = 'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const { status, body } = await get('/ping', [one, one.replace('4bf9', '5bf9')])
    expect(status).toBe(200)
    expect(body.trace_id).not.toMatch(/^[45]bf92f3577b34da6a3ce929d0e0e4736$/)
  })

  test('the header X-Tenant-ID given twice is 400, equal or not', async () => {
    const own = `X-Tenant-ID: ${admin.tenantId}`
    expect((await get('/ping', [own, own])).body.code).toBe(40005)
    expect((await get('/ping', [own, 'X-Tenant-ID: 3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'])).status).toBe(400)
    expect((await get('/ping', [own])).status).toBe(200)
    expect((await get('/ping', ['X-Tenant-ID: '])).status).toBe(400)
  })

  test('the headers of every answer forbid caching, guessing of types, scripts, frames, referrers and embedding', async () => {
    for (const path of ['/ping', '/unknown', '/users/x', '/health', '/audit/export']) {
      const { headers } = await call('GET', path)
      expect([path, Object.fromEntries(headers)]).toMatchObject([
        path,
        {
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
          'cross-origin-resource-policy': 'same-origin',
        },
      ])
      expect(headers.get('x-powered-by') ?? headers.get('server')).toBe(null)
    }
  })
})

test('browsers get HSTS when a trusted proxy says that the request came by TLS', async () => {
  const behind = await startApp({ trustedProxies: ['127.0.0.1'] })
  const policyAt = async (url: string, proto: string) => {
    const answer = await fetch(`${url}/health`, { headers: { 'x-forwarded-proto': proto } })
    return answer.headers.get('strict-transport-security')
  }
  expect(await policyAt(behind.url, 'https')).toBe('max-age=31536000')
  expect(await policyAt(behind.url, 'http')).toBe(null)
  expect(await policyAt(service.url, 'https')).toBe(null)
  await behind.app.close()
})

describe('malformed HTTP', () => {
  test.each([
    ['nonsense', 'hello\r\n\r\n'],
    ['a method that is none', 'FOO /api/v1/ping HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length that is none', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
    [
      'length and chunks at once',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'chunks that are none',
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no host', 'GET /api/v1/ping HTTP/1.1\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('is answered with 400 and ends that connection alone: %s', async (_name, bytes) => {
    const { status } = parseRaw(await sendRaw(Buffer.from(bytes, 'latin1')))
    expect(status).toBe(400)
    expect((await admin.get('/ping')).status).toBe(200)
  })

  test.each([
    ['nonsense', 'hello\r\n\r\n'],
    ['no host', 'GET /api/v1/ping HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['two equal hosts', 'GET /health HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n'],
    ['two hosts by HTTP/1.0', 'GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['two hosts at an unknown path', 'GET /nothing HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['two hosts in one line', 'GET /health HTTP/1.1\r\nHost: a, b\r\n\r\n'],
    ['a host with a user', 'GET /health HTTP/1.1\r\nHost: a@b\r\n\r\n'],
    ['a host with a path', 'GET /health HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['a port that is none', 'GET /health HTTP/1.1\r\nHost: a:b\r\n\r\n'],
  ])('is answered in the envelope: %s', async (_name, bytes) => {
    const { status, head, body } = parseRaw(await sendRaw(bytes))
    expect([status, Math.floor(body?.code / 100), body?.data]).toEqual([400, 400, null])
    expect(head.toLowerCase()).toContain('content-type: application/json')
    expect(head.toLowerCase()).toContain('connection: close')
    expect(body.trace_id).toMatch(/^[0-9a-f]{32}$/)
  })

  test.each(['localhost', 'a.example:8080', '[::1]:8080', '[::1]', '', 'a:', 'xn--a_b.example'])(
    'is not a request for the host "%s"',
    async (host) => {
      const { status } = parseRaw(
        await sendRaw(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      )
      expect(status).toBe(200)
    },
  )

  test('is not a request by HTTP/1.0 without a host', async () => {
    expect(parseRaw(await sendRaw('GET /health HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  test('a request that stops in the middle holds up no other', async () => {
    await sendRaw('POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"em', {
      silenceMs: 50,
    })
    expect((await admin.get('/ping')).status).toBe(200)
  })

  test('a late request is 408, and a silent connection is closed without an answer', async () => {
    const impatient = await startApp({}, ({ server }) => {
      Object.assign(server, { headersTimeout: 200, connectionsCheckingInterval: 50 })
    })
    const [begun, silent] = await Promise.all(
      ['GET /api/v1/ping HTTP/1.1\r\nHo', ''].map((bytes) => sendRaw(bytes, { at: impatient })),
    )
    const { status, body } = parseRaw(begun ?? '')
    expect([status, body.code]).toEqual([408, 40801])
    expect(silent).toBe('')
    await impatient.app.close()
  })
})
