import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import {
  auditRecords,
  builtIn,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  unique,
} from '../../../../test/factories.ts'
import { clock, parts, startApp } from '../../../../test/harness.ts'
import { createSecrets } from '../../../crypto/secrets.ts'

const password = 'hunter2-hunter2'

const declareSecret = async (): Promise<string> => {
  const key = unique('smtp.')
  const root = await platformAdmin()
  const schema = { type: 'string', minLength: 4 }
  ok(await root.put(`/settings/definitions/${key}`, { schema, scopes: ['global', 'tenant'], secret: true }))
  return key
}

test('no answer, record, history or plain table has the value of a secret; every write is a version', async () => {
  const { admin, id } = await newTenant()
  const root = await platformAdmin()
  const key = await declareSecret()
  ok(await admin.put(`/settings/tenant/${key}`, { value: password }))
  ok(await admin.put(`/settings/tenant/${key}`, { value: password }))
  const refused = await admin.put(`/settings/tenant/${key}`, { value: 'x' })
  expect(refused).toMatchObject(refusalOf('value'))
  const answers = await Promise.all([
    admin.get(`/settings/tenant/${key}`),
    admin.get('/settings/tenant'),
    admin.get(`/settings/effective/${key}`),
    admin.get(`/settings/tenant/${key}/history`),
    admin.get('/audit/logs?resource=setting'),
    root.get(`/settings/definitions?prefix=${key}`),
  ])
  expect(answers.map(({ status, text }) => [status, text.includes(password)])).toEqual(
    answers.map(() => [200, false]),
  )
  const [one, , effective, history, logs] = answers
  expect([one?.data.value, one?.headers.get('etag')]).toEqual([null, '"2"'])
  expect(effective?.data).toMatchObject({ value: null, is_secret: true, is_set: true, origin: 'tenant' })
  expect(history?.data.items).toMatchObject([
    { version: 2, value: null },
    { version: 1, value: null },
  ])
  const [last, first] = logs?.data.items ?? []
  expect([last.detail.value, first.detail.value]).toEqual([
    { from: '[secret]', to: '[secret]' },
    { from: null, to: '[secret]' },
  ])
  expect(await admin.post(`/settings/tenant/${key}/revert`, { version: 1 })).toMatchObject(
    refusalOf('version'),
  )
  const plain = await parts.store
    .scoped({ tenantId: id })
    .many(sql`select from tenant_settings where key = ${key}`)
  expect(plain).toEqual([])
  ok(await admin.delete(`/settings/tenant/${key}`))
  expect((await admin.get(`/settings/effective/${key}`)).data).toMatchObject({
    is_set: false,
    origin: 'default',
  })
})

test('a secret is read by a key with setting:secret alone, and the first read of an hour leaves a record', async () => {
  const [tenant, root, key] = [await newTenant(), await platformAdmin(), await declareSecret()]
  ok(await root.put(`/settings/global/${key}`, { value: 'for all of them' }))
  const reader = await keyWith(builtIn.id, ['setting:secret', 'tenant:enter'])
  const read = (who = reader, tenantId = tenant.id) =>
    who.post('/settings/secrets/read', { keys: [key, 'unknown'] }, { tenant: tenantId })
  expect((await read()).data).toEqual([{ key, value: 'for all of them', origin: 'global' }])
  ok(await tenant.admin.put(`/settings/tenant/${key}`, { value: password }))
  expect((await read()).data).toEqual([{ key, value: password, origin: 'tenant' }])
  const reads = async () =>
    (await auditRecords(tenant.id, 'setting', key)).filter(({ action }) => action === 'setting.secret_read')
  expect(await reads()).toHaveLength(1)
  clock.advance(3_601_000)
  ok(await read())
  expect(await reads()).toHaveLength(2)
  ok(await root.put(`/settings/global/${key}/lock`))
  expect((await read()).data).toEqual([{ key, value: 'for all of them', origin: 'global' }])
  // Refused callers: a person with all permissions, a key that may not enter the tenant, and a key of another tenant.
  expect((await root.post('/settings/secrets/read', { keys: [key] })).status).toBe(403)
  expect((await read(await keyWith(builtIn.id, ['setting:secret']))).status).toBe(403)
  const own = await keyWith(tenant.id, ['setting:read'])
  expect((await read(own)).status).toBe(403)
  const role = await tenant.admin.post('/rbac/roles', { name: unique() })
  const refused = await tenant.admin.put(`/rbac/roles/${role.data.id}/permissions`, { permission_ids: [37] })
  expect(refused.status).toBe(400)
})

test('a secret that was copied to another row does not open', async () => {
  const [tenant, other, key] = [await newTenant(), await newTenant(), await declareSecret()]
  ok(await tenant.admin.put(`/settings/tenant/${key}`, { value: password }))
  const [row] = await parts.store
    .scoped({ tenantId: tenant.id })
    .many<{ sealed: Buffer }>(sql`select sealed from tenant_setting_secrets where key = ${key}`)
  await parts.store.scoped({ tenantId: other.id }).run(sql`
    insert into tenant_setting_secrets (tenant_id, key, id, sealed, version, updated_at)
    values (${other.id}, ${key}, ${`${other.id} ${key}`}, ${row?.sealed}, 1, now()) returning key`)
  const reader = await keyWith(builtIn.id, ['setting:secret', 'tenant:enter'])
  const { status, text } = await reader.post('/settings/secrets/read', { keys: [key] }, { tenant: other.id })
  expect([status, text.includes(password)]).toEqual([500, false])
})

test('a key becomes secret without a value, and plain without the secret', async () => {
  const [{ admin }, root] = [await newTenant(), await platformAdmin()]
  const key = unique('turn.')
  const secret = { schema: { type: 'string' }, scopes: ['tenant'], secret: true }
  ok(await admin.put(`/settings/tenant/${key}`, { value: 'plain' }))
  expect(await root.put(`/settings/definitions/${key}`, secret)).toMatchObject(refusalOf('secret'))
  ok(await admin.delete(`/settings/tenant/${key}`))
  ok(await root.put(`/settings/definitions/${key}`, secret))
  expect((await admin.get(`/settings/tenant/${key}/history`)).data.items).toEqual([])
  ok(await admin.put(`/settings/tenant/${key}`, { value: password }))
  expect(await root.put(`/settings/definitions/${key}`, { ...secret, secret: false })).toMatchObject(
    refusalOf('secret'),
  )
  ok(await root.delete(`/settings/definitions/${key}`))
  expect((await admin.get(`/settings/tenant/${key}`)).status).toBe(404)
  expect((await admin.get(`/settings/tenant/${key}/history`)).data.items).toEqual([])
})

test('a secret is neither written nor read without a secret key', async () => {
  const [{ admin }, key] = [await newTenant(), await declareSecret()]
  const reader = await keyWith(builtIn.id, ['setting:secret'])
  const bare = await startApp({}, undefined, { secrets: createSecrets([]) })
  const write = await admin.put(`/settings/tenant/${key}`, { value: password }, { at: bare })
  expect(write).toMatchObject(refusal('secretsOff'))
  const read = await reader.post('/settings/secrets/read', { keys: [key] }, { at: bare })
  expect(read).toMatchObject(refusal('secretsOff'))
  await bare.app.close()
})
