import { inTenant, type Ctx } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { factorSetting, ssoSetting } from '../../../access/tenant-settings.sql.ts'
import {
  requireGlobalSignInSetting,
  requireSignInSetting,
} from '../../federation/applications/branding.service.ts'
import { requireBrand } from '../../../mail/brand.ts'
import { refuseBrandOfTenant } from '../../accounts/mail/brand.service.ts'
import { requireRetention } from '../../audit/audit/retention.service.ts'
import type { SettingsMemory } from './settings-memory.service.ts'
import type { SettingPlace } from './setting-places.sql.ts'
import * as store from './settings.store.ts'
import { removeValue, settingUnknown, writeValue, type Write } from './writes.service.ts'

/** A value has up to 64 KiB (docs/contract.md, "Settings"). */
const valueBytesMax = 65_536

const found = <T>(setting: T | undefined): T => {
  if (!setting) throw settingUnknown()
  return setting
}

/** The value of a field as JSON text, or 400 when it is too large. */
export const toJson = (value: unknown, field = 'value'): string => {
  const json = JSON.stringify(value)
  if (Buffer.byteLength(json) > valueBytesMax) throw invalid(field, 'must have at most 64 KiB as JSON')
  return json
}

/** Throws 400 when the setting is one about sessions of the tenant, and the value is not its own. */
const requireSessionValue = (key: string, value: unknown): void => {
  if (key === factorSetting && typeof value !== 'boolean') throw invalid('value', 'must be true or false')
  if (key === ssoSetting && value !== 'optional' && value !== 'required') {
    throw invalid('value', 'must be optional or required')
  }
}

/** A value to write, beside its key and its scope. */
export interface Input {
  value: unknown
  ifMatch: string | undefined
  revertedFrom?: number | undefined
}

const ofInstallation = (ctx: Ctx): Ctx => inTenant(ctx, builtInTenant.id)

export const listGlobalSettings = (ctx: Ctx): Promise<store.VersionedSetting[]> =>
  store.selectGlobalSettings(ofInstallation(ctx).db)

export const getGlobalSetting = async (ctx: Ctx, key: string): Promise<store.VersionedSetting> =>
  found(await store.selectGlobalSetting(ofInstallation(ctx).db, key))

export const listTenantSettings = (ctx: Ctx): Promise<store.VersionedSetting[]> =>
  store.selectTenantSettings(ctx.db, ctx.tenantId)

export const getTenantSetting = async (ctx: Ctx, key: string): Promise<store.VersionedSetting> =>
  found(await store.selectTenantSetting(ctx.db, ctx.tenantId, key))

const put = async (
  ctx: Ctx,
  memory: SettingsMemory,
  place: SettingPlace,
  { value, ifMatch, revertedFrom }: Input,
): Promise<null> => {
  const write: Write = { place, value, json: toJson(value), ifMatch, revertedFrom }
  const known = (await memory.definitions(ctx.db)).get(place.key)
  return writeValue(ctx, write, known?.is_secret ?? false)
}

/** Creates or replaces a global setting, recorded in the built-in tenant. */
export const putGlobalSetting = async (
  ctx: Ctx,
  memory: SettingsMemory,
  key: string,
  input: Input,
): Promise<null> => {
  requireGlobalSignInSetting(key, input.value)
  requireBrand(key, input.value)
  return put(ofInstallation(ctx), memory, { tenantId: undefined, key }, input)
}

/** Creates or replaces a setting of the tenant in scope. */
export const putTenantSetting = async (
  ctx: Ctx,
  memory: SettingsMemory,
  key: string,
  input: Input,
): Promise<null> => {
  refuseBrandOfTenant(key)
  requireRetention(key, input.value)
  requireSessionValue(key, input.value)
  requireSignInSetting(key, input.value)
  return put(ctx, memory, { tenantId: ctx.tenantId, key }, input)
}

/** Deletes a global setting, recorded in the built-in tenant. */
export const deleteGlobalSetting = (ctx: Ctx, key: string, ifMatch: string | undefined): Promise<null> =>
  removeValue(ofInstallation(ctx), { place: { tenantId: undefined, key }, ifMatch })

export const deleteTenantSetting = (ctx: Ctx, key: string, ifMatch: string | undefined): Promise<null> =>
  removeValue(ctx, { place: { tenantId: ctx.tenantId, key }, ifMatch })
