import sql from 'sql-template-tag'
import type { Db } from './db/client.ts'

/** Whom a token names. */
export interface CallerKey {
  tenantId: string
  userId: number
  sessionId: string
}

export interface CallerRow {
  tenant_status: number
  is_platform_admin: boolean
  seen_today: boolean
  permissions: string[]
}

/** All that decides what a caller may do at this moment; undefined when session, user or tenant are gone, or the user disabled. */
export const selectCaller = (db: Db, key: CallerKey, now: Date) =>
  db.one<CallerRow>(sql`
    select t.status as tenant_status,
      coalesce(u.last_seen_on = (${now}::timestamptz at time zone 'utc')::date, false) as seen_today,
      exists (
        select from user_roles ur
        join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
        where ur.tenant_id = u.tenant_id and ur.user_id = u.id and r.is_system and r.name = 'platform-admin'
      ) as is_platform_admin,
      array(
        select distinct p.code
        from user_roles ur
        join role_permissions rp on rp.tenant_id = ur.tenant_id and rp.role_id = ur.role_id
        join permissions p on p.id = rp.permission_id
        where ur.tenant_id = u.tenant_id and ur.user_id = u.id
      ) as permissions
    from sessions s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join tenants t on t.id = s.tenant_id
    where s.tenant_id = ${key.tenantId} and s.id = ${key.sessionId} and s.user_id = ${key.userId}
      and s.expires_at > ${now} and u.status = 1 and t.deleted_at is null`)
