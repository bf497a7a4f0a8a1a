import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id } from '../../../http/schemas.ts'

export const PutExemption = Type.Object(
  { exempt: Type.Boolean({ examples: [true] }) },
  { title: 'PutExemption' },
)
export type PutExemption = Static<typeof PutExemption>

export const Exemption = Type.Object(
  {
    user_id: Id,
    username: Type.String({ examples: ['ada'] }),
    email: Type.String({ examples: ['ada@example.com'] }),
    has_factor: Type.Boolean({
      description: 'Without a second factor the exemption opens nothing.',
      examples: [true],
    }),
  },
  { title: 'Exemption' },
)
export type Exemption = Static<typeof Exemption>

export const RequirementEffect = Type.Object(
  {
    users: Type.Integer({ examples: [12] }),
    sessions: Type.Integer({ examples: [31] }),
  },
  { title: 'RequirementEffect' },
)
export type RequirementEffect = Static<typeof RequirementEffect>
