import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/client.ts'
import { isoTime } from '../../db/columns.ts'
import { fold } from '../../text.ts'
import type { Permission, Role } from './roles.schemas.ts'

/** The permissions of the role `r` as JSON, in the order of the catalogue. */
const permissionsOfRole = sql`
  coalesce((
    select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'module', p.module,
      'description', p.description) order by p.id)
    from role_permissions rp
    join permissions p on p.id = rp.permission_id
    where rp.tenant_id = r.tenant_id and rp.role_id = r.id
  ), '[]')`

const columns = sql`r.id, r.tenant_id, r.name, r.description, r.is_system, ${permissionsOfRole} as permissions`

export interface PermissionFilter {
  module?: string | undefined
  withPlatformOnly: boolean
}

export const selectPermissions = (db: Db, { module, withPlatformOnly }: PermissionFilter) =>
  db.many<Permission>(sql`
    select id, code, name, module, description from permissions
    where true
      ${module === undefined ? empty : sql`and module = ${module}`}
      ${withPlatformOnly ? empty : sql`and not platform_only`}
    order by id`)

export const selectPermissionsByIds = (db: Db, ids: number[]) =>
  db.many<Permission & { platform_only: boolean }>(sql`
    select id, code, name, module, description, platform_only from permissions
    where id = any (${ids}::bigint[])
    order by id`)

const selectRolesWhere = (db: Db, tenantId: string, condition: Sql) =>
  db.many<Role>(
    sql`select ${columns} from roles r where r.tenant_id = ${tenantId} ${condition} order by r.id`,
  )

export const selectRoles = (db: Db, tenantId: string) => selectRolesWhere(db, tenantId, empty)

export const selectRolesOfUser = (db: Db, tenantId: string, userId: number) =>
  selectRolesWhere(
    db,
    tenantId,
    sql`and r.id in (select role_id from user_roles where tenant_id = ${tenantId} and user_id = ${userId})`,
  )

export const selectRole = (db: Db, tenantId: string, id: number) =>
  db.one<Role>(sql`select ${columns} from roles r where r.tenant_id = ${tenantId} and r.id = ${id}`)

export const countRoles = (db: Db, tenantId: string) =>
  db.one<{ count: number }>(sql`select count(*) as count from roles where tenant_id = ${tenantId}`)

/** May break `roles_tenant_id_name_key`. */
export const insertRole = (
  db: Db,
  { tenantId, name, description, now }: { tenantId: string; name: string; description: string; now: Date },
) =>
  db.one<Role>(sql`
    insert into roles as r (tenant_id, name, name_folded, description, created_at)
    values (${tenantId}, ${name}, ${fold(name)}, ${description}, ${now})
    returning ${columns}`)

/** May break `roles_tenant_id_name_key`. */
export const updateRole = (db: Db, role: Role) =>
  db.one<Role>(sql`
    update roles r set name = ${role.name}, name_folded = ${fold(role.name)}, description = ${role.description}
    where r.tenant_id = ${role.tenant_id} and r.id = ${role.id}
    returning ${columns}`)

/** Returns when the role was created. */
export const deleteRoleRow = (db: Db, tenantId: string, id: number) =>
  db.one<{ created_at: string }>(sql`
    delete from roles where tenant_id = ${tenantId} and id = ${id}
    returning ${isoTime('created_at')} as created_at`)

export const deleteRolePermissionRows = (db: Db, tenantId: string, roleId: number) =>
  db.run(sql`delete from role_permissions where tenant_id = ${tenantId} and role_id = ${roleId}`)

export const insertRolePermissions = (db: Db, tenantId: string, roleId: number, permissionIds: number[]) =>
  db.run(sql`
    insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
    select ${tenantId}::uuid, ${roleId}::bigint, id, platform_only from permissions
    where id = any (${permissionIds}::bigint[])`)

/** May break `user_roles_pkey`. */
export const insertUserRole = (db: Db, tenantId: string, userId: number, roleId: number) =>
  db.run(sql`insert into user_roles (tenant_id, user_id, role_id) values (${tenantId}, ${userId}, ${roleId})`)

export const deleteUserRoleRow = (db: Db, tenantId: string, userId: number, roleId: number) =>
  db.run(sql`
    delete from user_roles where tenant_id = ${tenantId} and user_id = ${userId} and role_id = ${roleId}`)
