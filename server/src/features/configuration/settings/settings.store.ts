import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import { definitionColumns, type StoredDefinition } from './definitions.sql.ts'
import { addingVersion, latestVersion, type NewVersion, type SettingPlace } from './setting-places.sql.ts'
import type { Setting } from './settings.schemas.ts'

/** A setting, and the version of its value. */
export interface VersionedSetting extends Setting {
  version: number
}

const globalColumns = sql`'global' as scope, '' as tenant_id, version, ${isoTime('updated_at')} as updated_at`
const tenantColumns = sql`'tenant' as scope, tenant_id, version, ${isoTime('updated_at')} as updated_at`

/** A secret's row has no value. PostgreSQL shows global secrets only in the scope of the built-in tenant. */
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
 * Locks a key and its declaration until the transaction ends. Writers share the lock of the scope; a writer with
 * `isExclusive` excludes all others of the scope. The scope is locked before the key, so that a holder of a key never
 * waits for a scope.
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

/** The number of entries, and the total length of their values as JSON. */
export interface SettingsSize {
  entries: number
  length: number
}

/** A setting before and after a write, and the size of its scope afterwards. */
export interface WrittenSetting extends SettingsSize {
  /** The declaration; null if the product has not declared the key. */
  declaration: StoredDefinition | null
  existed: boolean
  before: unknown
  /** The new version. Null if nothing was written: the value is unchanged, or the key is declared secret. */
  version: number | null
  /**
   * The value's length if the write adds to the scope. Otherwise 0: the scope is not fuller, so the statement does not
   * measure it.
   */
  grown: number
}

export interface NewValue extends Omit<NewVersion, 'isDeleted'> {
  valueJson: string
}

/**
 * Creates or replaces a setting whose key is locked, and adds its version. A value of a declared secret reaches no
 * table, not even in a transaction that rolls back. The lock rules out conflicts, so an update runs first: it writes
 * less than an insert on conflict.
 */
export const upsertSetting = (db: Db, place: SettingPlace, { valueJson, ...change }: NewValue) => {
  const { now } = change
  const { table, is, columns, values } = sqlOf(place)
  const isPlain = sql`not exists (select from declared where is_secret)`
  return db.only<WrittenSetting>(sql`
    with declared as (
      select ${definitionColumns} from setting_definitions where key = ${place.key}
    ), present as (
      select value, length(value::text) as length from ${table} where ${is}
    ), replaced as (
      update ${table} set value = ${valueJson}::jsonb, updated_at = ${now}, version = version + 1, is_invalid = false
      where ${is} and value <> ${valueJson}::jsonb and ${isPlain}
      returning value, version
    ), added as (
      insert into ${table} (${columns}, value, version, updated_at)
      select ${values}, ${valueJson}::jsonb, ${latestVersion(place)} + 1, ${now}::timestamptz
      where not exists (select from present) and ${isPlain}
      returning value, version
    ), written as (
      select value, version, length(value::text) as length
      from (select * from replaced union all select * from added) rows
    ), growing as (
      select written.length from written left join present on true where written.length > coalesce(present.length, 0)
    ), ${addingVersion(place, { ...change, isDeleted: false })}
    select (select to_json(declared) from declared) as declaration, present.value is not null as existed,
      present.value as before, written.version, coalesce((select length from growing), 0) as grown,
      entries + (present.value is null)::integer as entries,
      size.length - coalesce(present.length, 0) + coalesce(written.length, 0) as length
    from (${sizeOf(place.tenantId, sql`exists (select from growing)`)}) size
    left join present on true
    left join written on true`)
}

export const deleteSettingRow = (db: Db, place: SettingPlace) => {
  const { table, is } = sqlOf(place)
  return db.one<{ value: unknown; version: number }>(
    sql`delete from ${table} where ${is} returning value, version`,
  )
}

/** Reads no row unless the condition is true. */
const sizeOf = (tenantId: string | undefined, condition: Sql): Sql => {
  const [plain, secret] =
    tenantId === undefined
      ? [sql`global_settings where true`, sql`global_setting_secrets where true`]
      : [
          sql`tenant_settings where tenant_id = ${tenantId}`,
          sql`tenant_setting_secrets where tenant_id = ${tenantId}`,
        ]
  return sql`
    select count(*) as entries, coalesce(sum(length), 0)::bigint as length from (
      select length(value::text) from ${plain} and ${condition}
      union all select length(sealed) from ${secret} and ${condition}
    ) as sizes (length)`
}

/** The size of a tenant's settings or of the global settings. Secrets count too. */
export const measureSettings = (db: Db, tenantId: string | undefined) =>
  db.only<SettingsSize>(sizeOf(tenantId, sql`true`))
