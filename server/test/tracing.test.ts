/** Traces of the real program, received by a collector of our own. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCollector, startSilentCollector, type Collector, type ReceivedSpan } from './collector.ts'
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, newFolder, start, type Stores } from './programs.ts'

const hasRedis = Boolean(process.env['REDIS_URL'])
let stores: Stores
beforeAll(async () => {
  stores = await createStores()
})
afterAll(async () => {
  endAll()
  await stores.remove()
})

const password = 'correct horse battery staple'
const register = (program: Replica, email: string) =>
  ask(program, 'POST /auth/register', { body: { email, password, username: email.replace(/@.*/, '') } })
const signIn = (program: Replica, email: string, secret = password) =>
  ask(program, 'POST /auth/login', { body: { email, password: secret } })

/** Below a span, by name: the names of its children, in the order of their begin. */
const childrenOf = (spans: ReceivedSpan[], { spanId }: ReceivedSpan): ReceivedSpan[] =>
  spans
    .filter(({ parentId }) => parentId === spanId)
    .toSorted((one, other) => Number(one.startedAt - other.startedAt))

describe('a traced service', () => {
  const email = 'traced.person@example.com'
  const wrong = 'not-this-password-either'
  const parent = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') }
  const secrets = [email, password, wrong, 'traced.person', 'Quiet-Heron', 'a-value-of-a-setting']
  let collector: Collector
  let login: Awaited<ReturnType<typeof signIn>>
  let unsampled: Response
  let code: number | null
  let tenantId: string

  beforeAll(async () => {
    collector = await startCollector()
    const program = await start({
      ...stores.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      TENANTRY_RATE_LIMIT: 'on',
    })
    await register(program, email)
    login = await signIn(program, email)
    await signIn(program, email, wrong)
    const { access_token: token, refresh_token: refresh } = login.body.data
    secrets.push(token, refresh)
    tenantId = (await ask(program, 'GET /profile', { token })).body.data.tenant_id
    const get = (path: string, headers: Record<string, string>) =>
      fetch(`${program.url}/api/v1${path}`, { headers })
    const authorization = `Bearer ${token}`
    await get('/profile', { authorization, traceparent: `00-${parent.traceId}-${parent.spanId}-01` })
    unsampled = await get('/profile', {
      authorization,
      traceparent: `00-${'ab'.repeat(16)}-${parent.spanId}-00`,
    })
    await get('/users?keyword=Quiet-Heron&page=1', { authorization })
    await get('/users/4711', { authorization })
    await ask(program, 'PUT /settings/a-value-of-a-setting', {
      token,
      body: { value: 'a-value-of-a-setting' },
    })
    await ask(program, 'POST /rbac/roles', {
      token,
      tenant: tenantId,
      body: { name: 'Quiet-Heron', code: 'quiet' },
    })
    // The same e-mail again: PostgreSQL's message about it quotes the row.
    await register(program, email)
    code = await program.end('SIGTERM')
  })
  afterAll(() => collector.close())

  const requests = (route: string) => collector.spans.filter(({ name, kind }) => kind === 2 && name === route)
  const ofParent = () => requests('GET /api/v1/profile').find(({ traceId }) => traceId === parent.traceId)
  const ofLogin = () =>
    requests('POST /api/v1/auth/login').find(({ traceId }) => traceId === login.headers.get('x-trace-id'))

  test('shows a sign-in as one trace: the request, and below it its statements, its hash and its calls to Redis', () => {
    const request = ofLogin()
    expect(request).toBeDefined()
    if (!request) return
    expect(request.parentId).toBe('')
    const ofTrace = collector.spans.filter(({ traceId }) => traceId === request.traceId)
    const children = childrenOf(ofTrace, request)
    expect(children.length).toBe(ofTrace.length - 1)
    const names = children.map(({ name }) => name)
    expect(names.filter((name) => name === 'bcrypt')).toHaveLength(1)
    expect(names.indexOf('SELECT accounts')).toBeLessThan(names.indexOf('bcrypt'))
    expect(names.indexOf('bcrypt')).toBeLessThan(names.indexOf('BEGIN'))
    expect(names.indexOf('BEGIN')).toBeLessThan(names.indexOf('INSERT sessions'))
    expect(names.indexOf('INSERT sessions')).toBeLessThan(names.lastIndexOf('COMMIT'))
    const systems = children.map(({ attributes }) => attributes['db.system.name'])
    expect(systems).toContain('postgresql')
    expect(names.includes('EVALSHA')).toBe(hasRedis)
    expect(systems.includes('redis')).toBe(hasRedis)
  })

  test('names spans and attributes by the semantic conventions', () => {
    const profile = ofParent()
    expect(profile?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/v1/profile',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'tenantry.tenant.id': tenantId,
    })
    expect(profile?.resource).toMatchObject({
      'service.name': 'tenantry',
      'service.version': '0.1.0',
      'deployment.environment.name': 'test',
    })
    const statements = collector.spans.filter(
      ({ attributes }) => attributes['db.system.name'] === 'postgresql',
    )
    for (const { kind, attributes } of statements) {
      expect(kind).toBe(3)
      expect(attributes['db.query.text']).toMatch(
        /^\s*(?:select|insert|update|delete|with|set|begin|commit|rollback)\b/,
      )
    }
    const account = statements.find(({ name }) => name === 'SELECT accounts')
    expect(account?.attributes['db.query.text']).toContain('$1')
    expect(collector.spans.find(({ name }) => name === 'bcrypt')?.kind).toBe(1)
  })

  test('gives a trace that begins here the id of the answer', () => {
    expect(ofLogin()?.traceId).toBe(login.body.trace_id)
  })

  test('continues the caller’s trace, below the caller’s span', () => {
    const profile = ofParent()
    expect([profile?.traceId, profile?.parentId]).toEqual([parent.traceId, parent.spanId])
  })

  test('sends no span of a trace that the caller does not record', () => {
    expect(unsampled.status).toBe(200)
    expect(unsampled.headers.get('x-trace-id')).toBe('ab'.repeat(16))
    expect(collector.spans.filter(({ traceId }) => traceId === 'ab'.repeat(16))).toEqual([])
  })

  test('records only the code of a refused statement', () => {
    const refused = collector.spans.filter(({ isError, kind }) => isError && kind === 3)
    expect(refused.map(({ attributes }) => attributes['db.response.status_code'])).toContain('23505')
  })

  test('has no secret, e-mail address or value of a parameter in what it sends', () => {
    const sent = collector.raw()
    expect(sent).toContain('/api/v1/users/:id')
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([])
    expect(sent).not.toContain('4711')
    expect(sent).not.toMatch(/@example\.com|\$2[aby]\$|eyJ/)
  })

  test('has sent all spans when it has ended', () => {
    expect(code).toBe(0)
    expect(requests('POST /api/v1/rbac/roles')).toHaveLength(1)
  })

  test('traces no work outside of requests', () => {
    const known = new Set(collector.spans.map(({ spanId }) => spanId))
    const roots = collector.spans.filter(({ parentId }) => !known.has(parentId))
    expect(roots.filter(({ kind }) => kind !== 2)).toEqual([])
    for (const root of roots) {
      for (const { name, startedAt, endedAt } of childrenOf(collector.spans, root)) {
        expect({ name, isWithin: startedAt >= root.startedAt && endedAt <= root.endedAt }).toEqual({
          name,
          isWithin: true,
        })
      }
    }
  })
})

test('a service whose collector is away or silent answers and ends as ever', async () => {
  const silent = await startSilentCollector()
  const closed = `http://127.0.0.1:${await freePort()}`
  const answersAndEnds = async (url: string): Promise<void> => {
    const own = await createStores()
    const program = await start({ ...own.env, OTEL_EXPORTER_OTLP_ENDPOINT: url })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(program, 'GET //healthz')))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await program.end('SIGTERM')).toBe(0)
    await own.remove()
  }
  await Promise.all([closed, silent.url].map(answersAndEnds))
  expect(silent.asked()).toBeGreaterThan(0)
  await silent.close()
})

test('a service samples the share that it is told', async () => {
  const collector = await startCollector()
  const program = await start({
    ...stores.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
    OTEL_SERVICE_NAME: 'tenantry-of-a-test',
  })
  const traceparent = `00-${'cd'.repeat(16)}-${'ef'.repeat(8)}-01`
  await ask(program, 'GET //healthz')
  await fetch(`${program.url}/healthz`, { headers: { traceparent } })
  await program.end('SIGINT')
  expect(collector.spans.map(({ traceId }) => traceId)).toEqual(['cd'.repeat(16)])
  expect(collector.spans[0]?.resource['service.name']).toBe('tenantry-of-a-test')
  await collector.close()
})

// prom-client loads the API by itself.
test('nothing of OpenTelemetry but the API is loaded without a collector', async () => {
  const folder = newFolder()
  const list = join(folder, 'loaded')
  const watch = `import { registerHooks } from 'node:module'
    import { appendFileSync } from 'node:fs'
    registerHooks({ load(url, context, next) {
      if (/^file:.*@opentelemetry.(?!api.)/.test(url)) appendFileSync(${JSON.stringify(list)}, url + '\\n')
      return next(url, context)
    } })`
  const env = {
    ...stores.env,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watch)}`,
  }
  const program = await start(env)
  await ask(program, 'GET //healthz')
  await program.end('SIGINT')
  expect(existsSync(list)).toBe(false)
  const traced = await start({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  await traced.end('SIGINT')
  expect(readFileSync(list, 'utf8')).toContain('@opentelemetry/sdk-trace')
  rmSync(folder, { recursive: true })
})
