import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'
import { ClientCredentialFields, Parameter } from '../clients/client-credentials.schemas.ts'

/** The longest token, in characters. */
const tokenLengthMax = 8192

export const TokenRequest = Type.Object(
  {
    ...ClientCredentialFields,
    grant_type: Parameter(
      '`authorization_code`, `refresh_token`, `client_credentials`, or the URN of RFC 8628.',
      'authorization_code',
      128,
    ),
    code: Parameter('Of `authorization_code`.', 'SplxlOBeZQQYbYS6WxSbIA'),
    redirect_uri: Parameter('The one of the authorization.', 'https://app.example.com/callback', 2048),
    code_verifier: Parameter('RFC 7636.', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'),
    device_code: Parameter('Of a device.', 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS4w'),
    refresh_token: Parameter('Of `refresh_token`.', 'eyJhbGciOiJFZERTQSJ9.e30.c2ln', tokenLengthMax),
    scope: Parameter('Of `refresh_token` and `client_credentials`.', 'openid invoice:read', tokenLengthMax),
    resource: Parameter('RFC 8707: one.', 'https://mcp.example.com/mcp'),
    subject_token: Parameter('RFC 8693: the code of a support session.', 'SplxlOBeZQQYbYS6WxSbIA'),
    subject_token_type: Parameter('RFC 8693.', 'urn:tenantry:token-type:support-code'),
    actor_token: Parameter('Refused.', 'SplxlOBeZQQYbYS6WxSbIA', tokenLengthMax),
  },
  { title: 'TokenRequest' },
)
export type TokenRequest = Static<typeof TokenRequest>

export const TokenAnswer = Type.Object(
  {
    access_token: Type.String({ examples: ['eyJhbGciOiJFZERTQSJ9.e30.c2ln'] }),
    token_type: Type.String({ examples: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'Seconds.', examples: [3600] }),
    scope: Type.String({ description: 'The scopes that were given.', examples: ['openid invoice:read'] }),
    issued_token_type: Type.Optional(
      Type.String({
        description: 'Only of a token exchange.',
        examples: ['urn:ietf:params:oauth:token-type:access_token'],
      }),
    ),
    refresh_token: Type.Optional(Type.String({ examples: ['eyJhbGciOiJFZERTQSJ9.e30.c2ln'] })),
    id_token: Type.Optional(
      Type.String({
        description: 'With the scope `openid`; at a refresh where `scope` names it.',
        examples: ['eyJhbGciOiJSUzI1NiJ9.e30.c2ln'],
      }),
    ),
  },
  { title: 'TokenAnswer' },
)
export type TokenAnswer = Static<typeof TokenAnswer>

export const TokenOfOthers = Type.Object(
  {
    ...ClientCredentialFields,
    token: Parameter('An access token or a refresh token.', 'eyJhbGciOiJFZERTQSJ9.e30.c2ln', tokenLengthMax),
    token_type_hint: Parameter('Ignored: the token tells its type.', 'refresh_token', 64),
  },
  { title: 'TokenOfOthers' },
)
export type TokenOfOthers = Static<typeof TokenOfOthers>
