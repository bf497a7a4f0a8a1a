import { Type, type Static } from 'typebox'

/** A parameter of a form. Longer ones are refused before anything else looks at them. */
export const Parameter = (description: string, example: string, maxLength = 1024) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

/** The credentials of a client in the body. */
export const ClientCredentialFields = {
  client_id: Parameter('Not beside the header `Authorization`.', 'x4kT9mQ2sVb7LpWc1RzYeA', 512),
  client_secret: Parameter('Of a `web` application, or the key of a service account.', 'tns_…', 256),
}
const ClientCredentials = Type.Object(ClientCredentialFields)
export type ClientCredentials = Static<typeof ClientCredentials>
