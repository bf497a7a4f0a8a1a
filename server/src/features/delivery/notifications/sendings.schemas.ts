import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { BeforeId, Id, pageFields, Time, Uuid } from '../../../http/schemas.ts'
import { CreateNotification, Notification } from './notifications.schemas.ts'

export const Sending = Type.Object(
  {
    id: Id,
    tenant_id: Uuid,
    user_id: Type.Integer({ description: 'The one recipient; 0 for a role or everyone.', examples: [0] }),
    role_id: Type.Integer({ description: 'The role whose holders get it; 0 otherwise.', examples: [0] }),
    recipient: Type.String({
      description: 'The name of the user or the role at that time; empty for everyone.',
      examples: [''],
    }),
    title: Notification.properties.title,
    content: Notification.properties.content,
    type: Notification.properties.type,
    total: Type.Integer({ description: 'How many users were to get it when it began.', examples: [2500] }),
    sent: Type.Integer({ description: 'How many have got it.', examples: [1000] }),
    is_done: Type.Boolean({ description: 'false: send the next batch.', examples: [false] }),
    created_at: Time,
  },
  { title: 'Sending' },
)
export type Sending = Static<typeof Sending>

export const CreateBroadcast = Type.Object(
  {
    role_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only to the holders of this role; needs role:read besides.',
        examples: [8],
      }),
    ),
    title: CreateNotification.properties.title,
    content: CreateNotification.properties.content,
    type: CreateNotification.properties.type,
  },
  { title: 'CreateBroadcast' },
)
export type CreateBroadcast = Static<typeof CreateBroadcast>

export const SentQuery = Type.Object({ ...pageFields, before_id: BeforeId })
export type SentQuery = Static<typeof SentQuery>
