import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf } from '../../../http/schemas.ts'

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
