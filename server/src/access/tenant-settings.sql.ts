/** Settings of a tenant that statements of several stores read. */
import sql, { type Sql } from 'sql-template-tag'

/** The setting of a tenant that asks everybody in scope of it for a second factor: true or false. */
export const factorSetting = 'auth.require_second_factor'

/** Whether people may authorize clients that registered themselves: of the tenant, else of the installation, else false. */
export const unregisteredSetting = 'auth.unregistered_applications'

/** The ways into a tenant: `optional` or `required`, where nothing but a connection leads into it. */
export const ssoSetting = 'auth.sso'

/** Whether a tenant asks for a second factor. Runs in the scope of the tenant. */
export const factorRequired = (tenantId: Sql): Sql => sql`
  exists (select from tenant_settings where tenant_id = ${tenantId} and key = ${factorSetting} and value = 'true')`

/** Whether nothing but a connection leads into a tenant. Runs where its settings are seen. */
export const ssoRequired = (tenantId: Sql): Sql => sql`
  exists (select from tenant_settings where tenant_id = ${tenantId} and key = ${ssoSetting} and value = '"required"')`
