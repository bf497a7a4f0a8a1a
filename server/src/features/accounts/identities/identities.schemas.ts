import type { Static } from 'typebox'
import { Time, Uuid } from '../../../http/schemas.ts'
import { ProvePassword } from '../factors/factors.schemas.ts'
import { Type } from '../../../values/type.ts'

export const Identity = Type.Object(
  {
    id: Uuid,
    provider: Type.Object({
      slug: Type.String({ examples: ['google'] }),
      name: Type.String({ examples: ['Google'] }),
      kind: Type.String({ examples: ['google'] }),
    }),
    label: Type.String({
      description: 'The address or login at the provider.',
      examples: ['ada@example.com'],
    }),
    created_at: Time,
    last_used_at: Type.String({
      description: 'ISO 8601 in UTC; "" before the first sign-in.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  },
  { title: 'Identity' },
)
export type Identity = Static<typeof Identity>

export { ProvePassword }
