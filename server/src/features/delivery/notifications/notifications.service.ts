import { inOwnTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import type { Invalidation } from '../../../cache/cache.ts'
import { violatesForeignKey } from '../../../db/errors.ts'
import { AppError } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../../http/schemas.ts'
import { may, policies, requireMay } from '../../../access/policies.ts'
import { record, changesBetween } from '../../audit/audit/audit.service.ts'
import { getUser } from '../../accounts/users/users.service.ts'
import type {
  CreateNotification,
  Notification,
  NotificationQuery,
  OneNotificationQuery,
  ReceivedNotification,
  UnreadCount,
} from './notifications.schemas.ts'
import { keepSent } from './sendings.service.ts'
import * as store from './notifications.store.ts'

const notificationUnknown = () =>
  new AppError('notificationUnknown', 'The notification does not exist in this tenant')
const recipientUnknown = () => new AppError('userUnknown', 'The user does not exist in this tenant')

const findNotification = async (ctx: Ctx, id: number): Promise<store.StoredNotification> => {
  const notification = await store.selectNotification(ctx.db, ctx.tenantId, id)
  if (!notification) throw notificationUnknown()
  return notification
}

/** The change that makes replicas send the new notification to the user's streams. */
const inboxOf = ({ tenantId }: Ctx, userId: number, added?: Notification): Invalidation => {
  const { id = 0 } = added ?? {}
  return { kind: 'inbox', tenantId, userId, firstId: id, lastId: id }
}

/** Sends a notification to a user of the tenant in scope. */
export const createNotification = async (ctx: Ctx, input: CreateNotification): Promise<Notification> => {
  const { user_id, title, content = '', type = 'info' } = input
  return inTransaction(ctx, async (ctx) => {
    const { username } = await getUser(ctx, user_id)
    const row = { tenant_id: ctx.tenantId, user_id, title, content, type, sender: ctx.actor.name }
    const notification = await store
      .insertNotification(ctx.db, row, ctx.parts.now())
      .catch((err: unknown) => {
        throw violatesForeignKey(err, 'notifications_tenant_id_user_id_fkey') ? recipientUnknown() : err
      })
    ctx.changes.push(inboxOf(ctx, user_id, notification))
    await keepSent(ctx, { user_id, recipient: username, title, content, type })
    record(ctx, {
      action: 'notification.create',
      resourceId: notification.id,
      detail: changesBetween({}, { user_id, username, title, type }),
    })
    return notification
  })
}

/** The resource that a notice is about, by the names of the audit log. */
export interface About {
  resource: string
  id: number | string
}

const storedAbout = ({ resource, id }: About): string => `${resource} ${id}`

const shownAbout = (about: string): NonNullable<ReceivedNotification['about']> | null => {
  const [resource, id] = about.split(' ')
  return resource && id ? { resource, id } : null
}

/** Notifies a user in the transaction of a change. The audit record of the change covers the notification. */
export const notify = async (
  ctx: TransactionCtx,
  { about, ...row }: Omit<store.NewNotification, 'tenant_id' | 'about'> & { about?: About | undefined },
): Promise<void> => {
  const notification = await store.insertNotification(
    ctx.db,
    { ...row, tenant_id: ctx.tenantId, about: about && storedAbout(about) },
    ctx.parts.now(),
  )
  ctx.changes.push(inboxOf(ctx, row.user_id, notification))
}

const shownWith =
  ({ include }: OneNotificationQuery) =>
  ({ sender, about, ...notification }: store.StoredNotification): ReceivedNotification =>
    include === 'sender' ? { ...notification, sender, about: shownAbout(about) } : notification

/** A notification of the caller. With `notification:read`, also one of another user. */
export const getNotification = async (
  ctx: Ctx,
  id: number,
  query: OneNotificationQuery,
): Promise<ReceivedNotification> => {
  const notification = await findNotification(ctx, id)
  requireMay(ctx.actor, policies.readNotification, notification)
  return shownWith(query)(notification)
}

/** The notifications of a user, newest first. */
export const listNotifications = async (
  ctx: Ctx,
  userId: number,
  query: NotificationQuery,
): Promise<CountedPage<ReceivedNotification>> => {
  await getUser(ctx, userId)
  requireMay(ctx.actor, policies.readNotification, { tenant_id: ctx.tenantId, user_id: userId })
  const filter = { userId, isRead: query.is_read }
  const isFiltered = query.is_read !== undefined
  const slice = { ...sliceOf(query), beforeId: query.before_id }
  const [items, counted] = await Promise.all([
    store.selectNotificationsOfUser(ctx.db, ctx.tenantId, filter, slice),
    isFiltered
      ? store.countNotificationsUpTo(ctx.db, ctx.tenantId, filter, totalMax)
      : store.countNotificationsOfUser(ctx.db, ctx.tenantId, filter),
  ])
  return pageOf(items.map(shownWith(query)), counted?.count ?? 0, query.page, isFiltered)
}

/** Deletes a notification of the caller. With `notification:delete`, also one of another user. */
export const deleteNotification = (ctx: Ctx, id: number): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const notification = await findNotification(ctx, id)
    requireMay(ctx.actor, policies.deleteNotification, notification)
    const { user_id, title, type } = notification
    const removed = await store.deleteNotificationRow(ctx.db, ctx.tenantId, id)
    if (!removed) throw notificationUnknown()
    ctx.changes.push(inboxOf(ctx, user_id))
    record(ctx, {
      action: 'notification.delete',
      resourceId: id,
      detail: changesBetween({ user_id, ...removed, title, type }, {}),
    })
    return null
  })

/** Marks a notification as read. Throws 403 unless the caller is its recipient. */
export const markRead = (ctx: Ctx, id: number): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const notification = await findNotification(ctx, id)
    if (!may(ctx.actor, policies.markNotificationRead, notification)) {
      throw new AppError('notRecipient', 'Only its recipient marks a notification read')
    }
    await store.updateNotificationRead(ctx.db, ctx.tenantId, id)
    ctx.changes.push(inboxOf(ctx, notification.user_id))
    return null
  })

/** Marks the notices of the tenant in scope about a trouble as read, because it is over. */
export const markNoticesRead = async (ctx: TransactionCtx, about: About): Promise<void> => {
  for (const { user_id: userId } of await store.updateNoticesRead(ctx.db, ctx.tenantId, storedAbout(about))) {
    ctx.changes.push(inboxOf(ctx, userId))
  }
}

/** Marks all notifications of the caller in the caller's own tenant as read. */
export const markAllRead = (outer: Ctx): Promise<null> =>
  inTransaction(inOwnTenant(outer), async (ctx) => {
    await store.updateAllRead(ctx.db, ctx.tenantId, ctx.actor.userId)
    ctx.changes.push(inboxOf(ctx, ctx.actor.userId))
    return null
  })

/** Counts the caller's unread notifications, in the caller's own tenant. */
export const getUnreadCount = async (outer: Ctx): Promise<UnreadCount> => {
  const ctx = inOwnTenant(outer)
  const filter = { userId: ctx.actor.userId, isRead: false }
  const row = await store.countNotificationsOfUser(ctx.db, ctx.tenantId, filter)
  return { count: row?.count ?? 0 }
}
