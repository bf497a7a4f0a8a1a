import sql from 'sql-template-tag'
import type { Db } from './db/client.ts'

interface CodeRow {
  code: string
}

/** The codes of all permissions that a user holds, by any role. */
export const selectCodesOfUser = (db: Db, tenantId: string, userId: number) =>
  db.many<CodeRow>(sql`
    select distinct p.code
    from user_roles ur
    join role_permissions rp on rp.tenant_id = ur.tenant_id and rp.role_id = ur.role_id
    join permissions p on p.id = rp.permission_id
    where ur.tenant_id = ${tenantId} and ur.user_id = ${userId}`)

/** The same of a user who is enabled; nothing of one who was disabled or deleted meanwhile. */
export const selectCodesOfEnabledUser = (db: Db, tenantId: string, userId: number) =>
  db.many<CodeRow>(sql`
    select distinct p.code
    from users u
    join user_roles ur on ur.tenant_id = u.tenant_id and ur.user_id = u.id
    join role_permissions rp on rp.tenant_id = ur.tenant_id and rp.role_id = ur.role_id
    join permissions p on p.id = rp.permission_id
    where u.tenant_id = ${tenantId} and u.id = ${userId} and u.status = 1`)

export const selectCodesOfRole = (db: Db, tenantId: string, roleId: number) =>
  db.many<CodeRow>(sql`
    select p.code
    from role_permissions rp
    join permissions p on p.id = rp.permission_id
    where rp.tenant_id = ${tenantId} and rp.role_id = ${roleId}`)

/** Enabled users who hold a system role. */
export const countHolders = (db: Db, tenantId: string, roleName: string) =>
  db.one<{ count: number }>(sql`
    select count(*) as count
    from users u
    join user_roles ur on ur.tenant_id = u.tenant_id and ur.user_id = u.id
    join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
    where u.tenant_id = ${tenantId} and u.status = 1 and r.is_system and r.name = ${roleName}`)
