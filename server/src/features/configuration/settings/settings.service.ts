/** Reads stored values; `writes.service.ts` writes them. */
import { inTenant, type Ctx } from '../../../context.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import * as store from './settings.store.ts'
import { settingUnknown } from './writes.service.ts'

const found = <T>(setting: T | undefined): T => {
  if (!setting) throw settingUnknown()
  return setting
}

export const listGlobalSettings = (ctx: Ctx): Promise<store.VersionedSetting[]> =>
  store.selectGlobalSettings(inTenant(ctx, builtInTenant.id).db)

export const getGlobalSetting = async (ctx: Ctx, key: string): Promise<store.VersionedSetting> =>
  found(await store.selectGlobalSetting(inTenant(ctx, builtInTenant.id).db, key))

export const listTenantSettings = (ctx: Ctx): Promise<store.VersionedSetting[]> =>
  store.selectTenantSettings(ctx.db, ctx.tenantId)

export const getTenantSetting = async (ctx: Ctx, key: string): Promise<store.VersionedSetting> =>
  found(await store.selectTenantSetting(ctx.db, ctx.tenantId, key))
