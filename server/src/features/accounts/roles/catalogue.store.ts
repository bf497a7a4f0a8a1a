/** The catalogue: permissions of the product, and the templates that are roles of every tenant. */
import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import { actAs } from '../../../db/scope.ts'
import { isOfProduct, permissionsOfTemplate, templatesOf } from '../../../access/templates.sql.ts'
import { fold } from '../../../values/text.ts'
import type { RoleTemplate } from './catalogue.schemas.ts'
import type { Permission } from './roles.schemas.ts'

const permissionColumns = sql`id, code, name, module, description`

export const selectPermission = (db: Db, id: number) =>
  db.one<Permission>(sql`
    select ${permissionColumns} from permissions where id = ${id}::bigint and removed_at is null`)

export const countPermissions = (db: Db) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from permissions where ${isOfProduct} and removed_at is null`)

/** Adds a permission, and gives it to built-in templates. Can violate `permissions_code_key`. */
export const insertPermission = (db: Db, permission: Omit<Permission, 'id'>, templateIds: number[]) =>
  db.only<Permission>(sql`
    with added as (
      insert into permissions (id, code, name, module, description, platform_only)
      values (nextval('product_permission_ids'), ${permission.code}, ${permission.name}, ${permission.module},
        ${permission.description}, false)
      returning *
    ), held as (
      insert into template_permissions (template_id, permission_id, platform_only)
      select template_id, id, false from added, unnest(${templateIds}::integer[]) as template_id
      returning template_id
    )
    select ${permissionColumns} from added`)

export const updatePermission = (db: Db, { id, name, description }: Permission) =>
  db.one<Permission>(sql`
    update permissions set name = ${name}, description = ${description}
    where id = ${id} and removed_at is null
    returning ${permissionColumns}`)

/** The permission has no effect after the commit; maintenance deletes its rows in the tenants. */
export const updatePermissionRemoved = (db: TransactionDb, id: number, now: Date): void => {
  db.send(sql`update permissions set removed_at = ${now} where id = ${id}`)
  db.send(sql`delete from template_permissions where permission_id = ${id}`)
  db.send(sql`insert into catalogue_removals (kind, id) values ('permission', ${id})`)
}

const templateColumns = sql`
  m.id, m.name, m.description, m.is_builtin, m.given_to_new_users, ${permissionsOfTemplate} as permissions`

export const selectTemplates = (db: Db, tenantId: string) =>
  db.many<RoleTemplate>(sql`select ${templateColumns} from ${templatesOf(tenantId)} order by m.id`)

export const selectTemplate = (db: Db, id: number) =>
  db.one<RoleTemplate & { created_at: string }>(sql`
    select ${templateColumns}, ${isoTime('m.created_at')} as created_at
    from role_templates m where m.id = ${id}::bigint`)

export const countTemplates = (db: Db) =>
  db.one<{ count: number }>(sql`select count(*) as count from role_templates where not is_builtin`)

/**
 * Undefined when a template has the name. Can violate `template_counter_last_id_check`: ids run from 100 to 999, and
 * are never used again.
 */
export const insertTemplate = (
  db: Db,
  { name, description, now }: { name: string; description: string; now: Date },
) =>
  db.one<{ id: number }>(sql`
    with counted as (
      update template_counter set last_id = last_id + 1
      where not exists (select from role_templates where name_folded = ${fold(name)})
      returning last_id
    )
    insert into role_templates (id, name, name_folded, description, created_at)
    select last_id, ${name}, ${fold(name)}, ${description}, ${now}::timestamptz from counted
    returning id`)

/** Can violate `role_templates_name_key`. */
export const updateTemplate = (db: Db, template: RoleTemplate) =>
  db.run(sql`
    update role_templates
    set name = ${template.name}, name_folded = ${fold(template.name)}, description = ${template.description},
      given_to_new_users = ${template.given_to_new_users}
    where id = ${template.id}`)

export const replaceTemplatePermissions = (db: TransactionDb, id: number, permissionIds: number[]): void => {
  db.send(sql`delete from template_permissions where template_id = ${id}`)
  db.send(sql`
    insert into template_permissions (template_id, permission_id, platform_only)
    select ${id}::integer, id, platform_only from permissions
    where id = any (${permissionIds}::bigint[]) and removed_at is null`)
}

/** The template has no effect after the commit; maintenance deletes its rows in the tenants. */
export const deleteTemplateRow = (db: TransactionDb, id: number): void => {
  db.send(sql`delete from role_templates where id = ${id}`)
  db.send(sql`insert into catalogue_removals (kind, id) values ('template', ${id})`)
}

/**
 * Up to `limit` tenants with a role of their own that has this name. Runs as the role that sees the role names of all
 * tenants.
 */
export const selectTenantsWithRole = async (db: Db, name: string, limit: number) => {
  await actAs(db, 'tenantry_search')
  const tenants = await db.many<{ id: string }>(sql`
    select t.id from roles r
    join tenants t on t.id = r.tenant_id
    where r.name_folded = ${fold(name)} and t.deleted_at is null
    order by t.id limit ${limit}`)
  await actAs(db, 'tenantry_app')
  return tenants
}

export interface NamedRole {
  id: number
  name: string
  description: string
}

export const selectRoleByName = (db: Db, tenantId: string, name: string) =>
  db.one<NamedRole>(sql`
    select id, name, description from roles where tenant_id = ${tenantId} and name_folded = ${fold(name)}`)

/** The names among `folded` that a template or a role of the tenant has. */
export const selectTakenNames = (db: Db, tenantId: string, folded: string[]) =>
  db.many<{ name: string }>(sql`
    select name_folded as name from roles where tenant_id = ${tenantId} and name_folded = any (${folded})
    union
    select name_folded from role_templates where name_folded = any (${folded})`)

export const updateRoleName = (db: Db, tenantId: string, id: number, name: string) =>
  db.run(sql`
    update roles set name = ${name}, name_folded = ${fold(name)} where tenant_id = ${tenantId} and id = ${id}`)

/** A removed permission or template, whose rows in the tenants maintenance deletes. */
export interface Removal {
  kind: 'permission' | 'template'
  id: number
}

export const selectRemovals = (db: Db) =>
  db.many<Removal>(sql`select kind, id from catalogue_removals order by kind, id`)

/** Sets a removal as the scope of `tenantry_purge`. An existing permission or template is never in that scope. */
export const enterRemoval = (db: Db, { kind, id }: Removal) =>
  db.run(sql`
    select set_config('app.removed_' || kind || '_id', id::text, true) from catalogue_removals
    where kind = ${kind} and id = ${id}`)

/** The rows of a tenant that refer to the removed item. */
const rowsOf = ({ kind, id }: Removal, tenantId: Sql): Sql =>
  kind === 'template'
    ? sql`from user_roles where tenant_id = ${tenantId} and role_id = ${id}`
    : sql`from role_permissions where tenant_id = ${tenantId} and permission_id = ${id}`

export const selectTenantsOfRemoval = (db: Db, removal: Removal) =>
  db.many<{ id: string }>(
    sql`select t.id from tenants t, lateral (select ${rowsOf(removal, sql`t.id`)} limit 1) as held`,
  )

/** Deletes up to `limit` rows of a tenant. Returns their number. */
export const deleteRowsOfRemoval = (db: Db, removal: Removal, tenantId: string, limit: number) =>
  db.run(sql`
    delete ${removal.kind === 'template' ? sql`from user_roles` : sql`from role_permissions`}
    where tenant_id = ${tenantId} and ctid = any (array(select ctid ${rowsOf(removal, sql`${tenantId}`)} limit ${limit}))`)

export const deleteRemoval = (db: Db, { kind, id }: Removal) =>
  db.run(sql`delete from catalogue_removals where kind = ${kind} and id = ${id}`)
