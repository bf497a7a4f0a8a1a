import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'

export interface Assignment {
  user_id: number
  role_id: number
}

const given = (wanted: Assignment[]) => sql`
  unnest(${wanted.map(({ user_id: id }) => id)}::bigint[], ${wanted.map(({ role_id: id }) => id)}::bigint[])
    as given (user_id, role_id)`

/** Removes unwanted mapped roles from some users. */
export const deleteUnmapped = (db: Db, tenantId: string, userIds: number[], wanted: Assignment[]) =>
  db.many<Assignment>(sql`
    delete from user_roles r
    where r.tenant_id = ${tenantId} and r.user_id = any (${userIds}::bigint[]) and r.source = 'sso'
      and not exists (select 1 from ${given(wanted)} where given.user_id = r.user_id and given.role_id = r.role_id)
    returning r.user_id, r.role_id`)

/** Assigns mapped roles that exist and have no platform-only permission. Roles assigned by hand stay so. */
export const insertMapped = (db: Db, tenantId: string, wanted: Assignment[], platformAdminId: number) =>
  db.many<Assignment>(sql`
    insert into user_roles as held (tenant_id, user_id, role_id, source)
    select ${tenantId}::uuid, given.user_id, given.role_id, 'sso' from ${given(wanted)}
    where (
        given.role_id in (select id from role_templates where id <> ${platformAdminId})
        or given.role_id in (select id from roles where tenant_id = ${tenantId})
      ) and not exists (
        select 1 from role_permissions p
        where p.tenant_id = ${tenantId} and p.role_id = given.role_id and p.platform_only)
    on conflict (tenant_id, user_id, role_id) do update
    set source = 'sso', assigned_by = 0, assigned_by_tenant = null, assigned_by_account = null,
      assigned_at = statement_timestamp(), expires_at = null, warn_at = null
    where held.expires_at <= statement_timestamp()
    returning user_id, role_id`)
