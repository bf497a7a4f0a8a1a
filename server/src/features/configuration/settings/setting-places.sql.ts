/** Places of settings in statements. */
import sql from 'sql-template-tag'

/** The place of a setting: a key in a tenant, or in the global scope. */
export interface SettingPlace {
  tenantId: string | undefined
  key: string
}

/** The table of the versions of a place, and what names their rows. */
export const versionsOf = ({ tenantId, key }: SettingPlace) =>
  tenantId === undefined
    ? { table: sql`global_setting_versions`, is: sql`key = ${key}`, names: sql`key`, values: sql`${key}` }
    : {
        table: sql`tenant_setting_versions`,
        is: sql`tenant_id = ${tenantId} and key = ${key}`,
        names: sql`tenant_id, key`,
        values: sql`${tenantId}::uuid, ${key}`,
      }

/** The newest version of a key, also of a deleted one: an expression of SQL. 0 before the first one. */
export const latestVersion = (place: SettingPlace) => {
  const { table, is } = versionsOf(place)
  return sql`coalesce((select max(version) from ${table} where ${is}), 0)`
}
