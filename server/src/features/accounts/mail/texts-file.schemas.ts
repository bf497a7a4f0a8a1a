import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'

/** A file of `tenantry mails`: one kind of e-mail in one language. */
export const MailTextFile = Type.Object(
  {
    subject: Type.String({ minLength: 1, maxLength: 200 }),
    button: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    text: Type.String({ minLength: 1, maxLength: 10_000 }),
  },
  { additionalProperties: false },
)
export type MailTextFile = Static<typeof MailTextFile>
