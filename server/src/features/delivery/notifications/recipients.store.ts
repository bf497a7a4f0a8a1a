import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { heldRoles } from '../../../access/held-roles.sql.ts'

export interface Recipient {
  id: number
  account_id: number
  email: string
  language: string | null
}

/** Enabled users who have a permission, by id. */
export const selectUsersWithPermission = (db: Db, tenantId: string, code: string, limit: number) =>
  db.many<Recipient>(sql`
    select u.id, u.account_id, a.email, a.language
    from users u
    join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.status = 1 and u.id in (
      select ur.user_id from ${heldRoles} ur
      where ur.tenant_id = ${tenantId} and ur.role_id in (
        select rp.role_id from role_permissions rp join permissions p on p.id = rp.permission_id
        where rp.tenant_id = ${tenantId} and p.code = ${code} and p.removed_at is null
        union all
        select tp.template_id from template_permissions tp join permissions p on p.id = tp.permission_id
        where p.code = ${code}))
    order by u.id
    limit ${limit}`)

export const selectRecipients = (db: Db, tenantId: string, ids: number[]) =>
  db.many<Recipient>(sql`
    select u.id, u.account_id, a.email, a.language
    from users u
    join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id = any (${ids}::bigint[]) and u.status = 1`)
