import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import type { Exemption } from './exemptions.schemas.ts'

/** The break-glass users of a tenant, by id. */
export const selectExemptions = (db: Db, tenantId: string) =>
  db.many<Exemption>(sql`
    select u.id as user_id, u.username, u.email,
      exists (select from factors where account_id = u.account_id and is_confirmed) as has_factor
    from sso_exemptions e
    join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
    where e.tenant_id = ${tenantId}
    order by u.id`)

export const selectPushed = (db: Db, tenantId: string, userId: number) =>
  db.one(sql`select from scim_users where tenant_id = ${tenantId} and user_id = ${userId}`)

export const insertExemption = (db: Db, tenantId: string, userId: number, now: Date) =>
  db.run(sql`
    insert into sso_exemptions (tenant_id, user_id, account_id, created_at)
    select tenant_id, id, account_id, ${now}::timestamptz from users where tenant_id = ${tenantId} and id = ${userId}
    on conflict do nothing`)

export const deleteExemption = (db: Db, tenantId: string, userId: number) =>
  db.run(sql`delete from sso_exemptions where tenant_id = ${tenantId} and user_id = ${userId}`)
