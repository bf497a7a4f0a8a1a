import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'

/** A parameter of a form. Validation refuses a longer value first. */
export const Parameter = (description: string, example: string, maxLength = 1024) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

/** Client credentials in the body (RFC 6749, 2.3.1). */
export const ClientCredentialFields = {
  client_id: Parameter('Not beside the header `Authorization`.', 'x4kT9mQ2sVb7LpWc1RzYeA', 512),
  client_secret: Parameter('Of a `web` application, or the key of a service account.', 'tns_…', 256),
}
const ClientCredentials = Type.Object(ClientCredentialFields)
export type ClientCredentials = Static<typeof ClientCredentials>
