import sql from 'sql-template-tag'
import type { Db } from '../../db/client.ts'
import { isoTime } from '../../db/columns.ts'
import type { Setting } from './settings.schemas.ts'

const globalColumns = sql`key, value, 'global' as scope, '' as tenant_id, ${isoTime('updated_at')} as updated_at`
const tenantColumns = sql`key, value, 'tenant' as scope, tenant_id, ${isoTime('updated_at')} as updated_at`

export const selectGlobalSettings = (db: Db) =>
  db.many<Setting>(sql`select ${globalColumns} from global_settings order by key`)

export const selectGlobalSetting = (db: Db, key: string) =>
  db.one<Setting>(sql`select ${globalColumns} from global_settings where key = ${key}`)

/** Creates or replaces; undefined when the value is the same already. */
export const upsertGlobalSetting = (db: Db, key: string, valueJson: string, now: Date) =>
  db.one<{ key: string }>(sql`
    insert into global_settings as s (key, value, updated_at)
    values (${key}, ${valueJson}::jsonb, ${now})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
    where s.value <> excluded.value
    returning key`)

export const selectTenantSettings = (db: Db, tenantId: string) =>
  db.many<Setting>(
    sql`select ${tenantColumns} from tenant_settings where tenant_id = ${tenantId} order by key`,
  )

export const selectTenantSetting = (db: Db, tenantId: string, key: string) =>
  db.one<Setting>(sql`
    select ${tenantColumns} from tenant_settings where tenant_id = ${tenantId} and key = ${key}`)

/** Creates or replaces; undefined when the value is the same already. */
export const upsertTenantSetting = (
  db: Db,
  { tenantId, key, valueJson, now }: { tenantId: string; key: string; valueJson: string; now: Date },
) =>
  db.one<{ key: string }>(sql`
    insert into tenant_settings as s (tenant_id, key, value, updated_at)
    values (${tenantId}, ${key}, ${valueJson}::jsonb, ${now})
    on conflict (tenant_id, key) do update set value = excluded.value, updated_at = excluded.updated_at
    where s.value <> excluded.value
    returning key`)

export const deleteTenantSettingRow = (db: Db, tenantId: string, key: string) =>
  db.one<{ value: unknown }>(sql`
    delete from tenant_settings where tenant_id = ${tenantId} and key = ${key} returning value`)

/** One writer of a scope ("global" or a tenant's id) at a time, until the transaction ends. */
export const lockSettings = (db: Db, scope: string) =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('tenantry settings'), hashtext(${scope}))`)

/** How many entries there are, and the length of their values as JSON together. */
export interface SettingsSize {
  entries: number
  length: number
}

export const measureGlobalSettings = (db: Db) =>
  db.one<SettingsSize>(sql`
    select count(*) as entries, coalesce(sum(length(value::text)), 0)::bigint as length from global_settings`)

export const measureTenantSettings = (db: Db, tenantId: string) =>
  db.one<SettingsSize>(sql`
    select count(*) as entries, coalesce(sum(length(value::text)), 0)::bigint as length
    from tenant_settings where tenant_id = ${tenantId}`)
