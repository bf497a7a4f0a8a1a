import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { auditRecords, builtIn, newTenant, ok, platformAdmin, unique } from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { declareSetting } from '../../../../test/setting-rows.ts'
import { inTenant } from '../../../context.ts'
import { systemCtx } from '../../../start/parts.ts'
import { accepts, createSecretKeys, isReserved, type SecretKeys } from './declared.service.ts'
import { faultsOfSchema } from '../../../values/schema-subset.ts'
import { putTenantSetting } from './writes.service.ts'

const text = { type: 'string', maxLength: 5 }

describe('a declaration', () => {
  test('is made, listed, changed without a record where nothing differs, and deleted', async () => {
    const root = await platformAdmin()
    const key = await declareSetting({
      schema: text,
      default: 'wide',
      label: 'Width',
      group: 'Look',
      public: true,
    })
    const { data } = await root.get(`/settings/definitions?prefix=${key}`)
    expect(data).toMatchObject({ total: 1, page: 1 })
    expect(data.items[0]).toEqual({
      key,
      schema: text,
      default: 'wide',
      scopes: ['global', 'tenant', 'user'],
      secret: false,
      public: true,
      label: 'Width',
      description: '',
      group: 'Look',
      is_builtin: false,
      is_locked: false,
      invalid: 0,
      updated_at: expect.any(String),
    })
    const { label: _, ...again } = data.items[0]
    ok(await root.put(`/settings/definitions/${key}`, { ...again, label: 'Width' }))
    expect(await auditRecords(builtIn.id, 'setting_definition', key)).toHaveLength(1)
    ok(await root.delete(`/settings/definitions/${key}`))
    expect(await root.delete(`/settings/definitions/${key}`)).toMatchObject(refusal('settingUnknown'))
    const actions = (await auditRecords(builtIn.id, 'setting_definition', key)).map(({ action }) => action)
    expect(actions).toEqual(['setting_definition.delete', 'setting_definition.update'])
  })

  test.each<[string, object, string]>([
    ['a schema outside the subset', { schema: { $ref: '#' } }, 'schema/$ref'],
    ['a default that the schema refuses', { schema: text, default: 'too long' }, 'default'],
    ['a default over 64 KiB', { schema: {}, default: 'x'.repeat(65_535) }, 'default'],
    ['no scope', { schema: text, scopes: [] }, 'scopes'],
    ['a public secret', { schema: text, secret: true, public: true, scopes: ['tenant'] }, 'public'],
    ['a secret of users', { schema: text, secret: true }, 'scopes'],
    ['a secret that is no text', { schema: {}, secret: true, scopes: ['tenant'] }, 'schema'],
  ])('a declaration with %s is 400', async (_name, definition, field) => {
    const root = await platformAdmin()
    const body = { scopes: ['global', 'tenant', 'user'], ...definition }
    expect(await root.put(`/settings/definitions/${unique()}`, body)).toMatchObject(refusalOf(field))
  })

  test('a declaration and a lock of a key of Tenantry are 403, and a tenant declares nothing', async () => {
    const [root, { admin }] = [await platformAdmin(), await newTenant()]
    for (const key of ['auth.x', 'audit.x', 'tenantry.x', 'mail', 'branding']) {
      const body = { schema: {}, scopes: ['tenant'] }
      expect(await root.put(`/settings/definitions/${key}`, body)).toMatchObject(refusal('settingReserved'))
      expect(await root.put(`/settings/global/${key}/lock`)).toMatchObject(refusal('settingReserved'))
      expect((await admin.put(`/settings/definitions/${key}`, body)).status).toBe(403)
    }
    const { items } = (await admin.get('/settings/definitions?prefix=auth.')).data
    expect(items.map((one: { key: string; is_builtin: boolean }) => [one.key, one.is_builtin])).toEqual([
      ['auth.passwords', true],
      ['auth.require_second_factor', true],
      ['auth.robots', true],
      ['auth.sso', true],
      ['auth.support_access', true],
      ['auth.support_colleagues', true],
      ['auth.support_notice', true],
      ['auth.unregistered_applications', true],
      ['auth.ways', true],
    ])
  })

  test('refuses a write that does not fit, by the place and without the value', async () => {
    const { admin } = await newTenant()
    const port = { type: 'object', properties: { port: { type: 'integer', maximum: 65_535 } } }
    const key = await declareSetting({ schema: port, scopes: ['tenant'] })
    const refused = await admin.put(`/settings/tenant/${key}`, { value: { port: 77_777 } })
    expect(refused).toMatchObject(refusalOf('value/port'))
    expect(refused.text).not.toContain('77777')
    expect((await admin.get(`/settings/tenant/${key}`)).status).toBe(404)
    const root = await platformAdmin()
    expect(await root.put(`/settings/global/${key}`, { value: { port: 1 } })).toMatchObject(refusalOf('key'))
    ok(await admin.put(`/settings/tenant/${key}`, { value: { port: 1 } }))
  })

  test('a declaration that stored values do not match is 400 with their places; force drops the values', async () => {
    const [root, { admin, id }] = [await platformAdmin(), await newTenant()]
    const key = await declareSetting({ schema: {}, default: 'x' })
    ok(await root.put(`/settings/global/${key}`, { value: 'all' }))
    ok(await admin.put(`/settings/tenant/${key}`, { value: 7 }))
    ok(await admin.put(`/settings/user/${key}`, { value: 8 }))
    const body = { schema: text, default: 'x', scopes: ['global', 'tenant', 'user'] }
    const { body: refused } = await root.put(`/settings/definitions/${key}`, body)
    expect(refused.data.errors.map(({ field }: { field: string }) => field)).toEqual([
      `tenant ${id}`,
      `user ${id} ${admin.userId}`,
    ])
    const forced = ok(await root.put(`/settings/definitions/${key}`, { ...body, force: true }))
    expect(forced.invalid).toBe(2)
    expect((await root.get(`/settings/definitions?prefix=${key}`)).data.items[0].invalid).toBe(2)
    const effective = async () => (await admin.get(`/settings/effective/${key}`)).data
    expect(await effective()).toMatchObject({ value: 'all', origin: 'global' })
    ok(await admin.put(`/settings/tenant/${key}`, { value: 'mine' }))
    expect(await effective()).toMatchObject({ value: 'mine', origin: 'tenant' })
    ok(await root.put(`/settings/definitions/${key}`, { ...body, schema: {} }))
    expect(await effective()).toMatchObject({ value: 8, origin: 'user' })
  })
})

test('the settings of Tenantry fit the rules of declarations, and reserve their keys', () => {
  for (const row of parts.builtInSettings.values()) {
    expect([row.key, faultsOfSchema(row.schema)]).toEqual([row.key, []])
    expect(row.default === undefined || accepts(row, row.default)).toBe(true)
    expect(isReserved(parts, row.key)).toBe(true)
  }
  expect(['audit.new', 'auth.new', 'tenantry.new'].every((key) => isReserved(parts, key))).toBe(true)
  expect(['mail.new', 'authority', 'branding.new'].some((key) => isReserved(parts, key))).toBe(false)
})

test('a replica that has not heard of a declaration stores a value by it all the same', async () => {
  const [root, { id }] = [await platformAdmin(), await newTenant()]
  const ctx = inTenant(systemCtx(parts, 'test'), id)
  const key = unique('late.')
  const put = (keys: SecretKeys, value: string) =>
    putTenantSetting(ctx, keys, key, { value, ifMatch: undefined })
  const valuesIn = (table: 'tenant_settings' | 'tenant_setting_secrets') =>
    ctx.db.many(sql`select key from ${raw(table)} where tenant_id = ${id} and key = ${key}`)
  const [early, late] = [createSecretKeys(), createSecretKeys()]
  expect(await early.has(ctx.db, key)).toBe(false)
  const secret = { schema: { type: 'string' }, scopes: ['tenant'], secret: true }
  ok(await root.put(`/settings/definitions/${key}`, secret))
  await put(early, 'hunter2')
  expect([await valuesIn('tenant_settings'), await valuesIn('tenant_setting_secrets')]).toEqual([
    [],
    [{ key }],
  ])
  expect(await late.has(ctx.db, key)).toBe(true)
  ok(await root.delete(`/settings/definitions/${key}`))
  await put(late, 'plain')
  expect([await valuesIn('tenant_settings'), await valuesIn('tenant_setting_secrets')]).toEqual([
    [{ key }],
    [],
  ])
})
