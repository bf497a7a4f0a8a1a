import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'

const RedirectUris = Type.Array(Type.String(), {
  description: 'As those of a `native` application: 1 to 20.',
  examples: [['http://127.0.0.1/callback']],
})
const GrantTypes = Type.Array(Type.String(), {
  description: 'The code always; `refresh_token` where it is asked for. All else is left out.',
  examples: [['authorization_code', 'refresh_token']],
})

/** The service ignores other fields (RFC 7591, 2). */
export const RegisterClient = Type.Object({
  client_name: Type.Optional(
    Type.String({ description: 'Up to 64 characters are kept.', examples: ['Assistant'] }),
  ),
  redirect_uris: RedirectUris,
  grant_types: Type.Optional(GrantTypes),
})
export type RegisterClient = Static<typeof RegisterClient>

export const RegisteredClient = Type.Object(
  {
    client_id: Type.String({ examples: ['x4kT9mQ2sVb7LpWc1RzYeA'] }),
    client_id_issued_at: Type.Integer({ description: 'Unix seconds.', examples: [1_769_850_000] }),
    client_name: Type.String({ examples: ['Assistant'] }),
    redirect_uris: RedirectUris,
    grant_types: GrantTypes,
    response_types: Type.Array(Type.String(), { examples: [['code']] }),
    token_endpoint_auth_method: Type.String({ description: 'Always `none`.', examples: ['none'] }),
  },
  { title: 'RegisteredClient' },
)
export type RegisteredClient = Static<typeof RegisteredClient>
