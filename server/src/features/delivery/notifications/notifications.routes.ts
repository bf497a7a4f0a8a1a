import type { App } from '../../../http/app-type.ts'
import { IdParams, Nothing, Page } from '../../../http/schemas.ts'
import {
  CreateNotification,
  Notification,
  NotificationQuery,
  OneNotificationQuery,
  ReceivedNotification,
  RecipientParams,
  UnreadCount,
} from './notifications.schemas.ts'
import {
  createNotification,
  deleteNotification,
  getNotification,
  getUnreadCount,
  listNotifications,
  markAllRead,
  markRead,
} from './notifications.service.ts'
import { CreateBroadcast, Sending, SentQuery } from './sendings.schemas.ts'
import { createBroadcast, listSent, sendBatch } from './sendings.service.ts'

/** Routes of broadcasts, and of the list of broadcasts and notifications that the caller sent. */
export const sendingRoutes = (app: App): void => {
  app.get(
    '/notifications/sent',
    {
      config: { allow: 'notification:send' },
      schema: {
        operationId: 'listSent',
        tags: ['notifications'],
        summary: 'List what the caller has sent',
        description: 'In the tenant in scope, newest first: notifications of one user, and broadcasts.',
        querystring: SentQuery,
        response: { 200: Page(Sending) },
      },
    },
    ({ ctx, query }) => listSent(ctx, query),
  )
  app.post(
    '/notifications/broadcasts',
    {
      config: { allow: 'notification:send', fails: ['roleUnknown'] },
      schema: {
        operationId: 'createBroadcast',
        tags: ['notifications'],
        summary: 'Begin to notify everyone, or the holders of a role',
        description: 'Nobody gets it before its first batch. `role_id` needs role:read besides.',
        body: CreateBroadcast,
        response: { 200: Sending },
      },
    },
    ({ ctx, body }) => createBroadcast(ctx, body),
  )
  app.post(
    '/notifications/broadcasts/:id/batches',
    {
      config: { allow: 'notification:send', fails: ['notificationUnknown'] },
      schema: {
        operationId: 'sendBatch',
        tags: ['notifications'],
        summary: 'Notify the next 1,000 users of a broadcast',
        description: 'Only its sender can. Repeat it until `is_done`: nobody gets it twice.',
        params: IdParams,
        response: { 200: Sending },
      },
    },
    ({ ctx, params }) => sendBatch(ctx, params.id),
  )
}

export const notificationRoutes = (app: App): void => {
  app.post(
    '/notifications',
    {
      config: { allow: 'notification:send', fails: ['userUnknown'] },
      schema: {
        operationId: 'createNotification',
        tags: ['notifications'],
        summary: 'Notify a user',
        body: CreateNotification,
        response: { 200: Notification },
      },
    },
    ({ ctx, body }) => createNotification(ctx, body),
  )
  app.get(
    '/notifications/:id',
    {
      config: { allow: 'caller', support: 'view', fails: ['notificationUnknown'] },
      schema: {
        operationId: 'getNotification',
        tags: ['notifications'],
        summary: 'Read a notification',
        description: 'Own notifications need no permission; those of others need notification:read.',
        params: IdParams,
        querystring: OneNotificationQuery,
        response: { 200: ReceivedNotification },
      },
    },
    ({ ctx, params, query }) => getNotification(ctx, params.id, query),
  )
  app.delete(
    '/notifications/:id',
    {
      config: { allow: 'caller', fails: ['notificationUnknown'] },
      schema: {
        operationId: 'deleteNotification',
        tags: ['notifications'],
        summary: 'Delete a notification',
        description: 'Own notifications need no permission; those of others need notification:delete.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteNotification(ctx, params.id),
  )
  app.get(
    '/notifications/user/:userId',
    {
      config: { allow: 'caller', support: 'view', fails: ['userUnknown'] },
      schema: {
        operationId: 'listNotifications',
        tags: ['notifications'],
        summary: 'List the notifications of a user',
        description:
          'Newest first. Own notifications need no permission; those of others need notification:read.',
        params: RecipientParams,
        querystring: NotificationQuery,
        response: { 200: Page(ReceivedNotification) },
      },
    },
    ({ ctx, params, query }) => listNotifications(ctx, params.userId, query),
  )
}

export const inboxRoutes = (app: App): void => {
  app.put(
    '/notifications/:id/read',
    {
      config: { allow: 'user', fails: ['notRecipient', 'notificationUnknown'] },
      schema: {
        operationId: 'markNotificationRead',
        tags: ['notifications'],
        summary: 'Mark a notification read',
        description: 'Only its recipient can.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => markRead(ctx, params.id),
  )
  app.put(
    '/notifications/read-all',
    {
      config: { allow: 'user' },
      schema: {
        operationId: 'markAllNotificationsRead',
        tags: ['notifications'],
        summary: 'Mark all own notifications read',
        response: { 200: Nothing },
      },
    },
    ({ ctx }) => markAllRead(ctx),
  )
  app.get(
    '/notifications/unread-count',
    {
      config: { allow: 'user', support: 'view' },
      schema: {
        operationId: 'getUnreadCount',
        tags: ['notifications'],
        summary: 'Count the own unread notifications',
        response: { 200: UnreadCount },
      },
    },
    ({ ctx }) => getUnreadCount(ctx),
  )
}
