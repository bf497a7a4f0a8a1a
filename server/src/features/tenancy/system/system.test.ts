import { afterAll, describe, expect, test } from 'vitest'
import { newTenant, platformAdmin, register } from '../../../../test/factories.ts'
import { call, startApp, type Running } from '../../../../test/harness.ts'

const started: Running[] = []
const start = async (...args: Parameters<typeof startApp>) => {
  const running = await startApp(...args)
  started.push(running)
  return running
}
afterAll(() => Promise.all(started.map(({ app }) => app.close())))

const versionNow = { version: '0.1.0', commit: 'unknown', build_date: 'unknown' }
const runtime = { go_version: `node ${process.version}`, os: process.platform, arch: process.arch }

describe.each(['//', '/'])('a system path below %s', (root) => {
  test('/health gives the state of the stores, in a bare object', async () => {
    const { status, headers, body } = await call('GET', `${root}health`)
    expect([status, body]).toEqual([
      200,
      {
        status: 'ok',
        database: 'up',
        cache: 'up',
        timestamp: expect.any(Number),
        trace_id: headers.get('x-trace-id'),
        version: '0.1.0',
      },
    ])
    expect(Math.abs(body.timestamp - Date.now() / 1000)).toBeLessThan(60)
    expect(Number.isInteger(body.timestamp)).toBe(true)
  })

  test('/healthz is 200 while the process lives, /readyz while it serves', async () => {
    expect((await call('GET', `${root}healthz`)).body).toEqual({ status: 'ok' })
    expect((await call('GET', `${root}readyz`)).body).toEqual({
      status: 'ready',
      database: 'up',
      cache: 'up',
    })
  })

  test('a service that was told to stop says so to probes, and closes each connection after its answer', async () => {
    const stopping = new AbortController()
    const at = await start({}, undefined, { stopping })
    stopping.abort()
    const [healthz, readyz, version] = [
      await call('GET', `${root}healthz`, { at }),
      await call('GET', `${root}readyz`, { at }),
      await call('GET', `${root}api/version`, { at }),
    ]
    expect([healthz.status, healthz.body]).toEqual([200, { status: 'stopping' }])
    expect([readyz.status, readyz.body]).toEqual([503, { status: 'unready', database: 'up', cache: 'up' }])
    expect(version.status).toBe(200)
    for (const { headers } of [healthz, readyz, version]) expect(headers.get('connection')).toBe('close')
  })

  test.each(['health', 'healthz', 'readyz'])('%s answers HEAD without a body', async (probe) => {
    const { status, headers, body } = await call('HEAD', `${root}${probe}`)
    expect([status, body]).toEqual([200, undefined])
    expect(headers.get('content-type')).toContain('application/json')
  })

  test.each(['health', 'healthz', 'readyz'])('%s answers any other method with 405', async (probe) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await call(method, `${root}${probe}`)
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
    }
  })

  test('HEAD elsewhere is 405', async () => {
    for (const path of ['api/version', 'api/upgrade/check', 'ping']) {
      expect([path, (await call('HEAD', `${root}${path}`)).status]).toEqual([path, 405])
    }
  })

  test('/api/version can be read both ways', async () => {
    const { status, headers, body } = await call('GET', `${root}api/version`)
    const fields = { ...versionNow, ...runtime }
    const envelope = { code: 0, message: 'success', data: fields, trace_id: headers.get('x-trace-id') }
    expect([status, body]).toEqual([200, { ...fields, ...envelope }])
  })

  test('/api/upgrade/check can be read both ways, and knows the current version alone', async () => {
    const { body } = await call('GET', `${root}api/upgrade/check`)
    const fields = {
      available: false,
      critical: false,
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      current_version: '0.1.0',
      latest_version: '0.1.0',
      manifest: expect.objectContaining({ version: '0.1.0', min_version: '0.1.0', critical: false, size: 0 }),
    }
    expect(body).toMatchObject({ ...fields, code: 0, message: 'success', data: fields })
    expect(Object.keys(body.data.manifest).toSorted()).toEqual([
      'changelog',
      'checksum_sha256',
      'critical',
      'download_url',
      'min_version',
      'published_at',
      'size',
      'version',
    ])
  })

  test('the paths without authentication ignore credentials', async () => {
    const headers = { authorization: 'Bearer nonsense', 'x-tenant-id': 'nonsense' }
    for (const path of ['health', 'healthz', 'readyz', 'api/version', 'api/upgrade/check']) {
      expect([path, (await call('GET', `${root}${path}`, { headers })).status]).toEqual([path, 200])
    }
  })

  test('/ping answers a caller with a token, and checks the tenant header', async () => {
    const { id, admin } = await newTenant()
    const other = await newTenant()
    const ping = (tenant?: string) => call('GET', `${root}ping`, { token: admin.token, tenant })
    expect((await ping()).body).toMatchObject({ code: 0, message: 'success', data: 'pong' })
    expect((await ping(id)).status).toBe(200)
    expect((await ping(id.toUpperCase())).status).toBe(200)
    expect((await ping('x')).status).toBe(400)
    expect((await ping(other.id)).status).toBe(403)
    expect((await call('GET', `${root}ping`)).status).toBe(401)
    const root_ = await platformAdmin()
    const unknown = { token: root_.token, tenant: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b' }
    expect((await call('GET', `${root}ping`, unknown)).status).toBe(404)
  })
})

test('the commit and date of the build are shown when they are known', async () => {
  const at = await start({ commit: 'abc123', buildDate: '2026-01-31' })
  expect((await call('GET', '/api/version', { at })).data).toMatchObject({
    commit: 'abc123',
    build_date: '2026-01-31',
  })
})

const scrape = async (at: Running, headers = {}) => {
  const response = await fetch(`${at.url}/metrics`, { headers })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('/metrics', () => {
  test('is Prometheus text with the numbers that an operator watches, and without personal data', async () => {
    const user = await register()
    const at = await start()
    await call('GET', '/profile', { at, token: user.token })
    await call('GET', `/users/${user.userId}`, { at, token: user.token })
    const { status, type, text } = await scrape(at)
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(text).toMatch(
      /^tenantry_http_request_duration_seconds_count\{.*route="\/api\/v1\/profile",status="200"\}/m,
    )
    expect(text).toMatch(/route="\/api\/v1\/users\/:id",status="403"/)
    for (const name of [
      'nodejs_eventloop_lag_seconds',
      'tenantry_database_connections',
      'tenantry_password_hashes',
    ]) {
      expect(text).toContain(name)
    }
    for (const name of [
      'tenantry_logins_total',
      'tenantry_caller_cache_total',
      'tenantry_change_propagation',
    ]) {
      expect(text).toContain(name)
    }
    expect(text).not.toContain(user.email)
    expect(text).not.toContain(`/users/${user.userId}"`)
  })

  test('counts all undeclared paths as one route', async () => {
    const at = await start()
    for (let index = 0; index < 5; index += 1) await call('GET', `/nothing-${index}`, { at })
    expect((await scrape(at)).text).not.toContain('nothing-')
  })

  test('asks for the token where one is configured', async () => {
    const at = await start({ metricsToken: 'a-metrics-token-0123' })
    expect((await scrape(at)).status).toBe(401)
    expect((await scrape(at, { authorization: 'Bearer wrong' })).status).toBe(401)
    const { token } = await platformAdmin()
    expect((await scrape(at, { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await scrape(at, { authorization: 'Bearer a-metrics-token-0123' })).status).toBe(200)
  })

  test('is 404 on a host that others can reach, unless a token guards it', async () => {
    expect((await scrape(await start({ host: '0.0.0.0' }))).status).toBe(404)
    const guarded = await start({ host: '0.0.0.0', metricsToken: 'a-metrics-token-0123' })
    expect((await scrape(guarded, { authorization: 'Bearer a-metrics-token-0123' })).status).toBe(200)
  })

  test('is 404 on the main port when it has a port of its own', async () => {
    expect((await scrape(await start({ metricsPort: 9464 }))).status).toBe(404)
  })
})
