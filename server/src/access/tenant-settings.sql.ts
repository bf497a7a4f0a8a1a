import sql, { type Sql } from 'sql-template-tag'

/** Requires a second factor from all people in the tenant's scope. True or false. */
export const factorSetting = 'auth.require_second_factor'

/**
 * Lets people authorize clients that registered themselves. The tenant's value overrides the installation's; the
 * default is false.
 */
export const unregisteredSetting = 'auth.unregistered_applications'

/** `optional`, or `required`: people reach the tenant only by a connection. */
export const ssoSetting = 'auth.sso'

/** The ways to prove an account that are open. A tenant can only close ways of the installation. */
export const waysSetting = 'auth.ways'

/** The most that a tenant may have of a kind. */
export const limitsSetting = 'tenantry.limits'

/** True if the tenant requires a second factor. Runs in the tenant's scope. */
export const factorRequired = (tenantId: Sql): Sql => sql`
  exists (select from tenant_settings where tenant_id = ${tenantId} and key = ${factorSetting} and value = 'true')`

/** True if people reach the tenant only by a connection. Runs in a scope that sees the tenant's settings. */
export const ssoRequired = (tenantId: Sql): Sql => sql`
  exists (select from tenant_settings where tenant_id = ${tenantId} and key = ${ssoSetting} and value = '"required"')`
