import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import { latestVersion, type SettingPlace } from './setting-places.sql.ts'
import type { Setting } from './settings.schemas.ts'

/** A setting, and the version of its value. */
export interface VersionedSetting extends Setting {
  version: number
}

const globalColumns = sql`'global' as scope, '' as tenant_id, version, ${isoTime('updated_at')} as updated_at`
const tenantColumns = sql`'tenant' as scope, tenant_id, version, ${isoTime('updated_at')} as updated_at`

/** A secret comes without its value. PostgreSQL shows global secrets only in the scope of the built-in tenant. */
export const selectGlobalSettings = (db: Db) =>
  db.many<VersionedSetting>(sql`
    select key, value, ${globalColumns} from global_settings
    union all select key, null, ${globalColumns} from global_setting_secrets order by key`)

export const selectGlobalSetting = (db: Db, key: string) =>
  db.one<VersionedSetting>(sql`
    select key, value, ${globalColumns} from global_settings where key = ${key}
    union all select key, null, ${globalColumns} from global_setting_secrets where key = ${key}`)

export const selectTenantSettings = (db: Db, tenantId: string) =>
  db.many<VersionedSetting>(sql`
    select key, value, ${tenantColumns} from tenant_settings where tenant_id = ${tenantId}
    union all select key, null, ${tenantColumns} from tenant_setting_secrets where tenant_id = ${tenantId} order by key`)

export const selectTenantSetting = (db: Db, tenantId: string, key: string) =>
  db.one<VersionedSetting>(sql`
    select key, value, ${tenantColumns} from tenant_settings where tenant_id = ${tenantId} and key = ${key}
    union all
    select key, null, ${tenantColumns} from tenant_setting_secrets where tenant_id = ${tenantId} and key = ${key}`)

/** SQL parts for the table and the row of a setting. */
const sqlOf = ({ tenantId, key }: SettingPlace) =>
  tenantId === undefined
    ? {
        table: sql`global_settings`,
        is: sql`key = ${key}`,
        columns: sql`key`,
        values: sql`${key}`,
      }
    : {
        table: sql`tenant_settings`,
        is: sql`tenant_id = ${tenantId} and key = ${key}`,
        columns: sql`tenant_id, key`,
        values: sql`${tenantId}::uuid, ${key}`,
      }

/**
 * Locks a key and its declaration until the transaction ends. Writers share the scope's lock; with `isExclusive` a writer
 * excludes all others of the scope. It locks the scope before the key, so that a holder of a key never waits for a
 * scope.
 */
export const lockSetting = (
  db: TransactionDb,
  { tenantId = 'global', key }: SettingPlace,
  isExclusive: boolean,
): void =>
  db.send(sql`
    select ${isExclusive ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`}
      (hashtext('tenantry settings'), hashtext(${tenantId})),
      pg_advisory_xact_lock(hashtext('tenantry setting'), hashtext(${`${tenantId} ${key}`})),
      pg_advisory_xact_lock_shared(hashtext('tenantry declaration'), hashtext(${key}))`)

/** The version of the present value or secret. Undefined if the key is not set. */
export const selectPresentVersion = (db: Db, place: SettingPlace) =>
  place.tenantId === undefined
    ? selectGlobalSetting(db, place.key)
    : selectTenantSetting(db, place.tenantId, place.key)

export interface WrittenSetting {
  version: number
  existed: boolean
  before: unknown
  /** The length of the value as JSON. */
  length: number
}

/**
 * True for a key that is not declared secret. A secret's value must never reach this table, not even in a transaction
 * that rolls back.
 */
const isPlain = (key: string): Sql =>
  sql`not exists (select from setting_definitions d where d.key = ${key} and d.is_secret)`

/**
 * Creates or replaces a setting; lock its key first. Undefined if the value is unchanged, or the key is declared
 * secret. The lock excludes conflicts, so it tries an update first, which writes less than a conflicting insert.
 */
export const upsertSetting = (db: Db, place: SettingPlace, valueJson: string, now: Date) => {
  const { table, is, columns, values } = sqlOf(place)
  return db.one<WrittenSetting>(sql`
    with present as (
      select value from ${table} where ${is}
    ), replaced as (
      update ${table} set value = ${valueJson}::jsonb, updated_at = ${now}, version = version + 1, is_invalid = false
      where ${is} and value <> ${valueJson}::jsonb and ${isPlain(place.key)}
      returning value, version
    ), added as (
      insert into ${table} (${columns}, value, version, updated_at)
      select ${values}, ${valueJson}::jsonb, ${latestVersion(place)} + 1, ${now}::timestamptz
      where not exists (select from present) and ${isPlain(place.key)}
      returning value, version
    )
    select exists (select from present) as existed, (select value from present) as before,
      length(value::text) as length, version
    from (select value, version from replaced union all select value, version from added) written`)
}

export const deleteSettingRow = (db: Db, place: SettingPlace) => {
  const { table, is } = sqlOf(place)
  return db.one<{ value: unknown; version: number }>(
    sql`delete from ${table} where ${is} returning value, version`,
  )
}

/** The number of entries, and the total length of their values as JSON. */
export interface SettingsSize {
  entries: number
  length: number
}

/** Measures a tenant's settings, or the global ones, including secrets. */
export const measureSettings = (db: Db, tenantId: string | undefined) => {
  const [plain, secret] =
    tenantId === undefined
      ? [sql`global_settings`, sql`global_setting_secrets`]
      : [
          sql`tenant_settings where tenant_id = ${tenantId}`,
          sql`tenant_setting_secrets where tenant_id = ${tenantId}`,
        ]
  return db.only<SettingsSize>(sql`
    select count(*) as entries, coalesce(sum(length), 0)::bigint as length from (
      select length(value::text) from ${plain} union all select length(sealed) from ${secret}
    ) as sizes (length)`)
}
