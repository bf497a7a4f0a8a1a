import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../db/client.ts'
import { isoTime } from '../../db/columns.ts'
import { orOnCitus } from '../../db/scope.ts'
import type { Setting } from './settings.schemas.ts'

const globalColumns = sql`key, value, 'global' as scope, '' as tenant_id, ${isoTime('updated_at')} as updated_at`
const tenantColumns = sql`key, value, 'tenant' as scope, tenant_id, ${isoTime('updated_at')} as updated_at`

export const selectGlobalSettings = (db: Db) =>
  db.many<Setting>(sql`select ${globalColumns} from global_settings order by key`)

export const selectGlobalSetting = (db: Db, key: string) =>
  db.one<Setting>(sql`select ${globalColumns} from global_settings where key = ${key}`)

export const selectTenantSettings = (db: Db, tenantId: string) =>
  db.many<Setting>(
    sql`select ${tenantColumns} from tenant_settings where tenant_id = ${tenantId} order by key`,
  )

export const selectTenantSetting = (db: Db, tenantId: string, key: string) =>
  db.one<Setting>(sql`
    select ${tenantColumns} from tenant_settings where tenant_id = ${tenantId} and key = ${key}`)

/** The place of a setting: a key in a tenant, or in the global scope. */
export interface SettingPlace {
  tenantId: string | undefined
  key: string
}

/** The SQL of a place. */
const sqlOf = ({ tenantId, key }: SettingPlace) =>
  tenantId === undefined
    ? {
        table: sql`global_settings`,
        is: sql`key = ${key}`,
        written: sql`written.key = ${key}`,
        columns: sql`key`,
        values: sql`${key}`,
      }
    : {
        table: sql`tenant_settings`,
        is: sql`tenant_id = ${tenantId} and key = ${key}`,
        written: sql`written.tenant_id = ${tenantId} and written.key = ${key}`,
        columns: sql`tenant_id, key`,
        values: sql`${tenantId}::uuid, ${key}`,
      }

/**
 * Locks a key until the transaction ends. Writers share the scope's lock, unless one has to be `alone`. The scope
 * comes before the key, so a transaction that holds a key never waits for a scope.
 */
export const lockSetting = (
  db: TransactionDb,
  { tenantId = 'global', key }: SettingPlace,
  alone: boolean,
): void =>
  db.send(sql`
    select ${alone ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`}
      (hashtext('tenantry settings'), hashtext(${tenantId})),
      pg_advisory_xact_lock(hashtext('tenantry setting'), hashtext(${`${tenantId} ${key}`}))`)

export interface WrittenSetting {
  existed: boolean
  before: unknown
  /** The length of the value as JSON. */
  length: number
}

/**
 * Creates or replaces a setting whose key is locked; undefined when the value is unchanged. The lock rules out
 * conflicts, so an update is tried first: it writes less than an insert that meets the row.
 */
export const writeSetting = (db: Db, place: SettingPlace, valueJson: string, now: Date) => {
  const { table, is, written, columns, values } = sqlOf(place)
  const atOnce = sql`
    with present as (
      select value from ${table} where ${is}
    ), replaced as (
      update ${table} set value = ${valueJson}::jsonb, updated_at = ${now}
      where ${is} and value <> ${valueJson}::jsonb
      returning value
    ), added as (
      insert into ${table} (${columns}, value, updated_at)
      select ${values}, ${valueJson}::jsonb, ${now}::timestamptz where not exists (select from present)
      returning value
    )
    select exists (select from present) as existed, (select value from present) as before,
      length(value::text) as length
    from (select value from replaced union all select value from added) written`
  // Only for one node. The first statement adds a row of no time, which the second one finishes.
  const added = sql`
    insert into ${table} (${columns}, value, updated_at) values (${values}, 'null', '-infinity') on conflict do nothing`
  const replaced = sql`
    update ${table} as written set value = ${valueJson}::jsonb, updated_at = ${now}
    from (select value, updated_at > '-infinity' as existed from ${table} where ${is}) as present
    where ${written} and (not existed or written.value <> ${valueJson}::jsonb)
    returning existed, case when existed then present.value end as before, length(written.value::text) as length`
  return db.one<WrittenSetting>(orOnCitus(atOnce, added, replaced))
}

export const deleteSettingRow = (db: Db, place: SettingPlace) => {
  const { table, is } = sqlOf(place)
  return db.one<{ value: unknown }>(sql`delete from ${table} where ${is} returning value`)
}

/** The number of entries, and the total length of their values as JSON. */
export interface SettingsSize {
  entries: number
  length: number
}

/** The size of a tenant's settings, or of the global ones. */
export const measureSettings = (db: Db, tenantId: string | undefined) =>
  db.one<SettingsSize>(sql`
    select count(*) as entries, coalesce(sum(length(value::text)), 0)::bigint as length
    from ${tenantId === undefined ? sql`global_settings` : sql`tenant_settings where tenant_id = ${tenantId}`}`)
