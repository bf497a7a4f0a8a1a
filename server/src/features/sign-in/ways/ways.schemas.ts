import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'

const booleans = {
  password: Type.Boolean({ description: 'Whether a password proves an account.', examples: [true] }),
  passkey: Type.Boolean({ description: 'Whether a passkey proves an account.', examples: [true] }),
  email_code: Type.Boolean({
    description: 'Whether a code that is mailed to the address proves an account.',
    examples: [false],
  }),
  offer_passkey: Type.Boolean({
    description: 'Whether the sign-in offers a passkey to people without one.',
    examples: [false],
  }),
}

/** The value of the setting. */
export interface WaysValue {
  password: boolean
  passkey: boolean
  email_code: boolean
  offer_passkey: boolean
  /** Slugs; null for all active providers. */
  providers: string[] | null
}

export const Ways = Type.Object(
  {
    ...booleans,
    providers: Type.Array(
      Type.Object({
        slug: Type.String({ examples: ['google'] }),
        name: Type.String({ examples: ['Google'] }),
        kind: Type.String({ examples: ['google'] }),
      }),
      { description: 'The active providers that prove an account.' },
    ),
  },
  { title: 'Ways' },
)
export type Ways = Static<typeof Ways>
