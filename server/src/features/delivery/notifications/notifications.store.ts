import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { countUpTo, isoTime, type Slice } from '../../../db/columns.ts'
import type { Notification } from './notifications.schemas.ts'

export interface StoredNotification extends Notification {
  /** The sender's name; "" for an unknown sender. */
  sender: string
  /** The resource that a notice of the service is about, such as `webhook 7`; "" for messages of users. */
  about: string
}

const columns = sql`id, tenant_id, user_id, title, content, type, is_read, sender, about, ${isoTime('created_at')} as created_at`

export const selectNotification = (db: Db, tenantId: string, id: number) =>
  db.one<StoredNotification>(
    sql`select ${columns} from notifications where tenant_id = ${tenantId} and id = ${id}`,
  )

export interface NotificationFilter {
  userId: number
  isRead: boolean | undefined
}

/** Writes `not is_read` exactly as the partial index does, so that PostgreSQL uses it. */
const matching = (tenantId: string, { userId, isRead }: NotificationFilter): Sql => sql`
  tenant_id = ${tenantId} and user_id = ${userId}
  ${isRead === undefined ? empty : isRead ? sql`and is_read` : sql`and not is_read`}`

/** Newest first. */
export const selectNotificationsOfUser = (
  db: Db,
  tenantId: string,
  filter: NotificationFilter,
  { limit, offset, beforeId }: Slice & { beforeId?: number | undefined },
) =>
  db.many<StoredNotification>(sql`
    select ${columns} from notifications
    where ${matching(tenantId, filter)} ${beforeId === undefined ? empty : sql`and id < ${beforeId}`}
    order by id desc
    limit ${limit} offset ${offset}`)

/** The number of matching notifications, at most `max` + 1. */
export const countNotificationsUpTo = (db: Db, tenantId: string, filter: NotificationFilter, max: number) =>
  db.one<{ count: number }>(countUpTo(max, sql`from notifications where ${matching(tenantId, filter)}`))

export const countNotificationsOfUser = (db: Db, tenantId: string, filter: NotificationFilter) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from notifications where ${matching(tenantId, filter)}`)

export type NewNotification = Pick<
  StoredNotification,
  'tenant_id' | 'user_id' | 'title' | 'content' | 'type' | 'sender'
> & { about?: string | undefined }

/** Can violate `notifications_tenant_id_user_id_fkey` while another transaction deletes the recipient. */
export const insertNotification = (db: Db, row: NewNotification, now: Date) =>
  db.only<StoredNotification>(sql`
    insert into notifications (tenant_id, user_id, title, content, type, sender, about, created_at)
    values (${row.tenant_id}, ${row.user_id}, ${row.title}, ${row.content}, ${row.type}, ${row.sender},
      ${row.about ?? ''}, ${now})
    returning ${columns}`)

export const updateNotificationRead = (db: Db, tenantId: string, id: number) =>
  db.run(sql`
    update notifications set is_read = true where tenant_id = ${tenantId} and id = ${id} and not is_read`)

export const updateAllRead = (db: Db, tenantId: string, userId: number) =>
  db.run(sql`
    update notifications set is_read = true
    where tenant_id = ${tenantId} and user_id = ${userId} and not is_read`)

/** Marks the notices about a trouble as read. Returns the recipient of each. */
export const updateNoticesRead = (db: Db, tenantId: string, about: string) =>
  db.many<{ user_id: number }>(sql`
    update notifications set is_read = true
    where tenant_id = ${tenantId} and about = ${about} and about <> '' and not is_read
    returning user_id`)

/** Deletes a notification, and returns its recipient's username. Undefined if the notification no longer exists. */
export const deleteNotificationRow = (db: Db, tenantId: string, id: number) =>
  db.one<{ username: string }>(sql`
    delete from notifications n using users u
    where n.tenant_id = ${tenantId} and n.id = ${id} and u.tenant_id = n.tenant_id and u.id = n.user_id
    returning u.username`)
