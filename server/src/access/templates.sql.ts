/** Shared parts of statements about permissions and role templates. A template is a role of every tenant. */
import sql, { type Sql } from 'sql-template-tag'
import { builtInIdMax, builtInTenant, platformAdminId, startingRole } from './permissions.ts'

/** The templates `m` that are roles of a tenant. Only the built-in tenant has platform-admin. */
export const templatesOf = (tenantId: string): Sql => sql`
  role_templates m where (m.id <> ${platformAdminId} or ${tenantId}::uuid = ${builtInTenant.id}::uuid)`

/**
 * Selects the codes that a user has from the tenant's own roles and from templates. Removed permissions and templates
 * do not count, although users and roles can still refer to them.
 */
export const codesHeld = (tenantId: Sql, userId: Sql): Sql => sql`
  select p.code
  from permissions p
  where p.removed_at is null and p.id in (
    select held.permission_id
    from user_roles ur, lateral (
      select permission_id from role_permissions where tenant_id = ${tenantId} and role_id = ur.role_id
      union all
      select permission_id from template_permissions where template_id = ur.role_id
    ) held
    where ur.tenant_id = ${tenantId} and ur.user_id = ${userId})`

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
  (select tenant_id, id, username, status from users where tenant_id = ${tenantId}
    union all
    select tenant_id, id, name, status from service_accounts where tenant_id = ${tenantId})`
