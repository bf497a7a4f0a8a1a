import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { newFlag } from '../../../../test/endpoints.ts'
import { newTenant, ok, platformAdmin, unique } from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { systemCtx } from '../../../start/parts.ts'
import type { SettingsFile } from './settings-file.schemas.ts'
import { applySettings, exportSettings, parseSettings, planSettings } from './settings-file.service.ts'

const ctx = systemCtx(parts, 'test')
const kept = { prune: false }

test('a file of declarations and flags is planned without effect, and applied whole: the second time changes nothing', async () => {
  const [root, tenant] = [await platformAdmin(), await newTenant()]
  const [key, flag] = [unique('file.'), unique('flag.')]
  ok(await tenant.admin.put(`/settings/tenant/${key}`, { value: 'loud' }))
  const file: SettingsFile = {
    definitions: [{ key, schema: { type: 'number' }, default: 1, scopes: ['tenant'] }],
    flags: [newFlag(flag) as never],
  }
  const lines = [expect.stringContaining(`+ setting ${key} (1 stored values count no more`), `+ flag ${flag}`]
  expect(await planSettings(ctx, file, kept)).toEqual(lines)
  expect((await root.get(`/flags/${flag}`)).status).toBe(404)
  expect(await applySettings(ctx, file, kept)).toEqual(lines)
  expect(await applySettings(ctx, file, kept)).toEqual([])
  expect(ok(await tenant.admin.get(`/settings/effective/${key}`))).toMatchObject({
    value: 1,
    origin: 'default',
  })
  const exported = parse(await exportSettings(ctx)) as SettingsFile
  expect(exported.definitions.map((one) => one.key)).toContain(key)
  expect(exported.flags?.map((one) => one.key)).toContain(flag)
  const { flags: _, attributes: _attributes, ...others } = exported
  const withoutOne = { definitions: others.definitions.filter((one) => one.key !== key) }
  expect(await planSettings(ctx, withoutOne, { prune: true })).toEqual([`- setting ${key}`])
  ok(await root.delete(`/settings/definitions/${key}`))
  ok(await root.delete(`/flags/${flag}`))
})

test('a file that is no YAML, or names a key twice, is refused', () => {
  const twice =
    'definitions: [{ key: a, schema: {}, scopes: [user] }, { key: a, schema: {}, scopes: [user] }]'
  expect(() => parseSettings('{', () => [])).toThrow(Refusal)
  expect(() => parseSettings(twice, () => [])).toThrow(Refusal)
})

test('a file that declares a key of Tenantry is refused before anything changes', async () => {
  const key = unique('file.')
  const declared = { schema: {}, scopes: ['tenant' as const] }
  const file = {
    definitions: [
      { key, ...declared },
      { key: 'mail', ...declared },
    ],
  }
  await expect(planSettings(ctx, file, kept)).rejects.toThrow(Refusal)
  await expect(applySettings(ctx, file, kept)).rejects.toThrow(Refusal)
  const root = await platformAdmin()
  expect((await root.get(`/settings/definitions?prefix=${key}`)).data.total).toBe(0)
})

test('attributes of a file are planned, applied once, and pruned; a faulty one is refused', async () => {
  const key = unique('file')
  const entry = {
    subject: 'user' as const,
    key,
    schema: { type: 'string' },
    administrators: 'write' as const,
  }
  const before = (parse(await exportSettings(ctx)) as SettingsFile).attributes ?? []
  const file: SettingsFile = { definitions: [], attributes: [...before, entry] }
  const line = `+ attribute user/${key}`
  expect(await planSettings(ctx, file, kept)).toEqual([line])
  expect(await applySettings(ctx, file, kept)).toEqual([line])
  expect(await applySettings(ctx, file, kept)).toEqual([])
  expect((parse(await exportSettings(ctx)) as SettingsFile).attributes).toContainEqual(entry)
  const without = { definitions: [], attributes: before }
  expect(await planSettings(ctx, without, kept)).toEqual([])
  expect(await applySettings(ctx, without, { prune: true })).toContain(`- attribute user/${key}`)
  const ill = `{ definitions: [], attributes: [{ subject: tenant, key: a, schema: { type: string }, self: read }] }`
  expect(() => parseSettings(ill, () => [])).toThrow(Refusal)
})
