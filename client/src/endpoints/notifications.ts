import { path, type Api } from '../api.ts'
import type { CreateNotification, ListNotificationsQuery, Notification, UnreadCount } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Notifications of users of the tenant in scope. */
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
   * Lists a user's notifications, newest first, a page at a time; with `is_read` only those unread, or read. One's own need
   * no permission, those of others `notification:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * const { items } = await client.notifications.list(7, { is_read: false, page_size: 10 })
   * console.log(items.map(({ title }) => title))
   */
  list: (userId: number, query: ListNotificationsQuery = {}, options?: CallOptions) =>
    askPage<Notification>(path`/notifications/user/${userId}`, query, options),

  /**
   * All notifications of a user, newest first, fetched page by page (200 unless `page_size` says otherwise) as the loop
   * comes to them. Permissions as for `list`.
   *
   * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * for await (const { created_at, title } of client.notifications.all(7)) console.log(created_at, title)
   */
  all: (userId: number, query: Omit<ListNotificationsQuery, 'page'> = {}, options?: CallOptions) =>
    askAll<Notification>(path`/notifications/user/${userId}`, query, options),

  /**
   * Reads a notification. One's own need no permission, those of others `notification:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `notificationUnknown`
   * @example
   * console.log((await client.notifications.get(12)).content)
   */
  get: (id: number, options?: CallOptions) =>
    ask<Notification>('GET', path`/notifications/${id}`, {}, options),

  /**
   * Deletes a notification. One's own need no permission, those of others `notification:delete`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `notificationUnknown`
   * @example
   * await client.notifications.delete(12)
   */
  delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/notifications/${id}`, {}, options),

  /**
   * Marks a notification read; only its recipient can.
   *
   * @throws ApiError 400 `invalidInput`; 403 `notRecipient`; 404 `notificationUnknown`
   * @example
   * await client.notifications.markRead(12)
   */
  markRead: (id: number, options?: CallOptions) =>
    ask<null>('PUT', path`/notifications/${id}/read`, {}, options),

  /**
   * Marks all own notifications read.
   *
   * @throws ApiError 401 `tokenMissing` when nobody is signed in
   * @example
   * await client.notifications.markAllRead()
   */
  markAllRead: (options?: CallOptions) => ask<null>('PUT', '/notifications/read-all', {}, options),

  /**
   * Counts the own notifications that are unread.
   *
   * @throws ApiError 401 `tokenMissing` when nobody is signed in
   * @example
   * const { count } = await client.notifications.unreadCount()
   * console.log(count)
   */
  unreadCount: (options?: CallOptions) => ask<UnreadCount>('GET', '/notifications/unread-count', {}, options),
})
