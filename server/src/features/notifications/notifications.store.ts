import sql from 'sql-template-tag'
import type { Db } from '../../db/client.ts'
import { isoTime, type Slice } from '../../db/columns.ts'
import type { Notification } from './notifications.schemas.ts'

const columns = sql`id, tenant_id, user_id, title, content, type, is_read, ${isoTime('created_at')} as created_at`

export const selectNotification = (db: Db, tenantId: string, id: number) =>
  db.one<Notification>(sql`select ${columns} from notifications where tenant_id = ${tenantId} and id = ${id}`)

/** Newest first. */
export const selectNotificationsOfUser = (db: Db, tenantId: string, userId: number, slice: Slice) =>
  db.many<Notification>(sql`
    select ${columns} from notifications
    where tenant_id = ${tenantId} and user_id = ${userId}
    order by id desc
    limit ${slice.limit} offset ${slice.offset}`)

export const countNotificationsOfUser = (db: Db, tenantId: string, userId: number) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from notifications where tenant_id = ${tenantId} and user_id = ${userId}`)

export const countUnread = (db: Db, tenantId: string, userId: number) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from notifications
    where tenant_id = ${tenantId} and user_id = ${userId} and not is_read`)

export type NewNotification = Pick<Notification, 'tenant_id' | 'user_id' | 'title' | 'content' | 'type'>

/** May break `notifications_tenant_id_user_id_fkey`: the recipient is being deleted. */
export const insertNotification = (db: Db, row: NewNotification, now: Date) =>
  db.one<Notification>(sql`
    insert into notifications (tenant_id, user_id, title, content, type, created_at)
    values (${row.tenant_id}, ${row.user_id}, ${row.title}, ${row.content}, ${row.type}, ${now})
    returning ${columns}`)

export const updateNotificationRead = (db: Db, tenantId: string, id: number) =>
  db.run(sql`
    update notifications set is_read = true where tenant_id = ${tenantId} and id = ${id} and not is_read`)

export const updateAllRead = (db: Db, tenantId: string, userId: number) =>
  db.run(sql`
    update notifications set is_read = true
    where tenant_id = ${tenantId} and user_id = ${userId} and not is_read`)

export const deleteNotificationRow = (db: Db, tenantId: string, id: number) =>
  db.run(sql`delete from notifications where tenant_id = ${tenantId} and id = ${id}`)
