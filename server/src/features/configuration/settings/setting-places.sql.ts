/** Parts of statements that name a setting's key and scope. */
import sql from 'sql-template-tag'

/** A setting's key, with its tenant. Without a tenant it is global. */
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

/** SQL of the latest version of a setting, even of a deleted one. 0 before the first. */
export const latestVersion = (place: SettingPlace) => {
  const { table, is } = versionsOf(place)
  return sql`coalesce((select max(version) from ${table} where ${is}), 0)`
}
