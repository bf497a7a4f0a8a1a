import sql, { type Sql } from 'sql-template-tag'
import type { Db } from './db/client.ts'

interface CodeRow {
  code: string
}

/**
 * The codes of all permissions that roles carry, `roles` being a query of their ids. The role platform-admin counts as
 * something of its own beside its permissions: it opens every tenant, which none of them does.
 */
const codesOfRoles = (tenantId: string, roles: Sql): Sql => sql`
  select p.code
  from role_permissions rp
  join permissions p on p.id = rp.permission_id
  where rp.tenant_id = ${tenantId} and rp.role_id in (${roles})
  union
  select r.name
  from roles r
  where r.tenant_id = ${tenantId} and r.id in (${roles}) and r.is_system and r.name = 'platform-admin'`

/** What a user holds, by any role. */
export const selectCodesOfUser = (db: Db, tenantId: string, userId: number) =>
  db.many<CodeRow>(
    codesOfRoles(
      tenantId,
      sql`select role_id from user_roles where tenant_id = ${tenantId} and user_id = ${userId}`,
    ),
  )

/** The same of a user who is enabled; nothing of one who was disabled or deleted meanwhile. */
export const selectCodesOfEnabledUser = (db: Db, tenantId: string, userId: number) =>
  db.many<CodeRow>(
    codesOfRoles(
      tenantId,
      sql`
        select ur.role_id from user_roles ur
        join users u on u.tenant_id = ur.tenant_id and u.id = ur.user_id
        where u.tenant_id = ${tenantId} and u.id = ${userId} and u.status = 1`,
    ),
  )

/** What a role carries. */
export const selectCodesOfRole = (db: Db, tenantId: string, roleId: number) =>
  db.many<CodeRow>(codesOfRoles(tenantId, sql`select ${roleId}::bigint`))

/** Enabled users who hold a system role. */
export const countHolders = (db: Db, tenantId: string, roleName: string) =>
  db.one<{ count: number }>(sql`
    select count(*) as count
    from users u
    join user_roles ur on ur.tenant_id = u.tenant_id and ur.user_id = u.id
    join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
    where u.tenant_id = ${tenantId} and u.status = 1 and r.is_system and r.name = ${roleName}`)
