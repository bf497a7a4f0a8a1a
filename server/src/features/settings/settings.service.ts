import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../context.ts'
import { AppError, invalid } from '../../errors.ts'
import { builtInTenant } from '../../permissions.ts'
import { loggable, record } from '../audit/audit.service.ts'
import { requireRetention } from '../audit/retention.service.ts'
import type { Setting, UpdateSetting } from './settings.schemas.ts'
import * as store from './settings.store.ts'

/** Contract, DTOs: a value has up to 64 KiB. */
const valueBytesMax = 65_536

const settingUnknown = () => new AppError('settingUnknown', 'The setting does not exist')

const found = (setting: Setting | undefined): Setting => {
  if (!setting) throw settingUnknown()
  return setting
}

/** The value as JSON text, or 400 when it is too large. */
const toJson = ({ value }: UpdateSetting): string => {
  const json = JSON.stringify(value)
  if (Buffer.byteLength(json) > valueBytesMax) throw invalid('value', 'must have at most 64 KiB as JSON')
  return json
}

/** Lists are answered whole, so what they hold is bounded: 1,000 entries, and 4,194,304 characters of values as JSON, for each scope. */
const entriesMax = 1000
const lengthMax = 4_194_304

const requireRoom = (size: store.SettingsSize | undefined): void => {
  if (size && (size.entries > entriesMax || size.length > lengthMax)) {
    throw new AppError(
      'settingsFull',
      `There is room for ${entriesMax} settings and 4 MiB of values. Delete what is not needed`,
    )
  }
}

/** The key says what a value is, so it decides whether the log may show it. */
const valueChange = (key: string, from: unknown, to: unknown) => ({
  value: { from: loggable(key, from), to: loggable(key, to) },
})

const recordPut = (ctx: TransactionCtx, key: string, before: Setting | undefined, value: unknown) =>
  record(ctx, {
    action: before ? 'setting.update' : 'setting.create',
    resourceId: key,
    detail: valueChange(key, before?.value, value),
  })

export const listGlobalSettings = (ctx: Ctx): Promise<Setting[]> => store.selectGlobalSettings(ctx.db)

export const getGlobalSetting = async (ctx: Ctx, key: string): Promise<Setting> =>
  found(await store.selectGlobalSetting(ctx.db, key))

/** Creates or replaces a global setting; the record of it stands in the built-in tenant. */
export const putGlobalSetting = (ctx: Ctx, key: string, input: UpdateSetting): Promise<null> => {
  const json = toJson(input)
  return inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    // One flight: the connection runs them one after another.
    const [, before, changed, size] = await Promise.all([
      store.lockSettings(ctx.db, 'global'),
      store.selectGlobalSetting(ctx.db, key),
      store.upsertGlobalSetting(ctx.db, key, json, ctx.parts.now()),
      store.measureGlobalSettings(ctx.db),
    ])
    if (!changed) return null
    requireRoom(size)
    await recordPut(ctx, key, before, input.value)
    return null
  })
}

export const listTenantSettings = (ctx: Ctx): Promise<Setting[]> =>
  store.selectTenantSettings(ctx.db, ctx.tenantId)

export const getTenantSetting = async (ctx: Ctx, key: string): Promise<Setting> =>
  found(await store.selectTenantSetting(ctx.db, ctx.tenantId, key))

/** Creates or replaces a setting of the tenant in scope. */
export const putTenantSetting = (ctx: Ctx, key: string, input: UpdateSetting): Promise<null> => {
  const json = toJson(input)
  requireRetention(key, input.value)
  return inTransaction(ctx, async (ctx) => {
    const { db, tenantId, parts } = ctx
    const [, before, changed, size] = await Promise.all([
      store.lockSettings(db, tenantId),
      store.selectTenantSetting(db, tenantId, key),
      store.upsertTenantSetting(db, { tenantId, key, valueJson: json, now: parts.now() }),
      store.measureTenantSettings(db, tenantId),
    ])
    if (!changed) return null
    requireRoom(size)
    await recordPut(ctx, key, before, input.value)
    return null
  })
}

export const deleteTenantSetting = (ctx: Ctx, key: string): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const removed = await store.deleteTenantSettingRow(ctx.db, ctx.tenantId, key)
    if (!removed) throw settingUnknown()
    await record(ctx, {
      action: 'setting.delete',
      resourceId: key,
      detail: valueChange(key, removed.value, null),
    })
    return null
  })
