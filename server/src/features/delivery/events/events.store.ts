import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import type { Notification } from '../notifications/notifications.schemas.ts'

export const countUnread = (db: Db, tenantId: string, userIds: number[]) =>
  db.many<{ user_id: number; count: number }>(sql`
    select user_id, count(*) as count from notifications
    where tenant_id = ${tenantId} and user_id = any (${userIds}) and not is_read
    group by user_id`)

/** The notifications of these users in a range of ids, newest first, at most `limit` of each user. */
export const selectNewNotifications = (
  db: Db,
  tenantId: string,
  userIds: number[],
  { firstId, lastId, limit }: { firstId: number; lastId: number; limit: number },
) =>
  db.many<Notification>(sql`
    select n.* from unnest(${userIds}::bigint[]) as u (id)
    cross join lateral (
      select id, tenant_id, user_id, title, content, type, is_read, ${isoTime('created_at')} as created_at
      from notifications
      where tenant_id = ${tenantId} and user_id = u.id and id between ${firstId} and ${lastId}
      order by id desc limit ${limit}
    ) n`)

/** The users of an account in all tenants. Runs in the scope of the account. */
export const selectUsersOfAccount = (db: Db, accountId: number) =>
  db.many<{ tenant_id: string; id: number }>(
    sql`select tenant_id, id from users where account_id = ${accountId}`,
  )

/** The ids of ended sessions among these, of all tenants. */
export const selectEndedSessions = (db: Db, tenantIds: string[], ids: string[]) =>
  db.many<{ id: string }>(sql`
    select open.id from unnest(${tenantIds}::uuid[], ${ids}::uuid[]) as open (tenant_id, id)
    left join sessions s on s.tenant_id = open.tenant_id and s.id = open.id
    where s.id is null`)
