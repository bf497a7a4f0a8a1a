import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf } from '../../../http/schemas.ts'

/** The rules for new passwords: the setting `auth.passwords`. */
export const PasswordRules = Type.Object(
  {
    min_length: Type.Integer({
      description: 'The fewest characters. The most are 128.',
      examples: [15],
    }),
    refuse_common: Type.Boolean({
      description: 'Refuses a password of the built-in list of common ones.',
      examples: [true],
    }),
    refuse_personal: Type.Boolean({
      description: 'Refuses names and addresses of the person, the organization and the product.',
      examples: [true],
    }),
    breached: {
      ...OneOf('off', 'refuse'),
      description: '`refuse`: refuses a password of the list of leaked ones.',
    },
  },
  { title: 'PasswordRules' },
)
export type PasswordRules = Static<typeof PasswordRules>
