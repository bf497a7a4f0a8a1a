import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, Name, pageFields, Status, Time, Uuid } from '../../../http/schemas.ts'

const AccountName = Name({ minLength: 1, maxLength: 64 }, 'Billing')
const Description = Type.String({ maxLength: 255, 'x-trim': true, examples: ['Backend of the billing'] })

const LastUsed = Type.String({
  description: 'ISO 8601 in UTC, up to 5 minutes before the last request; "" when never used.',
  examples: ['2026-01-31T09:30:00.000Z'],
})

export const ServiceAccount = Type.Object(
  {
    id: Id,
    tenant_id: Uuid,
    name: Type.String({ examples: ['Billing'] }),
    description: Type.String({ examples: ['Backend of the billing'] }),
    status: Status,
    created_at: Time,
    last_used_at: LastUsed,
  },
  { title: 'ServiceAccount' },
)
export type ServiceAccount = Static<typeof ServiceAccount>

export const ServiceAccountQuery = Type.Object({
  ...pageFields,
  search: Type.Optional(
    Type.String({ maxLength: 64, description: 'Part of the name, without case.', examples: ['bill'] }),
  ),
  status: Type.Optional(Status),
  keys_end_within_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description: 'Only accounts with a valid key that expires within this number of days.',
      examples: [7],
    }),
  ),
})
export type ServiceAccountQuery = Static<typeof ServiceAccountQuery>

export const CreateServiceAccount = Type.Object(
  { name: AccountName, description: Type.Optional(Description) },
  { title: 'CreateServiceAccount' },
)
export type CreateServiceAccount = Static<typeof CreateServiceAccount>

export const UpdateServiceAccount = Type.Object(
  {
    name: Type.Optional(AccountName),
    description: Type.Optional(Description),
    status: Type.Optional(Status),
  },
  { title: 'UpdateServiceAccount' },
)
export type UpdateServiceAccount = Static<typeof UpdateServiceAccount>

const keyFields = {
  id: Id,
  name: Type.String({ examples: ['Production'] }),
  prefix: Type.String({ description: 'The first 12 characters of the key.', examples: ['tnt_4fZk0QpL'] }),
  created_by: Type.Integer({ description: 'The user or service account who created it.', examples: [7] }),
  created_at: Time,
  expires_at: Type.String({
    description: 'ISO 8601 in UTC, "" for a key without an end.',
    examples: ['2027-01-31T09:30:00.000Z'],
  }),
  last_used_at: LastUsed,
  allowed_cidrs: Type.Array(Type.String(), {
    description: 'Addresses and ranges that the key may be used from; empty: all.',
    examples: [['10.1.0.0/16']],
  }),
}

export const Key = Type.Object(keyFields, { title: 'Key' })
export type Key = Static<typeof Key>

export const CreatedKey = Type.Object(
  {
    ...keyFields,
    secret: Type.String({
      description: 'The key itself. No later answer shows it.',
      examples: ['tnt_4fZk0QpLx8RmC2vTnB7yWd3HsJ9gAeU6iOqKz1Xc5bN1Ku9m3Pq0Wz7Yt5Rx2Vb4Nc000000F2n4Hd8Aa'],
    }),
  },
  { title: 'CreatedKey' },
)
export type CreatedKey = Static<typeof CreatedKey>

export const CreateKey = Type.Object(
  {
    name: AccountName,
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', maxLength: 35, examples: ['2099-01-31T09:30:00Z'] }),
    ),
    allowed_cidrs: Type.Optional(
      Type.Array(Type.String({ maxLength: 49 }), { maxItems: 20, examples: [['10.1.0.0/16']] }),
    ),
  },
  { title: 'CreateKey' },
)
export type CreateKey = Static<typeof CreateKey>

export const KeyParams = Type.Object({ id: Id, keyId: Id })
