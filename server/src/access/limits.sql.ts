import sql, { type Sql } from 'sql-template-tag'
import { heldRoles } from './held-roles.sql.ts'
import { limitsSetting } from './tenant-settings.sql.ts'
import type { LimitName } from '../values/limit-names.ts'

/**
 * The tenant's own limit, else the installation's; null for none. A value that an imported tenant brought may be
 * anything.
 */
export const limitOf = (tenantId: string | Sql, name: LimitName): Sql => sql`
  (select case when jsonb_typeof(value) = 'number'
      then least(greatest(trunc((value #>> '{}')::numeric), 0), 1000000000)::bigint end
    from (select coalesce(
      (select value -> ${name}::text from tenant_settings where tenant_id = ${tenantId} and key = ${limitsSetting}),
      (select value -> ${name}::text from global_settings where key = ${limitsSetting})) as value) as stored)`

export const rowsOf = (table: Sql, tenantId: string | Sql): Sql =>
  sql`select count(*) from ${table} where tenant_id = ${tenantId}`

/**
 * Indexes count all users and the disabled ones: reading each user would take twice as long. Role 1 is that of platform
 * administrators.
 */
export const countedUsers = (tenantId: string | Sql): Sql => sql`
  select (${rowsOf(sql`users`, tenantId)}) - (${rowsOf(sql`users`, tenantId)} and status = 0) - (
    select count(*) from users
    where tenant_id = ${tenantId} and status = 1 and id in (
      select user_id from sso_exemptions where tenant_id = ${tenantId}
      union select user_id from ${heldRoles} r where tenant_id = ${tenantId} and role_id = 1))`
