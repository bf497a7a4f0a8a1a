import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime, takesLong } from '../../../db/columns.ts'
import { isOfProduct, templatesOf } from '../../../access/templates.sql.ts'
import { fold } from '../../../values/text.ts'
import type { Permission, Role } from './roles.schemas.ts'
import { heldRoles } from '../../../access/held-roles.sql.ts'

export interface PermissionFilter {
  module?: string | undefined
  withPlatformOnly: boolean
}

export const selectPermissions = (db: Db, { module, withPlatformOnly }: PermissionFilter) =>
  db.many<Permission>(sql`
    select id, code, name, module, description from permissions
    where removed_at is null
      ${module === undefined ? empty : sql`and module = ${module}`}
      ${withPlatformOnly ? empty : sql`and not platform_only`}
    order by id`)

export const selectKnownCodes = (db: Db, codes: string[]) =>
  db.many<{ code: string }>(
    sql`select code from permissions where code = any (${codes}::text[]) and removed_at is null`,
  )

/** The codes that the product defined, at most a thousand. */
export const selectProductCodes = (db: Db) =>
  db.many<{ code: string }>(sql`select code from permissions where ${isOfProduct} and removed_at is null`)

export interface FoundPermission extends Permission {
  platform_only: boolean
}

export const selectPermissionsByIds = (db: Db, ids: number[]) =>
  db.many<FoundPermission>(sql`
    select id, code, name, module, description, platform_only from permissions
    where id = any (${ids}::bigint[]) and removed_at is null
    order by id`)

/** Selects roles whose id meets a condition. Templates come before the tenant's own roles. */
const selectRolesWhere = async (db: Db, tenantId: string, meets: (id: Sql) => Sql): Promise<Role[]> => {
  const [catalogue, roles] = await Promise.all([
    selectPermissions(db, { withPlatformOnly: true }),
    db.many<Omit<Role, 'permissions'> & { permission_ids: number[] }>(sql`
      select m.id, ${tenantId}::uuid as tenant_id, m.name, m.description, true as is_system,
        to_json(array(select permission_id from template_permissions where template_id = m.id)) as permission_ids
      from ${templatesOf(tenantId)} and ${meets(sql`m.id`)}
      union all
      select r.id, r.tenant_id, r.name, r.description, false,
        to_json(array(
          select permission_id from role_permissions where tenant_id = ${tenantId} and role_id = r.id))
      from roles r where r.tenant_id = ${tenantId} and ${meets(sql`r.id`)}
      order by id`),
  ])
  return roles.map(({ permission_ids: ids, ...role }) => {
    const held = new Set(ids)
    // The catalogue has neither removed permissions nor those of removed templates.
    return { ...role, permissions: catalogue.filter(({ id }) => held.has(id)) }
  })
}

export const selectRoles = (db: Db, tenantId: string) => selectRolesWhere(db, tenantId, () => sql`true`)

export const selectRolesOfUser = (db: Db, tenantId: string, userId: number) =>
  selectRolesWhere(
    db,
    tenantId,
    (id) =>
      sql`${id} in (select role_id from ${heldRoles} r where tenant_id = ${tenantId} and user_id = ${userId})`,
  )

export const selectRole = async (db: Db, tenantId: string, roleId: number) =>
  (await selectRolesWhere(db, tenantId, (id) => sql`${id} = ${roleId}::bigint`))[0]

/** Counts the roles of a tenant, templates included. */
export const countRoles = (db: Db, tenantId: string) =>
  db.one<{ count: number }>(sql`
    select (select count(*) from roles where tenant_id = ${tenantId})
      + (select count(*) from ${templatesOf(tenantId)}) as count`)

/** SQL: true if no template of the tenant has the name. */
const isFree = (tenantId: string, name: string): Sql => sql`
  not exists (select from ${templatesOf(tenantId)} and m.name_folded = ${fold(name)})`

/** Undefined when a template has the name. Can violate `roles_tenant_id_name_key`. */
export const insertRole = (
  db: Db,
  { tenantId, name, description, now }: { tenantId: string; name: string; description: string; now: Date },
) =>
  db.one<Role>(sql`
    insert into roles as r (tenant_id, name, name_folded, description, created_at)
    select ${tenantId}::uuid, ${name}, ${fold(name)}, ${description}, ${now}::timestamptz
    where ${isFree(tenantId, name)}
    returning id, tenant_id, name, description, false as is_system, '[]'::json as permissions`)

/** Changes nothing when a template has the name. Can violate `roles_tenant_id_name_key`. */
export const updateRole = (db: Db, role: Role) =>
  db.run(sql`
    update roles r set name = ${role.name}, name_folded = ${fold(role.name)}, description = ${role.description}
    where r.tenant_id = ${role.tenant_id} and r.id = ${role.id} and ${isFree(role.tenant_id, role.name)}`)

/** Returns the role's time of creation. */
export const deleteRoleRow = (db: Db, tenantId: string, id: number) =>
  db.one<{ created_at: string }>(sql`
    delete from roles where tenant_id = ${tenantId} and id = ${id}
    returning ${isoTime('created_at')} as created_at`)

/** Removes a role from its holders, and from the connections that would assign it. */
export const deleteHolderRows = (db: TransactionDb, tenantId: string, roleId: number): void => {
  db.send(sql`delete from user_roles where tenant_id = ${tenantId} and role_id = ${roleId}`)
  db.send(sql`delete from group_mappings where tenant_id = ${tenantId} and role_id = ${roleId}`)
  db.send(sql`
    update connections set default_role_ids = array_remove(default_role_ids, ${roleId}::bigint)
    where tenant_id = ${tenantId} and ${roleId}::bigint = any (default_role_ids)`)
}

export const deleteRolePermissionRows = (db: TransactionDb, tenantId: string, roleId: number): void =>
  db.send(sql`delete from role_permissions where tenant_id = ${tenantId} and role_id = ${roleId}`)

export const insertRolePermissions = (
  db: TransactionDb,
  tenantId: string,
  roleId: number,
  permissionIds: number[],
): void =>
  db.send(sql`
    insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
    select ${tenantId}::uuid, ${roleId}::bigint, id, platform_only from permissions
    where id = any (${permissionIds}::bigint[]) and removed_at is null
    returning role_id`)

export interface RoleHolder {
  name: string
  is_service_account: boolean
  /** True if a directory uses its keys. */
  is_directory: boolean
}

/** A user or a service account. Both have roles, and their ids come from one counter. */
export const selectHolder = (db: Db, tenantId: string, id: number) =>
  db.one<RoleHolder>(sql`
    select username as name, false as is_service_account, false as is_directory
    from users where tenant_id = ${tenantId} and id = ${id}
    union all
    select name, true, exists (
      select 1 from connections where tenant_id = ${tenantId} and scim_account_id = ${id})
    from service_accounts where tenant_id = ${tenantId} and id = ${id}`)

export const selectTenantIds = (db: Db) =>
  db.many<{ id: string }>(takesLong(sql`select id from tenants where deleted_at is null`))

export interface Concerned {
  templateIds: number[]
  permissionIds: number[]
}

/** Counts the users of a tenant who have one of the templates, or a role of the tenant with one of the permissions. */
export const countConcerned = (db: Db, tenantId: string, { templateIds, permissionIds }: Concerned) =>
  db.one<{ count: number }>(
    takesLong(sql`
      select count(distinct u.id) as count
      from ${heldRoles} ur
      join users u on u.tenant_id = ur.tenant_id and u.id = ur.user_id
      where ur.tenant_id = ${tenantId} and (ur.role_id = any (${templateIds}::bigint[]) or ur.role_id in (
        select role_id from role_permissions
        where tenant_id = ${tenantId} and permission_id = any (${permissionIds}::integer[])))`),
  )
