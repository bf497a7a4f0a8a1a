import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'

export const Ways = Type.Object(
  {
    password: Type.Boolean({ description: 'Whether a password proves an account.', examples: [true] }),
    passkey: Type.Boolean({ description: 'Whether a passkey proves an account.', examples: [true] }),
  },
  { title: 'Ways' },
)
export type Ways = Static<typeof Ways>
