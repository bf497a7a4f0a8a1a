import { Type, type Static } from 'typebox'
import { Email, Nickname, Password, Username } from '../users/users.schemas.ts'

export const TokenPair = Type.Object(
  {
    access_token: Type.String({
      description: 'JWT, to send as `Authorization: Bearer …`. Lives 2 hours.',
      examples: ['eyJhbGciOiJFZERTQSJ9.eyJ0b2tlbl91c2UiOiJhY2Nlc3MifQ.c2lnbmF0dXJl'],
    }),
    refresh_token: Type.String({
      description: 'JWT, for POST /auth/refresh alone. Lives 7 days, works once.',
      examples: ['eyJhbGciOiJFZERTQSJ9.eyJ0b2tlbl91c2UiOiJyZWZyZXNoIn0.c2lnbmF0dXJl'],
    }),
    expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.', examples: [7200] }),
  },
  { title: 'TokenPair' },
)
export type TokenPair = Static<typeof TokenPair>

export const Registration = Type.Object(
  {
    open: Type.Boolean({ description: 'Whether anybody may register.', examples: [true] }),
    first_becomes_admin: Type.Boolean({
      description:
        'Whether nobody has registered yet, and who registers first becomes platform administrator.',
      examples: [false],
    }),
  },
  { title: 'Registration' },
)
export type Registration = Static<typeof Registration>

export const Register = Type.Object(
  { email: Email, username: Username, password: Password, nickname: Type.Optional(Nickname) },
  { title: 'Register' },
)
export type Register = Static<typeof Register>

/** Whatever is sent is looked up as it is: a password from before a change of rules must still open its account. */
const GivenPassword = Type.String({
  minLength: 1,
  maxLength: 1024,
  format: 'password',
  examples: ['correct horse battery'],
})

export const Login = Type.Object({ email: Email, password: GivenPassword }, { title: 'Login' })
export type Login = Static<typeof Login>

export const Refresh = Type.Object(
  {
    refresh_token: Type.String({
      minLength: 1,
      maxLength: 4096,
      examples: ['eyJhbGciOiJFZERTQSJ9.eyJ0b2tlbl91c2UiOiJyZWZyZXNoIn0.c2lnbmF0dXJl'],
    }),
  },
  { title: 'Refresh' },
)
export type Refresh = Static<typeof Refresh>

export const ChangePassword = Type.Object(
  { old_password: GivenPassword, new_password: Password },
  { title: 'ChangePassword' },
)
export type ChangePassword = Static<typeof ChangePassword>

export const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String({ examples: ['OKP'] }),
        crv: Type.String({ examples: ['Ed25519'] }),
        x: Type.String({ examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'] }),
        kid: Type.String({ examples: ['0f6b2c7e-5d5e-4f7a-9a51-7f1d3c9b2a10'] }),
        alg: Type.String({ examples: ['EdDSA'] }),
        use: Type.String({ examples: ['sig'] }),
      }),
    ),
  },
  { title: 'KeySet' },
)
export type KeySet = Static<typeof KeySet>
