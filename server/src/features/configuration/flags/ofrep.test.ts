import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mistyped } from '../../../../test/accounts.ts'
import {
  builtIn,
  clearCatalogue,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  register,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { evaluate, evaluateAll, makeFlag } from '../../../../test/flags.ts'
import { newApplication, newResource, openSession } from '../../../../test/front-door.ts'
import { call, clock, parts, service, startApp, type Answer } from '../../../../test/harness.ts'
import { expectOfrep } from '../../../../test/ofrep-schema.ts'

const split = [
  { variant: 'on', weight: 50_000 },
  { variant: 'off', weight: 50_000 },
]
const ruleFor = (attribute: string, ...values: unknown[]) => ({
  rules: [{ conditions: [{ attribute, op: 'in', values }], serve: 'on' }],
})

let backend: Caller
let tenant: Tenant
let user: Caller

beforeAll(async () => {
  backend = await keyWith(builtIn.id, ['flag:evaluate'])
  tenant = await newTenant()
  user = await tenant.member()
})

afterAll(clearCatalogue)

const byKey = (key: string, context: unknown = {}) => evaluate(key, context, { token: backend.token })
const byUser = (key: string, context: unknown = {}) => evaluate(key, context, { token: user.token })

const entryIn = ({ body }: Answer, key: string) =>
  (body.flags as { key: string }[]).find((entry) => entry.key === key)

describe('an answer', () => {
  test('is what the protocol says, for each type of value, each reason and each error', async () => {
    const values = { boolean: true, string: 'Grüße', number: 1.5, object: { a: [1, null] } }
    for (const [type, value] of Object.entries(values)) {
      const variants = { only: value }
      const key = await makeFlag({ type, variants, off_variant: 'only', default_variant: 'only' })
      const answer = await byKey(key)
      expectOfrep('one', answer)
      expect(answer.body).toEqual({
        key,
        value,
        variant: 'only',
        metadata: { version: 1 },
        reason: 'STATIC',
      })
    }
    const needy = await makeFlag({ rules: [{ split }] })
    const cases: [string, unknown, number, object][] = [
      [await makeFlag({ enabled: false }), {}, 200, { reason: 'DISABLED' }],
      [await makeFlag(ruleFor('plan', 'gold')), {}, 200, { reason: 'DEFAULT', value: false }],
      [await makeFlag(ruleFor('plan', 'gold')), { plan: 'gold' }, 200, { reason: 'TARGETING_MATCH' }],
      [needy, { targetingKey: 'ada' }, 200, { reason: 'SPLIT' }],
      [needy, {}, 400, { key: needy, errorCode: 'TARGETING_KEY_MISSING' }],
      [needy, { targetingKey: '' }, 400, { errorCode: 'TARGETING_KEY_MISSING' }],
      ['unknown', {}, 404, { key: 'unknown', errorCode: 'FLAG_NOT_FOUND' }],
      ['no%20key%2F', {}, 404, { key: 'no key/', errorCode: 'FLAG_NOT_FOUND' }],
      [needy, [], 400, { errorCode: 'INVALID_CONTEXT' }],
      [needy, 'text', 400, { errorCode: 'INVALID_CONTEXT' }],
      [needy, null, 400, { errorCode: 'INVALID_CONTEXT' }],
      [needy, undefined, 400, { errorCode: 'INVALID_CONTEXT' }],
      [needy, { targetingKey: 7 }, 400, { errorCode: 'INVALID_CONTEXT' }],
      [needy, { a: 'x'.repeat(16_384) }, 400, { errorCode: 'INVALID_CONTEXT' }],
      [
        needy,
        Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`a${n}`, 1])),
        400,
        { errorCode: 'INVALID_CONTEXT' },
      ],
    ]
    for (const [key, context, status, body] of cases) {
      const answer = await evaluate(key, context, { token: backend.token })
      expect([key, answer.status, answer.body]).toEqual([key, status, expect.objectContaining(body)])
      expectOfrep('one', answer)
    }
  })

  test('an answer about all flags is 200, and has an entry for a flag that fails', async () => {
    const [needy, plain] = [await makeFlag({ rules: [{ split }] }), await makeFlag()]
    const answer = await evaluateAll({ a: 1 }, { token: backend.token })
    expect(answer.status).toBe(200)
    expectOfrep('all', answer)
    expect(entryIn(answer, needy)).toMatchObject({ errorCode: 'TARGETING_KEY_MISSING' })
    expect(entryIn(answer, plain)).toMatchObject({ value: false, reason: 'STATIC' })
    expect(answer.body.eventStreams).toBeUndefined()
    const faulty = await evaluateAll('text', { token: backend.token })
    expect([faulty.status, faulty.body.errorCode]).toEqual([400, 'INVALID_CONTEXT'])
    expectOfrep('all', faulty)
  })

  test('a body that is no JSON gets PARSE_ERROR, a megabyte 413, another type 415', async () => {
    const key = await makeFlag()
    const send = (body: string, type = 'application/json') =>
      fetch(`${service.url}/ofrep/v1/evaluate/flags/${key}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${backend.token}`, 'content-type': type },
        body,
      })
    for (const text of ['{', '{"context":{"__proto__":{"plan":"gold"}}}', '{"context":{"a":"\\ud800"}}']) {
      const answer = await send(text)
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { key, errorCode: 'PARSE_ERROR', errorDetails: expect.any(String) },
      ])
    }
    expect((await send(JSON.stringify({ context: { a: 'x'.repeat(1_100_000) } }))).status).toBe(413)
    expect((await send('context=1', 'application/x-www-form-urlencoded')).status).toBe(415)
  })

  test('comes from the memory of flags, which a change reaches at once', async () => {
    const root = await platformAdmin()
    const key = await makeFlag()
    expect((await byKey(key)).body).toMatchObject({ value: false, metadata: { version: 1 } })
    ok(await root.put(`/flags/${key}`, { default_variant: 'on' }))
    expect((await byKey(key)).body).toMatchObject({ value: true, metadata: { version: 2 } })
    ok(await root.put(`/flags/${key}/tenants/${tenant.id}`, { variant: 'off' }))
    expect((await byKey(key, { tenant_id: tenant.id })).body).toMatchObject({ value: false })
    ok(await root.delete(`/flags/${key}/tenants/${tenant.id}`))
    expect((await byKey(key, { tenant_id: tenant.id })).body).toMatchObject({ value: true })
    ok(await root.delete(`/flags/${key}`))
    expect((await byKey(key)).status).toBe(404)
  })

  test('is counted by its outcome', async () => {
    const key = await makeFlag({ enabled: false })
    const read = async () =>
      (await parts.metrics.registry.getSingleMetricAsString('tenantry_flag_evaluations_total'))
        .split('\n')
        .find((line) => line.includes('"disabled"'))
    const before = Number((await read())?.split(' ')[1] ?? 0)
    await byKey(key)
    expect(Number((await read())?.split(' ')[1])).toBe(before + 1)
    expect(await read()).not.toContain(key)
  })
})

describe('the caller', () => {
  const statusOf = async (token: string | undefined) => {
    const answer = await evaluateAll({}, { token })
    expectOfrep('all', answer)
    return answer.status
  }

  test('is a key with flag:evaluate, in either header, or a token that it was exchanged for', async () => {
    expect(await statusOf(backend.token)).toBe(200)
    const inHeader = await evaluateAll({}, { headers: { 'x-api-key': backend.token } })
    expect(inHeader.status).toBe(200)
    expect(await statusOf((await keyWith(builtIn.id, ['flag:read', 'flag:manage'])).token)).toBe(403)
    expect(await statusOf((await keyWith(tenant.id, [])).token)).toBe(403)
    const form = { grant_type: 'client_credentials', client_id: `sa_${backend.userId}` }
    const exchanged = await call('POST', '//oauth2/token', {
      form: new URLSearchParams({ ...form, client_secret: backend.token }).toString(),
    })
    expect(await statusOf(exchanged.body.access_token)).toBe(200)
  })

  test('is nobody without a credential, or with one that has ended', async () => {
    for (const token of [undefined, 'x', 'tnt_x', mistyped(backend.token)]) {
      expect(await statusOf(token)).toBe(401)
    }
    const leaving = await tenant.member()
    expect(await statusOf(leaving.token)).toBe(200)
    ok(await leaving.post('/auth/logout', {}))
    expect(await statusOf(leaving.token)).toBe(401)
    clock.advance(86_400_000)
    expect(await statusOf(user.token)).toBe(401)
  })

  test('is a user by a token of the console or of an own application, whatever its audience', async () => {
    expect(await statusOf(user.token)).toBe(200)
    const own = await newApplication({ tenantry_api: false })
    expect(await statusOf((await openSession(user, own)).access_token)).toBe(200)
    expect(await statusOf(user.refreshToken)).toBe(401)
    const third = await newApplication({ is_third_party: true })
    expect(await statusOf((await openSession(user, third)).access_token)).toBe(403)
  })

  test('is 403 in a restricted session, and in a disabled tenant', async () => {
    const strict = await startApp({ requireVerifiedEmail: true })
    const open = await register()
    const answer = await evaluateAll({}, { at: strict, token: open.token })
    await strict.app.close()
    expect(answer.status).toBe(403)
    const other = await newTenant()
    ok(await (await platformAdmin()).put(`/org/tenants/${other.id}`, { status: 0 }))
    expect(await statusOf(other.admin.token)).toBe(403)
  })

  test('a caller who asks too often gets 429, and all get 503 while the front door is shut', async () => {
    const busy = await startApp({ rateLimit: true, keyRequestsPerMinute: 2 })
    const shut = await startApp({ publicUrl: 'http://tenantry.example.com' })
    const statuses = []
    for (let n = 0; n < 3; n += 1) statuses.push(await evaluateAll({}, { at: busy, token: backend.token }))
    const refused = await evaluateAll({}, { at: shut, token: backend.token })
    await Promise.all([busy.app.close(), shut.app.close()])
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429])
    expectOfrep('all', statuses[2] as Answer)
    expect([refused.status, refused.body]).toEqual([503, { errorDetails: expect.any(String) }])
    for (const { headers } of [statuses[2] as Answer, refused]) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})

describe('a user', () => {
  test('sees only flags that are for client programs: others are 404, in no list, and leave the tag', async () => {
    const [seen, hidden] = [await makeFlag({ client_side: true }), await makeFlag()]
    expect((await byUser(seen)).status).toBe(200)
    expect((await byUser(hidden)).body).toEqual(
      (await byUser('unknown-flag')).body.key && {
        ...(await byUser('unknown-flag')).body,
        key: hidden,
      },
    )
    const before = await evaluateAll({}, { token: user.token })
    expect(entryIn(before, seen)).toBeDefined()
    expect(entryIn(before, hidden)).toBeUndefined()
    ok(await (await platformAdmin()).put(`/flags/${hidden}`, { default_variant: 'on' }))
    const after = await evaluateAll({}, { token: user.token })
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
    const admin = await evaluateAll({}, { token: tenant.admin.token })
    expect(entryIn(admin, hidden)).toBeUndefined()
  })

  test('claims to be no other user and no other tenant', async () => {
    const other = await newTenant()
    const isUser = await makeFlag({ client_side: true, ...ruleFor('user_id', String(other.admin.userId)) })
    const isKey = await makeFlag({ client_side: true, ...ruleFor('targetingKey', 'root') })
    const isTenant = await makeFlag({ client_side: true, ...ruleFor('tenant_id', other.id) })
    const isSlug = await makeFlag({ client_side: true, ...ruleFor('tenant_slug', other.slug) })
    const own = await makeFlag({ client_side: true })
    ok(await (await platformAdmin()).put(`/flags/${own}/tenants/${other.id}`, { variant: 'on' }))
    const claims = {
      targetingKey: 'root',
      user_id: String(other.admin.userId),
      tenant_id: other.id,
      tenant_slug: other.slug,
    }
    for (const key of [isUser, isKey, isTenant, isSlug, own]) {
      expect((await byUser(key, claims)).body).toMatchObject({ value: false })
      expect((await byKey(key, claims)).body).toMatchObject({ value: true })
    }
    const ofThem = await evaluate(isSlug, {}, { token: other.admin.token })
    expect(ofThem.body).toMatchObject({ value: true })
    expect((await evaluate(own, {}, { token: other.admin.token })).body).toMatchObject({ value: true })
    // The service uses other attributes as sent. A split by such an attribute needs no targeting key.
    const gold = await makeFlag({ client_side: true, ...ruleFor('plan', 'gold') })
    expect((await byUser(gold, { plan: 'gold' })).body).toMatchObject({ value: true })
    const half = await makeFlag({ client_side: true, rules: [{ split }] })
    expect((await byUser(half)).body).toMatchObject({ reason: 'SPLIT' })
  })

  test('reaches no prototype by a context', async () => {
    const key = await makeFlag({ client_side: true, ...ruleFor('toString', 'x') })
    expect((await byUser(key, { constructor: { prototype: {} } })).body).toMatchObject({ value: false })
    expect((await byUser(key, { toString: 'x' })).body).toMatchObject({ value: true })
    const proto = await makeFlag({
      client_side: true,
      rules: [{ conditions: [{ attribute: '__proto__', op: 'exists', values: [] }], serve: 'on' }],
    })
    expect((await byUser(proto, {})).body).toMatchObject({ value: false })
  })
})

describe('a tag', () => {
  const withTag = (etag: string, context: unknown, token = user.token) =>
    evaluateAll(context, { token, headers: { 'if-none-match': etag } })

  test('spares the answer to the same context, and to no other one', async () => {
    const key = await makeFlag({ client_side: true })
    const first = await evaluateAll({ plan: 'gold' }, { token: user.token })
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await withTag(header, { plan: 'gold' })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await withTag(etag, { plan: 'silver' })).status).toBe(200)
    expect((await withTag(etag, { plan: 'gold' }, tenant.admin.token)).status).toBe(200)
    expect((await withTag(etag, { plan: 'gold' }, backend.token)).status).toBe(200)
    ok(await (await platformAdmin()).put(`/flags/${key}`, { default_variant: 'on' }))
    expect((await withTag(etag, { plan: 'gold' })).status).toBe(200)
  })

  test('the parameters of an event stream change nothing', async () => {
    const query = '?flagConfigEtag=abc&flagConfigLastModified=1771622898'
    const { status } = await call('POST', `//ofrep/v1/evaluate/flags${query}`, {
      token: user.token,
      body: { context: {} },
    })
    expect(status).toBe(200)
  })
})

test('pages of configured origins and of browser applications may ask, with both headers and the tag', async () => {
  const page = 'https://spa.example.com'
  const configured = 'https://console.example.com'
  await newApplication({ kind: 'browser', allowed_origins: [page] })
  const at = await startApp({ corsOrigins: [configured] })
  const preflight = (origin: string) =>
    fetch(`${at.url}/ofrep/v1/evaluate/flags`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
  for (const origin of [page, configured]) {
    const { headers } = await preflight(origin)
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    const allowed = headers.get('access-control-allow-headers') ?? ''
    for (const name of ['authorization', 'x-api-key', 'if-none-match']) expect(allowed).toContain(name)
    const asked = [
      await evaluateAll({}, { at, token: user.token, headers: { origin } }),
      await evaluateAll({}, { at, headers: { origin } }),
    ]
    for (const answer of asked) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('access-control-expose-headers')).toContain('etag')
      expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
    }
  }
  expect((await preflight('https://evil.example.com')).headers.get('access-control-allow-origin')).toBeNull()
  await at.app.close()
})

test('a token for a resource evaluates, too', async () => {
  const root = await platformAdmin()
  const permission = ok(await root.post('/rbac/permissions', { code: `${unique('m')}:read`, name: 'Read' }))
  const resource = await newResource([permission.id])
  const application = await newApplication({ resource_ids: [resource.id] })
  const { access_token: token } = await openSession(user, application, { resource })
  const answer = await evaluateAll({}, { token })
  expect(answer.status).toBe(200)
})
