import { describe, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { newFlag } from '../../../../test/endpoints.ts'
import {
  auditRecords,
  builtIn,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  unique,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { bucketOf } from './buckets.ts'

const made = async (fields: object = {}) => {
  const root = await platformAdmin()
  const key = unique('flag.')
  const flag = ok(await root.post('/flags', { ...newFlag(key), ...fields }))
  return { root, key, flag, at: `/flags/${key}` }
}

const goldRule = { id: 'gold', conditions: [{ attribute: 'plan', op: 'in', values: ['gold'] }], serve: 'on' }
const half = [
  { variant: 'on', weight: 50_000 },
  { variant: 'off', weight: 50_000 },
]

const faultOf = ({ status, body }: { status: number; body: { data: { errors: { field: string }[] } } }) => [
  status,
  body.data?.errors?.[0]?.field,
]

test('a flag is created, read, found, changed in the fields that are given, and deleted', async () => {
  const { root, key, flag, at } = await made({ description: 'The new Checkout', rules: [goldRule] })
  expect(flag).toEqual({
    ...newFlag(key),
    description: 'The new Checkout',
    rules: [{ ...goldRule, description: '', split: null, bucket_by: 'targetingKey' }],
    client_side: false,
    tenants: 0,
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  const read = await root.get(at)
  expect([read.data, read.headers.get('etag')]).toEqual([flag, '"1"'])
  const found = (await root.get(`/flags?search=${key.toUpperCase()}`)).data
  expect(found).toEqual({ items: [flag], total: 1, page: 1 })
  expect((await root.get('/flags?search=new%20checkout')).data.items).toContainEqual(flag)
  const changed = await root.put(at, { enabled: false })
  expect(changed.headers.get('etag')).toBe('"2"')
  expect(changed.data).toMatchObject({ ...flag, enabled: false, version: 2, updated_at: expect.any(String) })
  // A client can send the answer back unchanged.
  expect((await root.put(at, changed.data)).data.version).toBe(2)
  expect(await root.post('/flags', newFlag(key))).toMatchObject(refusal('flagKeyTaken'))
  expect((await root.delete(at)).body).toMatchObject({ code: 0, data: null })
  expect(await root.get(at)).toMatchObject(refusal('flagUnknown'))
  expect(await root.put(at, { enabled: true })).toMatchObject(refusal('flagUnknown'))
  expect(await root.delete(at)).toMatchObject(refusal('flagUnknown'))
})

test('a flag keeps the order and the values of its variants', async () => {
  const variants = { zebra: 1e-7, a: 9007199254740991, 'b.c': -0.5 }
  const { root, at } = await made({ type: 'number', variants, off_variant: 'a', default_variant: 'zebra' })
  const { data } = await root.get(at)
  expect(Object.entries(data.variants)).toEqual(Object.entries(variants))
})

describe('an invalid flag', () => {
  const share = (variant: string, weight: number) => ({ variant, weight })
  const rule = (fields: object) => ({ rules: [{ serve: 'on', ...fields }] })
  const condition = (op: string, values: unknown[], attribute = 'a') =>
    rule({ conditions: [{ attribute, op, values }] })

  test.each<[string, object, string]>([
    ['a key with a space', { key: 'a b' }, 'key'],
    ['a variant that is missing', { off_variant: 'none' }, 'off_variant'],
    ['a name of every object as variant', { default_variant: 'constructor' }, 'default_variant'],
    ['a value of another type', { variants: { on: 'true', off: false } }, 'variants.on'],
    ['no variant', { variants: {} }, 'variants'],
    ['a bad name of a variant', { variants: { 'o n': true, on: true, off: false } }, 'variants'],
    ['variants over 8 KiB', { type: 'string', variants: { on: 'x'.repeat(8200), off: '' } }, 'variants'],
    ['another type', { type: 'list' }, 'type'],
    ['neither serve nor split', rule({ serve: null }), 'rules.0'],
    ['both serve and split', rule({ split: half }), 'rules.0'],
    ['a rule for no variant', rule({ serve: 'none' }), 'rules.0.serve'],
    [
      'weights of another sum',
      rule({ serve: null, split: [share('on', 1), share('off', 2)] }),
      'rules.0.split',
    ],
    [
      'a share of no variant',
      rule({ serve: null, split: [share('on', 1), share('x', 99_999)] }),
      'rules.0.split.1.variant',
    ],
    [
      'a share twice',
      rule({ serve: null, split: [share('on', 50_000), share('on', 50_000)] }),
      'rules.0.split',
    ],
    [
      'half a weight',
      rule({ serve: null, split: [share('on', 0.5), share('off', 99_999.5)] }),
      'rules.0.split.0.weight',
    ],
    ['two rules of one id', { rules: [goldRule, goldRule] }, 'rules'],
    [
      'more than 2000 values for contains',
      { rules: [1, 2, 3].map(() => condition('contains', Array(700).fill('x')).rules[0]) },
      'rules',
    ],
    ['rules over 128 KiB', condition('in', Array(130).fill('x'.repeat(1010))), 'rules'],
    ['an unknown operator', condition('matches', ['.*']), 'rules.0.conditions.0.op'],
    ['numbers for texts', condition('contains', [1]), 'rules.0.conditions.0.values'],
    ['texts for numbers', condition('gt', ['1']), 'rules.0.conditions.0.values'],
    ['texts for versions', condition('semver_gte', ['two']), 'rules.0.conditions.0.values'],
    ['values for exists', condition('exists', [1]), 'rules.0.conditions.0.values'],
    ['a long attribute', condition('in', ['x'], 'a'.repeat(65)), 'rules.0.conditions.0.attribute'],
    ['51 rules', { rules: Array.from({ length: 51 }, () => ({ serve: 'on' })) }, 'rules'],
    [
      '11 conditions',
      rule({ conditions: Array.from({ length: 11 }, () => goldRule.conditions[0]) }),
      'rules.0.conditions',
    ],
    [
      '1,001 values',
      condition(
        'in',
        Array.from({ length: 1001 }, (_, at) => at),
      ),
      'rules.0.conditions.0.values',
    ],
  ])('a flag with %s is refused', async (_name, fields, field) => {
    const root = await platformAdmin()
    const answer = await root.post('/flags', { ...newFlag(unique('flag.')), ...fields })
    expect(faultOf(answer)).toEqual([400, field])
  })

  test('an invalid change of a flag is refused, and its type never changes', async () => {
    const { root, at } = await made({ rules: [goldRule] })
    expect(faultOf(await root.put(at, { variants: { off: false } }))).toEqual([400, 'rules.0.serve'])
    expect(faultOf(await root.put(at, { type: 'string' }))).toEqual([400, 'type'])
    expect(faultOf(await root.put(at, { default_variant: 'none' }))).toEqual([400, 'default_variant'])
    const body = '{"variants":{"on":true,"off":false,"__proto__":true}}'
    const proto = await root.put(at, JSON.parse(body), {})
    expect(proto.status).toBe(400)
  })
})

test('an update is lost by nobody: a change of another version is 412', async () => {
  const { root, at } = await made()
  const match = { headers: { 'if-match': '"1"' } }
  expect((await root.put(at, { description: 'one' }, match)).status).toBe(200)
  expect(await root.put(at, { description: 'two' }, match)).toMatchObject(refusal('versionOutdated'))
  expect(await root.delete(at, match)).toMatchObject(refusal('versionOutdated'))
  expect((await root.get(at)).data).toMatchObject({ description: 'one', version: 2 })
  const both = ['three', 'four'].map((description) =>
    root.put(at, { description }, { headers: { 'if-match': '"2"' } }),
  )
  expect(tally(await Promise.all(both))).toEqual({ 200: 1, 412: 1 })
  expect((await root.put(at, { description: 'five' }, { headers: { 'if-match': '*' } })).status).toBe(200)
  expect((await root.delete(at, { headers: { 'if-match': '"4"' } })).status).toBe(200)
})

describe('a tenant with a variant of its own', () => {
  test('is listed and counted, before all rules, until it is taken away', async () => {
    const { root, key, at } = await made({ rules: [goldRule] })
    const tenant = await newTenant()
    const context = { plan: 'gold', tenant_id: tenant.id }
    expect((await root.put(`${at}/tenants/${tenant.id}`, { variant: 'off' })).data).toBeNull()
    expect((await root.get(`${at}/tenants`)).data.items).toEqual([{ tenant_id: tenant.id, variant: 'off' }])
    expect((await root.get(at)).data).toMatchObject({ tenants: 1, version: 1 })
    expect((await root.post(`${at}/explain`, { context })).data).toMatchObject({
      variant: 'off',
      rule_id: '',
    })
    expect(faultOf(await root.put(at, { variants: { on: true, off2: false } }))).toEqual([400, 'off_variant'])
    const renamed = { variants: { on: true, no: false }, off_variant: 'no', default_variant: 'no' }
    expect(faultOf(await root.put(at, renamed))).toEqual([400, 'variants'])
    expect((await root.delete(`${at}/tenants/${tenant.id.toUpperCase()}`)).data).toBeNull()
    expect(await root.delete(`${at}/tenants/${tenant.id}`)).toMatchObject(refusal('flagOverrideUnknown'))
    expect((await root.post(`${at}/explain`, { context })).data).toMatchObject({ variant: 'on' })
    const [removed, added] = await auditRecords(builtIn.id, 'flag', key)
    expect([added?.action, removed?.action]).toEqual(['flag.override', 'flag.override_remove'])
    expect(added?.detail).toMatchObject({
      tenant_id: { to: tenant.id },
      variant: { from: null, to: 'off' },
    })
  })

  test('loses it when it is deleted, and then the variant can go', async () => {
    const { root, at } = await made()
    const { id } = await newTenant()
    ok(await root.put(`${at}/tenants/${id}`, { variant: 'off' }))
    ok(await root.delete(`/org/tenants/${id}`))
    expect(ok(await root.get(`${at}/tenants`)).items).toEqual([])
    const renamed = { variants: { on: true, no: false }, off_variant: 'no', default_variant: 'no' }
    expect(ok(await root.put(at, renamed))).toMatchObject({ tenants: 0 })
  })

  test('has to exist, as the flag and the variant have to', async () => {
    const { root, at } = await made()
    const { id } = await newTenant()
    const nobody = '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'
    expect(await root.put(`${at}/tenants/${nobody}`, { variant: 'on' })).toMatchObject(
      refusal('tenantUnknown'),
    )
    expect(faultOf(await root.put(`${at}/tenants/${id}`, { variant: 'none' }))).toEqual([400, 'variant'])
    const elsewhere = `/flags/${unique()}/tenants`
    expect(await root.put(`${elsewhere}/${id}`, { variant: 'on' })).toMatchObject(refusal('flagUnknown'))
    expect(await root.get(elsewhere)).toMatchObject(refusal('flagUnknown'))
  })

  test('takes it along when it is deleted', async () => {
    const { root, at } = await made()
    const { id } = await newTenant()
    ok(await root.put(`${at}/tenants/${id}`, { variant: 'on' }))
    ok(await root.delete(`/org/tenants/${id}`))
    await expect.poll(async () => (await root.get(at)).data.tenants, { timeout: 20_000 }).toBe(0)
    expect(await root.put(`${at}/tenants/${id}`, { variant: 'on' })).toMatchObject(refusal('tenantUnknown'))
  })
})

describe('an explanation', () => {
  test('tells variant, value, reason, rule, bucket and salt; the salt changes only when asked to', async () => {
    const split = { id: 'half', split: half, bucket_by: 'company' }
    const { root, key, at } = await made({ rules: [goldRule, split] })
    const explain = async (context: object) => (await root.post(`${at}/explain`, { context })).data
    const gold = await explain({ plan: 'gold' })
    expect(gold).toMatchObject({ variant: 'on', value: true, reason: 'TARGETING_MATCH', rule_id: 'gold' })
    expect(gold.bucket).toBeNull()
    const { salt, ...shared } = await explain({ company: 7 })
    const bucket = bucketOf(key, salt, 7)
    const variant = bucket < 50_000 ? 'on' : 'off'
    expect(shared).toEqual({ variant, value: variant === 'on', reason: 'SPLIT', rule_id: 'half', bucket })
    expect(await explain({})).toMatchObject({ variant: 'off', reason: 'DEFAULT', rule_id: '' })
    ok(await root.put(at, { description: 'other', new_salt: false }))
    expect((await explain({ company: 7 })).salt).toBe(salt)
    ok(await root.put(at, { new_salt: true }))
    expect((await explain({ company: 7 })).salt).not.toBe(salt)
  })

  test('an explanation of a split without targeting key is 400, as is a context that is too large', async () => {
    const { root, at } = await made({ rules: [{ split: half }] })
    const explain = (context: unknown) => root.post(`${at}/explain`, { context })
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`a${n}`, 1]))
    for (const context of [{}, many, { a: 'x'.repeat(16_384) }, { targetingKey: 7 }, [], 'x', null]) {
      expect((await explain(context)).status).toBe(400)
    }
    expect(await root.post(`/flags/${unique()}/explain`, { context: {} })).toMatchObject(
      refusal('flagUnknown'),
    )
  })
})

test('every change leaves a record in the built-in tenant that names what changed; none without a change', async () => {
  const { root, key, at } = await made()
  const rules = Array.from({ length: 20 }, (_, n) => ({
    ...goldRule,
    id: `r${n}`,
    description: 'x'.repeat(100),
  }))
  ok(await root.put(at, { rules }))
  ok(await root.put(at, { rules }))
  ok(
    await root.put(at, {
      rules: Array.from({ length: 50 }, () => ({ serve: 'on', description: 'x'.repeat(255) })),
    }),
  )
  ok(await root.delete(at))
  const records = await auditRecords(builtIn.id, 'flag', key)
  expect(records.map(({ action }) => action)).toEqual([
    'flag.delete',
    'flag.update',
    'flag.update',
    'flag.create',
  ])
  expect(records[3]?.detail).toMatchObject({ key: { from: key, to: key }, enabled: { from: null, to: true } })
  expect(records[2]?.detail['rules']).toMatchObject({ from: [], to: [{ id: 'r0' }, ...rules.slice(1)] })
  expect(records[1]?.detail['rules']).toMatchObject({ to: { sha256: expect.any(String) } })
})

test('a tenant’s own account lists, changes and evaluates no flag, whatever a role says', async () => {
  const { at } = await made()
  const tenant = await newTenant()
  const root = await platformAdmin()
  const role = await tenant.role()
  const { data: all } = await root.get('/rbac/permissions', { tenant: builtIn.id })
  for (const { id } of (all as { id: number; code: string }[]).filter(({ code }) =>
    code.startsWith('flag:'),
  )) {
    const body = { permission_ids: [id] }
    const answer = await root.put(`/rbac/roles/${role.id}/permissions`, body, { tenant: tenant.id })
    expect(answer).toMatchObject(refusalOf('permission_ids', 'platformOnlyPermission'))
  }
  for (const who of [tenant.admin, await keyWith(tenant.id, [])]) {
    expect((await who.get('/flags')).status).toBe(403)
    expect((await who.get(at)).status).toBe(403)
    expect((await who.put(at, { enabled: false })).status).toBe(403)
    expect((await who.post(`${at}/explain`, { context: {} })).status).toBe(403)
  }
  const reader = await builtIn.userWith('flag:read')
  expect((await reader.get(at)).status).toBe(200)
  expect((await reader.put(at, { enabled: false })).status).toBe(403)
})

test('an installation has at most 1,000 flags, 8 MiB of them, and 100,000 variants of tenants', async () => {
  const { root, at } = await made({ type: 'string', variants: { on: '', off: '' } })
  const db = parts.store.scoped({ tenantId: builtIn.id })
  const mark = unique('filled.')
  const { count } = await db.only<{ count: number }>(sql`select count(*) as count from flags`)
  const fill = (wanted: number, value: string) =>
    db.run(sql`
      insert into flags (key, description, type, variants, enabled, off_variant, default_variant, rules, client_side, salt,
        revision, created_at, updated_at)
      select ${mark} || n, '', 'string', json_build_object('on', ${value}::text), true, 'on', 'on', '[]', false, 's',
        nextval('flag_revisions'), now(), now()
      from generate_series(1, ${wanted}::int) n`)
  const empty = () => db.run(sql`delete from flags where key like ${`${mark}%`}`)
  try {
    await fill(999 - count, 'x')
    const one = unique('flag.')
    expect((await root.post('/flags', newFlag(one))).status).toBe(200)
    expect(await root.post('/flags', newFlag(unique('flag.')))).toMatchObject(refusal('flagsFull'))
    ok(await root.delete(`/flags/${one}`))
    await empty()
    await fill(16, 'x'.repeat(524_000))
    expect(await root.put(at, { variants: { on: 'x'.repeat(8000), off: '' } })).toMatchObject(
      refusal('flagsFull'),
    )
    expect((await root.get(at)).data.variants.on).toBe('')
  } finally {
    await empty()
  }
})
