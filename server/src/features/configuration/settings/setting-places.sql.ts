/** Parts of statements that name a setting's key and scope. */
import sql, { type Sql } from 'sql-template-tag'

/** A setting's key and its tenant. A setting without a tenant is global. */
export interface SettingPlace {
  tenantId: string | undefined
  key: string
}

/** The table of a setting's versions, and the condition that selects its rows. */
export const versionsOf = ({ tenantId, key }: SettingPlace) =>
  tenantId === undefined
    ? { table: sql`global_setting_versions`, is: sql`key = ${key}`, names: sql`key`, values: sql`${key}` }
    : {
        table: sql`tenant_setting_versions`,
        is: sql`tenant_id = ${tenantId} and key = ${key}`,
        names: sql`tenant_id, key`,
        values: sql`${tenantId}::uuid, ${key}`,
      }

/** SQL of the latest version of a setting, also of a deleted one. It is 0 before the first version. */
export const latestVersion = (place: SettingPlace) => {
  const { table, is } = versionsOf(place)
  return sql`coalesce((select max(version) from ${table} where ${is}), 0)`
}

const versionsMax = 20

export interface NewVersion {
  isDeleted: boolean
  changedBy: number
  now: Date
  revertedFrom: number | undefined
}

/**
 * Parts of a statement that insert the version and the value of the row `written`, if that row exists. They keep only
 * the last 20 versions.
 */
export const addingVersion = (place: SettingPlace, row: NewVersion): Sql => {
  const { table, is, names, values } = versionsOf(place)
  return sql`
    forgotten as (
      delete from ${table} where ${is} and version <= (select version from written) - ${versionsMax}::integer
    ), versioned as (
      insert into ${table} (${names}, version, value, is_deleted, changed_by, changed_at, reverted_from)
      select ${values}, version, value, ${row.isDeleted}::boolean, ${row.changedBy}::bigint, ${row.now}::timestamptz,
        ${row.revertedFrom ?? null}::integer
      from written
    )`
}
