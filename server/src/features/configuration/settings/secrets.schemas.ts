import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf } from '../../../http/schemas.ts'

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
