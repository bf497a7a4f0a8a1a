import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { BeforeId, Id, Include, Name, pageFields, Time, Uuid } from '../../../http/schemas.ts'

const NotificationType = Type.Unsafe<'info' | 'success' | 'warning' | 'error'>({
  type: 'string',
  enum: ['info', 'success', 'warning', 'error'],
  examples: ['info'],
})

export const Notification = Type.Object(
  {
    id: Id,
    tenant_id: Uuid,
    user_id: Type.Integer({ description: 'The recipient.', examples: [7] }),
    title: Type.String({ examples: ['Welcome'] }),
    content: Type.String({ examples: ['Your account is ready.'] }),
    type: NotificationType,
    is_read: Type.Boolean({ examples: [false] }),
    created_at: Time,
  },
  { title: 'Notification' },
)
export type Notification = Static<typeof Notification>

export const ReceivedNotification = Type.Object(
  {
    ...Notification.properties,
    sender: Type.Optional(
      Type.String({
        description:
          'Only with `include=sender`: the name of the user or service account that sent it; empty where it is not known.',
        examples: ['ada'],
      }),
    ),
    about: Type.Optional(
      Type.Union(
        [
          Type.Object({
            resource: Type.String({ examples: ['webhook'] }),
            id: Type.String({ examples: ['7'] }),
          }),
          Type.Null(),
        ],
        {
          description:
            'Only with `include=sender`: the resource that a notice of the service is about, by the names of the audit log; else null.',
        },
      ),
    ),
  },
  { title: 'ReceivedNotification' },
)
export type ReceivedNotification = Static<typeof ReceivedNotification>

export const CreateNotification = Type.Object(
  {
    user_id: Id,
    title: Name({ minLength: 1, maxLength: 200 }, 'Welcome'),
    content: Type.Optional(Type.String({ maxLength: 10_000, examples: ['Your account is ready.'] })),
    type: Type.Optional(NotificationType),
  },
  { title: 'CreateNotification' },
)
export type CreateNotification = Static<typeof CreateNotification>

const include = Include('sender')

export const OneNotificationQuery = Type.Object({ include })
export type OneNotificationQuery = Static<typeof OneNotificationQuery>

export const NotificationQuery = Type.Object({
  include,
  ...pageFields,
  before_id: BeforeId,
  is_read: Type.Optional(
    Type.Boolean({
      description: 'false: only unread notifications; true: only read notifications.',
      examples: [false],
    }),
  ),
})
export type NotificationQuery = Static<typeof NotificationQuery>

export const RecipientParams = Type.Object({ userId: Id })

export const UnreadCount = Type.Object({ count: Type.Integer({ examples: [3] }) }, { title: 'UnreadCount' })
export type UnreadCount = Static<typeof UnreadCount>
