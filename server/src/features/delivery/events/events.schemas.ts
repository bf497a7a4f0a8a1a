import type { Static, TSchema } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf, Uuid } from '../../../http/schemas.ts'
import { Notification } from '../notifications/notifications.schemas.ts'

export const StreamQuery = Type.Object({
  all_tenants: Type.Optional(
    Type.Boolean({
      description: 'Hear the changes of every tenant; needs `tenant:enter`.',
      examples: [false],
    }),
  ),
})
export type StreamQuery = Static<typeof StreamQuery>

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      description:
        'The last id that the client has: changes after it come first. One that is empty or not readable begins with `gap`.',
      examples: ['812.3'],
    }),
  ),
})
export type StreamHeaders = Static<typeof StreamHeaders>

const eventOf = <Name extends string, Data extends TSchema>(
  event: Name,
  description: string,
  data: Data,
  fields = {},
) =>
  Type.Object(
    { event: OneOf(event), ...fields, data },
    { title: `${event.charAt(0).toUpperCase()}${event.slice(1)}Event`, description },
  )

const NotificationEvent = eventOf(
  'notification',
  'The caller got a notification.',
  Type.Object({
    notification: Notification,
    unread_count: Type.Integer({ description: 'Unread notifications of the caller.', examples: [3] }),
  }),
)

const UnreadEvent = eventOf(
  'unread',
  'The caller read or deleted notifications.',
  Type.Object({ count: Type.Integer({ examples: [2] }) }),
)

const Authority = Type.Object({
  tenant_id: Type.String({
    description: 'The tenant; "" for all tenants.',
    examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'],
  }),
  user_id: Type.Integer({ description: 'The user or service account; 0 for all.', examples: [7] }),
  session_id: Type.String({ description: 'The session; "" for all.', examples: [''] }),
})
export type Authority = Static<typeof Authority>

const AuthorityEvent = eventOf(
  'authority',
  'Forget what you remember about the permissions of these.',
  Authority,
)

export const SealedChange = Type.Object({
  id: Type.Integer({ description: 'The id of the audit record.', examples: [812] }),
  tenant_id: Uuid,
  action: Type.String({ examples: ['role.create'] }),
  resource: Type.String({ examples: ['role'] }),
  resource_id: Type.String({ examples: ['12'] }),
})
export type SealedChange = Static<typeof SealedChange>

const ChangeEvent = eventOf('change', 'An audit record was sealed. Needs `audit:read`.', SealedChange, {
  id: Type.String({ description: 'The place of the record.', examples: ['812.3'] }),
})

const GapEvent = eventOf(
  'gap',
  'Changes after the last event id are lost, or the id is not readable. Forget everything that you remember.',
  Type.Object({}),
)

export const endReasons = ['expired', 'signed_out', 'not_allowed'] as const
export type EndReason = (typeof endReasons)[number]

const EndEvent = eventOf(
  'end',
  'The last event: the token or key expired, the session ended, or the caller lost what the stream needs.',
  Type.Object({ reason: OneOf(...endReasons) }),
)

export const StreamEvent = Type.Union(
  [NotificationEvent, UnreadEvent, AuthorityEvent, ChangeEvent, GapEvent, EndEvent],
  { title: 'StreamEvent', description: 'An event of the stream, by its fields.' },
)
export type StreamEvent = Static<typeof StreamEvent>
