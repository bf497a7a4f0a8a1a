/** Lists the versions of a setting, and reverts to one. */
import { inTenant, type Ctx } from '../../../context.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { pageOf, type CountedPage } from '../../../http/schemas.ts'
import type { SecretKeys } from './declared.service.ts'
import type { HistoryQuery, SettingVersion } from './history.schemas.ts'
import * as store from './history.store.ts'
import type { SettingPlace } from './setting-places.sql.ts'
import { putGlobalSetting, putTenantSetting } from './writes.service.ts'

const listVersions = async (
  { db }: Ctx,
  place: SettingPlace,
  { before_version: before, page_size: limit }: HistoryQuery,
): Promise<CountedPage<SettingVersion>> => {
  const [items, { count }] = await Promise.all([
    store.selectVersions(db, place, { before, limit }),
    store.countVersions(db, place),
  ])
  return pageOf(items, count, 1, false)
}

/** The versions of a global setting, newest first. */
export const listGlobalVersions = (ctx: Ctx, key: string, query: HistoryQuery) =>
  listVersions(inTenant(ctx, builtInTenant.id), { tenantId: undefined, key }, query)

/** The versions of a setting of the tenant in scope, newest first. */
export const listTenantVersions = (ctx: Ctx, key: string, query: HistoryQuery) =>
  listVersions(ctx, { tenantId: ctx.tenantId, key }, query)

/** The version whose value is written again. */
export interface Reversion {
  version: number
  ifMatch: string | undefined
}

/** The value of a version. Throws 404 for an unknown version, and 400 for a deletion. */
const valueOf = async ({ db }: Ctx, place: SettingPlace, version: number): Promise<unknown> => {
  const row = await store.selectVersion(db, place, version)
  if (!row) throw new AppError('settingVersionUnknown', 'The setting has no such version')
  if (row.is_deleted) throw invalid('version', 'is a deletion, which has no value')
  return row.value
}

/** Writes the value of a version again. The rules of a write apply. */
export const revertGlobalSetting = async (
  ctx: Ctx,
  secretKeys: SecretKeys,
  key: string,
  { version, ifMatch }: Reversion,
): Promise<null> => {
  const value = await valueOf(inTenant(ctx, builtInTenant.id), { tenantId: undefined, key }, version)
  return putGlobalSetting(ctx, secretKeys, key, { value, ifMatch, revertedFrom: version })
}

/** Like `revertGlobalSetting`, for a setting of the tenant in scope. */
export const revertTenantSetting = async (
  ctx: Ctx,
  secretKeys: SecretKeys,
  key: string,
  { version, ifMatch }: Reversion,
): Promise<null> => {
  const value = await valueOf(ctx, { tenantId: ctx.tenantId, key }, version)
  return putTenantSetting(ctx, secretKeys, key, { value, ifMatch, revertedFrom: version })
}
