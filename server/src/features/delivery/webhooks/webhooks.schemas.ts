import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, pageFields, Status, Time, Uuid } from '../../../http/schemas.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  'x-trim': true,
  description: 'https in production, to a public address, without user and password.',
  examples: ['https://example.com/hooks/tenantry'],
})
const Events = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Actions (`user.create`), resources (`user.*`) or `*`.',
  examples: [['user.*', 'role.assign']],
})
const Description = Type.String({ maxLength: 255, 'x-trim': true, examples: ['Billing'] })

const TimeOrNever = (description: string) =>
  Type.String({ description, examples: ['2026-01-31T09:30:00.000Z'] })

const webhookFields = {
  id: Id,
  tenant_id: Uuid,
  url: Type.String({ examples: ['https://example.com/hooks/tenantry'] }),
  events: Type.Array(Type.String(), { examples: [['user.*']] }),
  description: Type.String({ examples: ['Billing'] }),
  status: Status,
  all_tenants: Type.Boolean({ description: 'Whether it hears every tenant.', examples: [false] }),
  created_at: Time,
  disabled_reason: Type.String({
    description: 'Why nothing is sent; "" while it is.',
    examples: [''],
  }),
  backlog: Type.Integer({
    description:
      'Events that wait: sealed records that match `events`, among the next 10,000. With `*` or `all_tenants` all records, over at most 10,000 seals.',
    examples: [0],
  }),
  last_delivered_at: TimeOrNever('ISO 8601 in UTC; "" before the first delivery.'),
}

/** Present with `include=health`. */
const health = {
  failing_since: Type.Optional(
    TimeOrNever(
      'Only with `include=health`: the first failure of the delivery that is tried again; "" while it works.',
    ),
  ),
  last_error: Type.Optional(
    Type.String({
      description:
        'Only with `include=health`: why the last attempt failed, or the last test of an untested URL; "" while it works.',
      examples: ['the response was 500'],
    }),
  ),
}

export const Webhook = Type.Object({ ...webhookFields, ...health }, { title: 'Webhook' })
export type Webhook = Static<typeof Webhook>

export const WebhookQuery = Type.Object({
  include: Type.Optional(
    Type.Unsafe<'health'>({
      type: 'string',
      enum: ['health'],
      description: 'Adds the fields `failing_since` and `last_error`.',
      examples: ['health'],
    }),
  ),
})
export type WebhookQuery = Static<typeof WebhookQuery>

const Secret = Type.String({
  description: 'Signs the deliveries (Standard Webhooks). No later answer shows it.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const CreatedWebhook = Type.Object({ ...webhookFields, secret: Secret }, { title: 'CreatedWebhook' })
export type CreatedWebhook = Static<typeof CreatedWebhook>

export const CreateWebhook = Type.Object(
  {
    url: Url,
    events: Events,
    description: Type.Optional(Description),
    all_tenants: Type.Optional(
      Type.Boolean({
        description: 'In the built-in tenant, with `tenant:enter`: the events of every tenant.',
        examples: [false],
      }),
    ),
  },
  { title: 'CreateWebhook' },
)
export type CreateWebhook = Static<typeof CreateWebhook>

export const UpdateWebhook = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    status: Type.Optional(Status),
  },
  { title: 'UpdateWebhook' },
)
export type UpdateWebhook = Static<typeof UpdateWebhook>

export const RotateWebhookSecret = Type.Object(
  {
    keep_old_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 24,
        description: 'Hours in which deliveries carry both signatures; 24 when left out.',
        examples: [24],
      }),
    ),
  },
  { title: 'RotateWebhookSecret' },
)
export type RotateWebhookSecret = Static<typeof RotateWebhookSecret>

export const WebhookSecret = Type.Object({ secret: Secret }, { title: 'WebhookSecret' })
export type WebhookSecret = Static<typeof WebhookSecret>

export const WebhookTest = Type.Object(
  {
    status: Type.Integer({
      description: 'The HTTP status of the answer; 0 without an answer.',
      examples: [204],
    }),
    error: Type.String({ description: 'Why the test failed; "" if it did not.', examples: [''] }),
    duration_ms: Type.Integer({ examples: [38] }),
    answer: Type.String({ description: 'The first 1 kB of the answer.', examples: ['ok'] }),
  },
  { title: 'WebhookTest' },
)
export type WebhookTest = Static<typeof WebhookTest>

const DeliveryStatus = Type.Unsafe<'pending' | 'delivered' | 'failed' | 'dead'>({
  type: 'string',
  enum: ['pending', 'delivered', 'failed', 'dead'],
  description:
    '`pending`: tried again at `next_attempt_at`; `failed`: the hook was disabled over it, and goes on with it when it is ' +
    'enabled; `dead`: ended by a replay, which skips its event or sends it again as another delivery.',
  examples: ['delivered'],
})

const deliveryFields = {
  id: Id,
  event_id: Type.Integer({
    description: 'The id of the audit record; 0 for `webhook.gap`.',
    examples: [812],
  }),
  event: Type.String({ examples: ['user.create'] }),
  status: DeliveryStatus,
  attempts: Type.Integer({ examples: [1] }),
  response_status: Type.Integer({
    description: 'The status that answered the last attempt; 0 without an answer.',
    examples: [204],
  }),
  error: Type.String({ description: 'Why the last attempt failed.', examples: [''] }),
  created_at: Time,
  next_attempt_at: TimeOrNever('ISO 8601 in UTC; "" unless it is tried again.'),
  delivered_at: TimeOrNever('ISO 8601 in UTC; "" unless it was delivered.'),
}

export const Delivery = Type.Object(deliveryFields, { title: 'Delivery' })
export type Delivery = Static<typeof Delivery>

export const Attempt = Type.Object(
  {
    at: Time,
    duration_ms: Type.Integer({ examples: [38] }),
    response_status: Type.Integer({ description: '0 without an answer.', examples: [204] }),
    error: Type.String({ description: 'Why it failed; "" if it did not.', examples: [''] }),
    response: Type.String({ description: 'The first 1 kB of the answer.', examples: ['ok'] }),
  },
  { title: 'DeliveryAttempt' },
)
export type Attempt = Static<typeof Attempt>

export const DeliveryRequest = Type.Object(
  {
    headers: Type.Object({
      'content-type': Type.String({ examples: ['application/json'] }),
      'user-agent': Type.String({ examples: ['Tenantry/0.1.0'] }),
      'webhook-id': Type.String({ examples: ['msg_Uh6Vb0wMZx3y0bJ0q1Yz8u1R0m5k2c7d4e6f8a9b1c0'] }),
      'webhook-timestamp': Type.String({
        description: 'The time of the last attempt, in seconds since 1970.',
        examples: ['1769851800'],
      }),
    }),
    body: Type.String({
      description: '"" for a caller without `audit:read`, and once the record has expired.',
      examples: ['{"type":"user.create"}'],
    }),
  },
  { title: 'DeliveryRequest', description: 'The request as it was sent, but for the signatures.' },
)
export type DeliveryRequest = Static<typeof DeliveryRequest>

export const DeliveryDetails = Type.Object(
  {
    ...deliveryFields,
    history: Type.Array(Attempt, { description: 'The last 20 attempts, the newest last.' }),
    request: DeliveryRequest,
  },
  { title: 'DeliveryDetails' },
)
export type DeliveryDetails = Static<typeof DeliveryDetails>

export const DeliveryParams = Type.Object({ id: Id, deliveryId: Id })

export const DeliveryQuery = Type.Object({ ...pageFields, status: Type.Optional(DeliveryStatus) })
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const ReplayWebhook = Type.Object(
  {
    from_id: Type.Optional({ ...Id, description: 'The next record to deliver; of this tenant, and sealed.' }),
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 35,
        description: 'The next record to deliver is the first of this moment or later.',
        examples: ['2026-01-01T00:00:00Z'],
      }),
    ),
  },
  { title: 'ReplayWebhook', description: 'Either `from_id` or `from`.' },
)
export type ReplayWebhook = Static<typeof ReplayWebhook>

export const ReplayEffect = Type.Object(
  {
    again: Type.Integer({ description: 'Events that would be sent again.', examples: [12] }),
    skipped: Type.Integer({ description: 'Events that wait, and would never be sent.', examples: [0] }),
  },
  { title: 'ReplayEffect', description: 'Counted as `backlog` is.' },
)
export type ReplayEffect = Static<typeof ReplayEffect>
