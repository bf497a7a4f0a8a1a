import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'

const Address = (name: string) =>
  Type.Optional(Type.String({ examples: [`https://admin.example.com/oauth2/${name}`] }))
const Some = (...examples: string[]) => Type.Optional(Type.Array(Type.String(), { examples: [examples] }))
const Whether = (example: boolean) => Type.Optional(Type.Boolean({ examples: [example] }))

/** The optional fields are absent without a usable public address. */
export const ServerMetadata = Type.Object(
  {
    issuer: Type.String({ description: 'The `iss` of tokens.', examples: ['https://admin.example.com'] }),
    jwks_uri: Type.String({ examples: ['https://admin.example.com/.well-known/jwks.json'] }),
    response_types_supported: Type.Array(Type.String({ examples: ['code'] }), {
      description: 'Empty if nobody can sign in at TENANTRY_PUBLIC_URL. Then there is no OAuth flow.',
    }),
    subject_types_supported: Type.Array(Type.String({ examples: ['public'] })),
    id_token_signing_alg_values_supported: Type.Array(Type.String({ examples: ['RS256'] }), {
      description: 'ID tokens use the first, RS256; access tokens use any algorithm of the list.',
    }),
    authorization_endpoint: Address('authorize'),
    token_endpoint: Address('token'),
    userinfo_endpoint: Address('userinfo'),
    introspection_endpoint: Address('introspect'),
    revocation_endpoint: Address('revoke'),
    device_authorization_endpoint: Address('device_authorization'),
    end_session_endpoint: Address('logout'),
    registration_endpoint: Address('register'),
    client_id_metadata_document_supported: Whether(true),
    scopes_supported: Some('openid', 'profile', 'email', 'offline_access'),
    response_modes_supported: Some('query', 'form_post'),
    grant_types_supported: Some('authorization_code', 'refresh_token'),
    code_challenge_methods_supported: Some('S256'),
    token_endpoint_auth_methods_supported: Some('client_secret_basic', 'none'),
    introspection_endpoint_auth_methods_supported: Some('client_secret_basic', 'none'),
    revocation_endpoint_auth_methods_supported: Some('client_secret_basic', 'none'),
    acr_values_supported: Some('single', 'mfa'),
    prompt_values_supported: Some('none', 'login'),
    claims_supported: Some('sub', 'email'),
    ui_locales_supported: Some('en', 'zh'),
    authorization_response_iss_parameter_supported: Whether(true),
    backchannel_logout_supported: Whether(true),
    backchannel_logout_session_supported: Whether(true),
    request_parameter_supported: Whether(false),
    request_uri_parameter_supported: Whether(false),
    claims_parameter_supported: Whether(false),
  },
  { title: 'ServerMetadata' },
)
export type ServerMetadata = Static<typeof ServerMetadata>
