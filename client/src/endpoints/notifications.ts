import { path, type Api } from '../api.ts'
import type {
  CreateBroadcast,
  CreateNotification,
  ListNotificationsQuery,
  ListSentQuery,
  Notification,
  Sending,
  UnreadCount,
} from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Notifications in the tenant in scope. */
export const notificationEndpoints = ({ ask, askPage, askAll }: Api) => ({
  /**
   * Notifies a user. Needs `notification:send`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * await client.notifications.create({ user_id: 7, title: 'Welcome', content: 'Your account is ready.', type: 'success' })
   */
  create: (body: CreateNotification, options?: CallOptions) =>
    ask<Notification>('POST', '/notifications', { body }, options),

  /**
   * Begins to notify everyone in the tenant, or the holders of a role: nobody gets it before the first batch. Needs
   * `notification:send`, and `role:read` for a role.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `roleUnknown`
   * @example
   * let sending = await client.notifications.broadcast({ title: 'Maintenance at noon', type: 'warning' })
   * while (!sending.is_done) sending = await client.notifications.sendBatch(sending.id)
   */
  broadcast: (body: CreateBroadcast, options?: CallOptions) =>
    ask<Sending>('POST', '/notifications/broadcasts', { body }, options),

  /**
   * Notifies the next 1,000 users of a broadcast of the caller's own. Nobody gets it twice. Needs `notification:send`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `notificationUnknown`
   * @example
   * const { is_done, sent, total } = await client.notifications.sendBatch(3)
   * console.log(is_done ? 'done' : `${sent} of ${total}`)
   */
  sendBatch: (id: number, options?: CallOptions) =>
    ask<Sending>('POST', path`/notifications/broadcasts/${id}/batches`, {}, options),

  /**
   * Lists what the caller has sent in the tenant in scope, newest first, a page at a time. Needs `notification:send`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * for (const { title, sent, total } of (await client.notifications.sent()).items) console.log(title, sent, total)
   */
  sent: (query: ListSentQuery = {}, options?: CallOptions) =>
    askPage<Sending>('/notifications/sent', query, options),

  /**
   * Lists a user's notifications, newest first, a page at a time. `is_read` keeps only the read or the unread ones. Other
   * users' notifications need `notification:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * const { items } = await client.notifications.list(7, { is_read: false, page_size: 10 })
   * console.log(items.map(({ title }) => title))
   */
  list: (userId: number, query: ListNotificationsQuery = {}, options?: CallOptions) =>
    askPage<Notification>(path`/notifications/user/${userId}`, query, options),

  /**
   * Loops over all notifications of a user, newest first. It fetches a page (200 notifications unless `page_size` says
   * otherwise) when the loop comes to it. Other users' notifications need `notification:read`.
   *
   * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * for await (const { created_at, title } of client.notifications.all(7)) console.log(created_at, title)
   */
  all: (userId: number, query: Omit<ListNotificationsQuery, 'page'> = {}, options?: CallOptions) =>
    askAll<Notification>(path`/notifications/user/${userId}`, 'before_id', query, options),

  /**
   * Reads a notification. Another user's notification needs `notification:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `notificationUnknown`
   * @example
   * console.log((await client.notifications.get(12)).content)
   */
  get: (id: number, options?: CallOptions) =>
    ask<Notification>('GET', path`/notifications/${id}`, {}, options),

  /**
   * Deletes a notification. Another user's notification needs `notification:delete`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `notificationUnknown`
   * @example
   * await client.notifications.delete(12)
   */
  delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/notifications/${id}`, {}, options),

  /**
   * Marks a notification read. Only its recipient can.
   *
   * @throws ApiError 400 `invalidInput`; 403 `notRecipient`; 404 `notificationUnknown`
   * @example
   * await client.notifications.markRead(12)
   */
  markRead: (id: number, options?: CallOptions) =>
    ask<null>('PUT', path`/notifications/${id}/read`, {}, options),

  /**
   * Marks all of the user's own notifications read.
   *
   * @throws ApiError 401 `tokenMissing` when nobody is signed in
   * @example
   * await client.notifications.markAllRead()
   */
  markAllRead: (options?: CallOptions) => ask<null>('PUT', '/notifications/read-all', {}, options),

  /**
   * Counts the user's own unread notifications.
   *
   * @throws ApiError 401 `tokenMissing` when nobody is signed in
   * @example
   * const { count } = await client.notifications.unreadCount()
   * console.log(count)
   */
  unreadCount: (options?: CallOptions) => ask<UnreadCount>('GET', '/notifications/unread-count', {}, options),
})
