import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusal, tally } from '../../../../test/answers.ts'
import {
  auditRecords,
  builtIn,
  countAuditRecords,
  newTenant,
  platformAdmin,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { call, clock, parts } from '../../../../test/harness.ts'
import { onPostgres } from '../../../../test/test-database.ts'
import { lockTenantAgainstRemoval } from '../../../access/tenancy.store.ts'
import { lockSetting, upsertSetting } from './settings.store.ts'

const lastRecord = async (who: Caller) =>
  (await who.get('/audit/logs?page_size=1&resource=setting')).data.items[0]

/** The two scopes have different paths and different writers. */
const scopes = [
  {
    scope: 'tenant',
    list: '/settings/tenant',
    at: (key: string) => `/settings/tenant/${key}`,
    writer: async () => (await newTenant()).admin,
  },
  {
    scope: 'global',
    list: '/settings',
    at: (key: string) => `/settings/global/${key}`,
    writer: platformAdmin,
  },
]

describe.each(scopes)('a $scope setting', ({ scope, list, at, writer }) => {
  test('is created by its first PUT, replaced by the next, read alone and in the list by key', async () => {
    const who = await writer()
    const [key, later] = [unique('a'), unique('b')]
    expect((await who.put(at(later), { value: 1 })).body).toMatchObject({ code: 0, data: null })
    await who.put(at(key), { value: 'red' })
    clock.advance(60_000)
    const first = (await who.get(at(key))).data
    await who.put(at(key), { value: { dark: 'blue' } })
    const second = (await who.get(at(key))).data
    const tenantId = scope === 'tenant' ? who.tenantId : ''
    const updatedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(first).toEqual({ key, value: 'red', scope, tenant_id: tenantId, updated_at: updatedAt })
    expect(second).toEqual({ ...first, value: { dark: 'blue' }, updated_at: updatedAt })
    expect(Date.parse(second.updated_at) - Date.parse(first.updated_at)).toBeGreaterThanOrEqual(60_000)
    const listed = (await who.get(list)).data as { key: string }[]
    expect(listed).toContainEqual(second)
    const keys = listed.map((one) => one.key)
    expect(keys.indexOf(key)).toBeLessThan(keys.indexOf(later))
  })

  test.each([
    ['null', null],
    ['booleans', [true, false]],
    ['an empty text', ''],
    ['unicode', 'Grüße 漢字 👩‍👩‍👧 \u0001 "\\/'],
    ['numbers', [0, -1, 1.5, 1e-7, 1e300, 9007199254740991, -9007199254740991]],
    ['nesting', { a: [{ b: { c: [[], {}, null] } }], '': 1, 'x y': 2 }],
    ['keys of objects', { constructor: 1, toString: 2, hasOwnProperty: 3, prototype: 4 }],
  ])('holds any JSON and gives it back as it was: %s', async (_name, value) => {
    const who = await writer()
    const key = unique('any')
    expect((await who.put(at(key), { value })).status).toBe(200)
    expect((await who.get(at(key))).data.value).toEqual(value)
  })

  test('an unknown $scope setting is 404', async () => {
    const { status, body } = await (await writer()).get(at('unknown'))
    expect([status, body.code, body.data]).toEqual([404, 40405, null])
  })

  test.each(['a', '0', 'A.b_c-d:e', 'k'.repeat(128)])(
    'has a key of letters, digits, ._-: like %s',
    async (key) => {
      const who = await writer()
      expect((await who.put(at(key), { value: 1 })).status).toBe(200)
      expect((await who.get(at(key))).data.key).toBe(key)
    },
  )

  test.each(['k'.repeat(129), 'a%20b', 'a%2Fb', 'ä', '%C3%A4', 'a@b', 'a%00', '%F0%9F%98%80', 'a%0A'])(
    'a setting with the key %s is 400 to read and write',
    async (key) => {
      const who = await writer()
      expect((await who.put(at(key), { value: 1 })).status).toBe(400)
      expect((await who.get(at(key))).status).toBe(400)
    },
  )

  test('holds a value of 64 KiB as JSON, and not a byte more', async () => {
    const who = await writer()
    const key = unique('size')
    expect((await who.put(at(key), { value: 'x'.repeat(65_534) })).status).toBe(200)
    expect((await who.put(at(key), { value: 'x'.repeat(65_535) })).body.data).toEqual({
      errors: [{ field: 'value', message: 'must have at most 64 KiB as JSON' }],
    })
    expect((await who.put(at(key), { value: 'é'.repeat(32_767) })).status).toBe(200)
    expect((await who.put(at(key), { value: 'é'.repeat(32_768) })).status).toBe(400)
    expect((await who.get(at(key))).data.value).toBe('é'.repeat(32_767))
  })

  test.each([{}, { Value: 1 }, [], 'x', null, 3])('a setting without value is 400: %j', async (body) => {
    expect((await (await writer()).put(at('color'), body)).status).toBe(400)
  })

  test('takes nothing from a body but its value', async () => {
    const who = await writer()
    const key = unique('own')
    await who.put(at(key), { value: 1, key: 'x', scope: 'x', tenant_id: builtIn.id, updated_at: 'x' })
    const { data } = await who.get(at(key))
    expect([data.key, data.scope, data.tenant_id === builtIn.id]).toEqual([key, scope, false])
  })

  test('leaves one record of each change, none of a PUT of the value it has', async () => {
    const who = await writer()
    const key = unique('rec')
    await who.put(at(key), { value: { b: 1, a: [2] } })
    const created = await lastRecord(who)
    expect([created.action, created.resource_id]).toEqual(['setting.create', key])
    const named = { key: { from: key, to: key } }
    expect(created.detail).toEqual({ ...named, value: { from: null, to: { b: 1, a: [2] } } })
    const before = (await who.get(at(key))).data
    clock.advance(60_000)
    await who.put(at(key), { value: { a: [2], b: 1 } })
    expect((await lastRecord(who)).id).toBe(created.id)
    expect((await who.get(at(key))).data).toEqual(before)
    await who.put(at(key), { value: null })
    const updated = await lastRecord(who)
    expect([updated.action, updated.detail]).toEqual([
      'setting.update',
      { ...named, value: { from: { b: 1, a: [2] }, to: null } },
    ])
    await who.put(at(key), { value: null })
    expect((await lastRecord(who)).id).toBe(updated.id)
  })

  test.each([
    'smtp.password',
    'API_TOKEN',
    'client-secret',
    'stripe.api_key',
    'apiKey',
    'privateKey',
    'db.passwd',
  ])('a setting whose key names a secret keeps its value out of the audit log: %s', async (name) => {
    const who = await writer()
    const key = `${name}.${unique()}`
    await who.put(at(key), { value: 'hunter-2-secret-value' })
    await who.put(at(key), { value: { nested: 'hunter-2-other-value' } })
    const { body } = await who.get('/audit/logs?page_size=5')
    expect(JSON.stringify(body)).toContain(key)
    expect(JSON.stringify(body)).not.toContain('hunter-2')
  })

  test('a setting with a secret inside its value keeps that out of the audit, and shows the rest', async () => {
    const who = await writer()
    const key = unique('mail')
    await who.put(at(key), {
      value: { host: 'mail', auth: [{ user: 'ada', Password: 'hunter-2' }], tokens: ['hunter-3'] },
    })
    const { detail } = await lastRecord(who)
    expect(JSON.stringify(detail)).not.toMatch(/hunter/)
    expect(detail.value.to).toMatchObject({ host: 'mail', auth: [{ user: 'ada' }] })
  })

  test('a large setting is recorded by size and hash', async () => {
    const who = await writer()
    await who.put(at(unique('big')), { value: 'x'.repeat(60_000) })
    const { detail } = await lastRecord(who)
    expect(detail.value.to).toEqual({ bytes: 60_002, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('twenty writes at once leave one value and a record for each change', async () => {
    const who = await writer()
    const key = unique('race')
    const values = Array.from({ length: 20 }, (_, index) => index)
    const answers = await Promise.all(values.map((value) => who.put(at(key), { value })))
    expect(answers.map(({ status }) => status)).toEqual(values.map(() => 200))
    const { items } = (await who.get('/audit/logs?page_size=20&resource=setting')).data
    const actions = (items as { action: string }[]).map(({ action }) => action)
    expect(actions.toSorted()).toEqual([
      'setting.create',
      ...Array.from({ length: 19 }, () => 'setting.update'),
    ])
    expect(items[0].detail.value.to).toBe((await who.get(at(key))).data.value)
  })
})

test('a setting of the tenant is deleted with a record, and 404 from then on', async () => {
  const { admin } = await newTenant()
  await admin.put('/settings/tenant/color', { value: 'red' })
  expect((await admin.delete('/settings/tenant/color')).body).toMatchObject({ code: 0, data: null })
  const { action, detail } = await lastRecord(admin)
  const key = { from: 'color', to: 'color' }
  expect([action, detail]).toEqual(['setting.delete', { key, value: { from: 'red', to: null } }])
  expect((await admin.get('/settings/tenant/color')).status).toBe(404)
  expect((await admin.delete('/settings/tenant/color')).status).toBe(404)
  expect((await admin.delete('/settings/tenant/a@b')).status).toBe(400)
  expect((await admin.get('/settings/tenant')).data).toEqual([])
})

test('a global setting is deleted with setting:global, recorded with its value in the built-in tenant', async () => {
  const [root, { admin }] = [await platformAdmin(), await newTenant()]
  const key = unique('gone')
  await root.put(`/settings/global/${key}`, { value: 'red' })
  expect((await admin.delete(`/settings/global/${key}`)).status).toBe(403)
  const { status, body } = await root.delete(`/settings/global/${key}`)
  expect([status, body.data]).toEqual([200, null])
  const [latest] = await auditRecords(builtIn.id, 'setting', key)
  const detail = { key: { from: key, to: key }, value: { from: 'red', to: null } }
  expect(latest).toMatchObject({ action: 'setting.delete', detail })
  expect((await admin.get(`/settings/global/${key}`)).status).toBe(404)
  expect((await root.delete(`/settings/global/${key}`)).status).toBe(404)
  expect((await root.delete('/settings/global/a@b')).status).toBe(400)
})

test('settings of two tenants with the same key, and a global one, are apart', async () => {
  const [one, other, root] = [await newTenant(), await newTenant(), await platformAdmin()]
  const key = unique('same')
  await one.admin.put(`/settings/tenant/${key}`, { value: 1 })
  expect((await other.admin.get(`/settings/tenant/${key}`)).status).toBe(404)
  expect((await other.admin.delete(`/settings/tenant/${key}`)).status).toBe(404)
  await other.admin.put(`/settings/tenant/${key}`, { value: 2 })
  await root.put(`/settings/global/${key}`, { value: 3 })
  expect((await one.admin.get(`/settings/tenant/${key}`)).data.value).toBe(1)
  expect((await one.admin.get(`/settings/global/${key}`)).data.value).toBe(3)
  expect((await root.get(`/settings/tenant/${key}`, { tenant: other.id })).data.value).toBe(2)
})

test('reading needs setting:read, writing setting:update, deleting setting:delete, global ones setting:global', async () => {
  const tenant = await newTenant()
  await tenant.admin.put('/settings/tenant/color', { value: 'red' })
  const reader = await tenant.userWith('setting:read')
  const writer = await tenant.userWith('setting:update')
  const paths = ['/settings', '/settings/global/x', '/settings/tenant', '/settings/tenant/color']
  const statuses = async (who: Caller) => Promise.all(paths.map(async (path) => (await who.get(path)).status))
  expect(await statuses(reader)).toEqual([200, 404, 200, 200])
  expect(await statuses(writer)).toEqual([403, 403, 403, 403])
  expect((await reader.put('/settings/tenant/color', { value: 1 })).status).toBe(403)
  expect((await writer.put('/settings/tenant/color', { value: 1 })).status).toBe(200)
  expect((await writer.delete('/settings/tenant/color')).status).toBe(403)
  expect((await tenant.admin.put('/settings/global/color', { value: 1 })).status).toBe(403)
  const operator = await builtIn.userWith('setting:global')
  expect((await operator.put(`/settings/global/${unique()}`, { value: 1 })).status).toBe(200)
  expect((await operator.get('/settings')).status).toBe(403)
})

test('a setting needs no tenant header: the own tenant is meant', async () => {
  const { id, admin } = await newTenant()
  const { status } = await call('PUT', '/settings/tenant/color', {
    token: admin.token,
    body: { value: 'red' },
  })
  expect(status).toBe(200)
  expect((await admin.get('/settings/tenant/color')).data.tenant_id).toBe(id)
})

describe('the bound of a scope', () => {
  /** Adds `count` settings to a tenant, each with a value of `length` characters of JSON. */
  const fill = (tenantId: string, count: number, length: number) =>
    parts.store.scoped({ tenantId }).run(sql`
      insert into tenant_settings (tenant_id, key, value, updated_at)
      select ${tenantId}::uuid, 'filled.' || n, to_jsonb(repeat('x', ${length - 2}::int)), now()
      from generate_series(1, ${count}::int) n
      returning key`)
  const putAtOnce = (admin: Caller, count: number, value: string) =>
    Promise.all(Array.from({ length: count }, (_, n) => admin.put(`/settings/tenant/more.${n}`, { value })))

  test('is exact however many settings are added at once', async () => {
    const { admin, id } = await newTenant()
    await fill(id, 995, 5)
    expect(tally(await putAtOnce(admin, 20, 'x'))).toEqual({ 200: 5, 400: 15 })
    expect((await admin.get('/settings/tenant')).data).toHaveLength(1000)
    expect(await admin.put('/settings/tenant/other', { value: 1 })).toMatchObject(refusal('settingsFull'))
    expect((await admin.put('/settings/tenant/filled.1', { value: 'xyz' })).status).toBe(200)
  })

  test('is exact however many large values are written at once', async () => {
    const { admin, id } = await newTenant()
    await fill(id, 63, 65_000)
    expect(tally(await putAtOnce(admin, 5, 'x'.repeat(60_000)))).toEqual({ 200: 1, 400: 4 })
  })

  test('lets everything in that fits, across the half where writers begin to take turns', async () => {
    const { admin, id } = await newTenant()
    await fill(id, 495, 5)
    expect(tally(await putAtOnce(admin, 20, 'x'))).toEqual({ 200: 20 })
    expect((await admin.get('/settings/tenant')).data).toHaveLength(515)
    expect(await countAuditRecords(id)).toBeGreaterThanOrEqual(20)
  })
})

describe.runIf(onPostgres)('concurrent writes of settings', () => {
  /** Writes a setting in an open transaction. Resolves with a function that ends the transaction. */
  const holdOpen = async (tenantId: string, key: string, isExclusive = false) => {
    const [written, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const write = parts.store.transaction({ tenantId }, async (db) => {
      await lockTenantAgainstRemoval(db, tenantId)
      lockSetting(db, { tenantId, key }, isExclusive)
      await upsertSetting(
        db,
        { tenantId, key },
        { valueJson: '"held"', changedBy: 0, now: new Date(), revertedFrom: undefined },
      )
      written.resolve()
      await gate.promise
    })
    await written.promise
    return async () => {
      gate.resolve()
      await write
    }
  }

  test('writers of other keys do not wait for a write', async () => {
    const { admin, id } = await newTenant()
    const end = await holdOpen(id, 'held')
    expect((await admin.put('/settings/tenant/free', { value: 1 })).status).toBe(200)
    expect((await admin.delete('/settings/tenant/free')).status).toBe(200)
    await end()
  })

  test.each([
    ['a writer', (admin: Caller) => admin.put('/settings/tenant/held', { value: 1 }), 'setting.update'],
    ['a deletion', (admin: Caller) => admin.delete('/settings/tenant/held'), 'setting.delete'],
  ])('%s of the same key waits for a write, and records the value before', async (_, ask, action) => {
    const { admin, id } = await newTenant()
    const end = await holdOpen(id, 'held')
    let isAnswered = false
    const answer = ask(admin).finally(() => (isAnswered = true))
    await setTimeout(200)
    expect(isAnswered).toBe(false)
    await end()
    expect((await answer).status).toBe(200)
    expect(await lastRecord(admin)).toMatchObject({ action, detail: { value: { from: 'held' } } })
  })

  test('a writer waits for one that counts its scope', async () => {
    const { admin, id } = await newTenant()
    const end = await holdOpen(id, 'held', true)
    let isAnswered = false
    const answer = admin.put('/settings/tenant/free', { value: 1 }).finally(() => (isAnswered = true))
    await setTimeout(200)
    expect(isAnswered).toBe(false)
    await end()
    expect((await answer).status).toBe(200)
  })
})
