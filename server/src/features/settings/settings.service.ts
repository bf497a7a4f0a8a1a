import { inTenant, inTransactionAfter, type Ctx, type TransactionCtx } from '../../context.ts'
import { AppError, invalid } from '../../errors.ts'
import { builtInTenant } from '../../access/permissions.ts'
import { requireMfa } from '../../access/policies.ts'
import { factorSetting } from '../../access/tenant-settings.sql.ts'
import { loggable, naming, record } from '../audit/audit.service.ts'
import { requireRetention } from '../audit/retention.service.ts'
import type { Setting, UpdateSetting } from './settings.schemas.ts'
import * as store from './settings.store.ts'

/** A value has up to 64 KiB (docs/contract.md, "Settings"). */
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

/**
 * Lists of settings have no pages, so a scope is bounded: 1,000 entries, and 4,194,304 characters of values as JSON.
 */
const entriesMax = 1000
const lengthMax = 4_194_304

const requireRoom = ({ entries, length }: store.SettingsSize): void => {
  if (entries > entriesMax || length > lengthMax) {
    throw new AppError(
      'settingsFull',
      `There is room for ${entriesMax} settings and 4 MiB of values. Delete what is not needed`,
    )
  }
}

/**
 * Writers of values up to this length share a scope that is at most half full. 500 concurrent ones add at most 500
 * entries and 2 MiB (docs/decisions/0090-settings-without-a-queue.md).
 */
const smallLength = 4096

const isFarFromFull = ({ entries, length }: store.SettingsSize, own: number): boolean =>
  entries <= entriesMax / 2 && length <= lengthMax / 2 && own <= smallLength

/** The key decides whether the log may show the value. */
const valueChange = (key: string, from: unknown, to: unknown) => ({
  ...naming({ key }),
  value: { from: loggable(key, from), to: loggable(key, to) },
})

/** Thrown to roll back a write that must count the scope, and therefore hold it alone. */
class Crowded extends Error {}

/** Creates or replaces a setting. Waits only for writers of the same key, unless the scope is more than half full. */
const put = async (ctx: Ctx, place: store.SettingPlace, input: UpdateSetting): Promise<null> => {
  const json = toJson(input)
  const write = (alone: boolean) =>
    inTransactionAfter(
      ctx,
      ({ db, parts }) => {
        store.lockSetting(db, place, alone)
        return Promise.all([
          store.writeSetting(db, place, json, parts.now()),
          store.measureSettings(db, place.tenantId),
        ])
      },
      async (ctx, [written, size]) => {
        if (!written || !size) return
        guardFactorSetting(ctx, place)
        if (alone) requireRoom(size)
        else if (!isFarFromFull(size, written.length)) throw new Crowded()
        recordPut(ctx, place.key, written, input.value)
      },
    )
  await write(false).catch((err: unknown) => {
    if (!(err instanceof Crowded)) throw err
    return write(true)
  })
  return null
}

/** Throws 400 when the setting is the one of second factors, and the value is not its own. */
const requireFactorValue = (key: string, value: unknown): void => {
  if (key === factorSetting && typeof value !== 'boolean') throw invalid('value', 'must be true or false')
}

/**
 * Throws 403 when the setting of second factors is changed in a session without one. Every replica forgets the callers of
 * the tenant, who may be restricted from now on.
 */
const guardFactorSetting = (ctx: TransactionCtx, { tenantId, key }: store.SettingPlace): void => {
  if (tenantId === undefined || key !== factorSetting) return
  requireMfa(ctx.actor)
  ctx.changes.push({ kind: 'tenant', tenantId })
}

const recordPut = (
  ctx: TransactionCtx,
  key: string,
  { existed, before }: store.WrittenSetting,
  value: unknown,
): void =>
  record(ctx, {
    action: existed ? 'setting.update' : 'setting.create',
    resourceId: key,
    detail: valueChange(key, before, value),
  })

export const listGlobalSettings = (ctx: Ctx): Promise<Setting[]> => store.selectGlobalSettings(ctx.db)

export const getGlobalSetting = async (ctx: Ctx, key: string): Promise<Setting> =>
  found(await store.selectGlobalSetting(ctx.db, key))

/** Creates or replaces a global setting, recorded in the built-in tenant. */
export const putGlobalSetting = (ctx: Ctx, key: string, input: UpdateSetting): Promise<null> =>
  put(inTenant(ctx, builtInTenant.id), { tenantId: undefined, key }, input)

export const listTenantSettings = (ctx: Ctx): Promise<Setting[]> =>
  store.selectTenantSettings(ctx.db, ctx.tenantId)

export const getTenantSetting = async (ctx: Ctx, key: string): Promise<Setting> =>
  found(await store.selectTenantSetting(ctx.db, ctx.tenantId, key))

/** Creates or replaces a setting of the tenant in scope. */
export const putTenantSetting = async (ctx: Ctx, key: string, input: UpdateSetting): Promise<null> => {
  requireRetention(key, input.value)
  requireFactorValue(key, input.value)
  return put(ctx, { tenantId: ctx.tenantId, key }, input)
}

const remove = (ctx: Ctx, place: store.SettingPlace): Promise<null> =>
  inTransactionAfter(
    ctx,
    ({ db }) => {
      store.lockSetting(db, place, false)
      return store.deleteSettingRow(db, place)
    },
    async (ctx, removed) => {
      if (!removed) throw settingUnknown()
      guardFactorSetting(ctx, place)
      record(ctx, {
        action: 'setting.delete',
        resourceId: place.key,
        detail: valueChange(place.key, removed.value, null),
      })
      return null
    },
  )

/** Deletes a global setting, recorded in the built-in tenant. */
export const deleteGlobalSetting = (ctx: Ctx, key: string): Promise<null> =>
  remove(inTenant(ctx, builtInTenant.id), { tenantId: undefined, key })

export const deleteTenantSetting = (ctx: Ctx, key: string): Promise<null> =>
  remove(ctx, { tenantId: ctx.tenantId, key })
