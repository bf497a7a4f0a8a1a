/** Shared parts of statements about permissions and role templates. A template is a role of every tenant. */
import sql, { type Sql } from 'sql-template-tag'
import { adminTemplate } from './built-in-templates.ts'
import { builtInIdMax, builtInTenant, platformAdminId, startingRole } from './permissions.ts'
import { isoTime } from '../db/columns.ts'
import { rolesOf } from './held-roles.sql.ts'

/** The templates `m` that are roles of a tenant. Only the built-in tenant has platform-admin. */
export const templatesOf = (tenantId: string): Sql => sql`
  role_templates m where (m.id <> ${platformAdminId} or ${tenantId}::uuid = ${builtInTenant.id}::uuid)`

/** The id of the role that administers a tenant. */
export const administratorRole = (tenantId: Sql): Sql => sql`
  case when ${tenantId} = ${builtInTenant.id}::uuid then ${platformAdminId}::bigint else ${adminTemplate.id} end`

/**
 * Selects the codes that roles give: the tenant's own roles, and templates. `roles` is a table of `role_id` and
 * `expires_at` (held-roles.sql.ts). Removed permissions and templates do not count, although users and roles can still
 * refer to them.
 */
export const codesOfRoles = (tenantId: Sql, roles: Sql): Sql => sql`
  select p.code
  from permissions p
  where p.removed_at is null and p.id in (select held.permission_id ${permissionsOf(tenantId, roles)})`

const permissionsOf = (tenantId: Sql, roles: Sql): Sql => sql`
  from ${roles} ur, lateral (
    select permission_id from role_permissions where tenant_id = ${tenantId} and role_id = ur.role_id
    union all
    select permission_id from template_permissions where template_id = ur.role_id
  ) held`

/** Selects the ids of the roles and templates that give a permission. */
export const rolesGiving = (tenantId: string, code: string): Sql => sql`
  select rp.role_id
  from permissions p
  join role_permissions rp on rp.tenant_id = ${tenantId} and rp.permission_id = p.id
  where p.code = ${code} and p.removed_at is null
  union all
  select tp.template_id
  from permissions p
  join template_permissions tp on tp.permission_id = p.id
  where p.code = ${code} and p.removed_at is null`

/** Selects the codes that a user has. */
export const codesHeld = (tenantId: Sql, userId: Sql): Sql =>
  codesOfRoles(tenantId, rolesOf(tenantId, userId))

/**
 * The ends of the codes that `roles` give only for a time, as JSON; null if there are none. PostgreSQL computes them only
 * if a role has an end.
 */
export const endsOfCodes = (tenantId: Sql, roles: Sql): Sql => sql`(
  case when exists (select from ${roles} ur where ur.expires_at is not null) then (
    select json_object_agg(code, ends_at) from (
      select p.code, ${isoTime('max(given.expires_at)')} as ends_at
      from (select held.permission_id, ur.expires_at ${permissionsOf(tenantId, roles)}) as given
      join permissions p on p.id = given.permission_id and p.removed_at is null
      group by p.code having bool_and(given.expires_at is not null)
    ) as ending
  ) end)`

/** The permissions of a template `m` as JSON, in the order of the catalogue. */
export const permissionsOfTemplate = sql`
  coalesce((
    select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'module', p.module,
      'description', p.description) order by p.id)
    from template_permissions tp
    join permissions p on p.id = tp.permission_id
    where tp.template_id = m.id
  ), '[]')`

/** True for a permission that the product defined. */
export const isOfProduct = sql`id > ${builtInIdMax}`

/** True for a template `m` that every tenant has, not only the built-in tenant. */
export const isOfTenants = sql`m.id <> ${platformAdminId}`

/** True for the template `m` that every new user gets. Everybody may assign it. */
export const isStarting = sql`m.name = ${startingRole}`

/** Selects the codes that a creator of users needs: those of the templates for new users. Omits the starting role. */
export const codesGiven = sql`
  select distinct p.code
  from role_templates m
  join template_permissions tp on tp.template_id = m.id
  join permissions p on p.id = tp.permission_id
  where m.given_to_new_users and m.name <> ${startingRole}`

/** The users and service accounts of a tenant. Both have roles, and one counter generates their ids. */
export const principalsOf = (tenantId: string): Sql => sql`
  (select tenant_id, id, username, status, account_id from users where tenant_id = ${tenantId}
    union all
    select tenant_id, id, name, status, null from service_accounts where tenant_id = ${tenantId})`
