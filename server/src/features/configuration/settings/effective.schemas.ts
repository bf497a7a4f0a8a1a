import { Type, type Static } from 'typebox'
import { Id, OneOf, Time } from '../../../http/schemas.ts'
import { Prefix } from './definitions.schemas.ts'

const keysMax = 100

export const Effective = Type.Object(
  {
    key: Type.String({ examples: ['mail.sender'] }),
    value: Type.Unknown({ description: 'Null for a secret.', examples: ['no-reply@example.com'] }),
    origin: OneOf('user', 'tenant', 'global', 'default'),
    is_locked: Type.Boolean({ description: 'Tenants and users cannot set it.', examples: [false] }),
    is_secret: Type.Boolean({ examples: [false] }),
    is_set: Type.Boolean({ description: 'Whether a stored value counts.', examples: [true] }),
    updated_at: Type.String({ description: '"" for a default.', examples: ['2026-01-31T09:30:00.000Z'] }),
  },
  { title: 'EffectiveSetting' },
)
export type Effective = Static<typeof Effective>

const UserId = Type.Optional(
  Type.Integer({
    ...Id,
    description:
      'A user of the tenant in scope; without it the caller. That of another user needs `user:read`.',
  }),
)

export const EffectiveQuery = Type.Object({
  prefix: Type.Optional(Prefix),
  keys: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 13_000,
      pattern: `^[A-Za-z0-9._:-]{1,128}(?:,[A-Za-z0-9._:-]{1,128}){0,${keysMax - 1}}$`,
      description: `Up to ${keysMax} keys, with commas between them.`,
      examples: ['mail.sender,mail.footer'],
    }),
  ),
  user_id: UserId,
})
export type EffectiveQuery = Static<typeof EffectiveQuery>

export const OneEffectiveQuery = Type.Object({ user_id: UserId })

export const UserSetting = Type.Object(
  {
    key: Type.String({ examples: ['ui.density'] }),
    value: Type.Unknown({ examples: ['compact'] }),
    scope: OneOf('user'),
    tenant_id: Type.String({ examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'] }),
    updated_at: Time,
  },
  { title: 'UserSetting' },
)
export type UserSetting = Static<typeof UserSetting>

export const ReadSecrets = Type.Object(
  {
    keys: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: 128,
        pattern: '^[A-Za-z0-9._:-]+$',
        examples: ['smtp.password'],
      }),
      { minItems: 1, maxItems: 20 },
    ),
  },
  { title: 'ReadSecrets' },
)
export type ReadSecrets = Static<typeof ReadSecrets>

export const SecretValue = Type.Object(
  {
    key: Type.String({ examples: ['smtp.password'] }),
    value: Type.String({ examples: ['…'] }),
    origin: OneOf('tenant', 'global'),
  },
  { title: 'SecretValue' },
)
export type SecretValue = Static<typeof SecretValue>
