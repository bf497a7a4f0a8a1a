import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Altcha } from '../robots/robots.schemas.ts'
import { Code, PasskeyAnswer, ProvePassword, RecoveryCode } from '../../accounts/factors/factors.schemas.ts'
import { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'
import { Email, Nickname, Password, Username } from '../../accounts/users/users.schemas.ts'

export { ProvePassword, TokenPair }

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
  { email: Email, username: Username, password: Password, nickname: Type.Optional(Nickname), altcha: Altcha },
  { title: 'Register' },
)
export type Register = Static<typeof Register>

/** The schema has no rule of length: a password that is older than a rule must still open its account. */
export const GivenPassword = Type.String({
  minLength: 1,
  maxLength: 1024,
  format: 'password',
  examples: ['correct horse battery'],
})

export const AskedTenant = Type.Optional(
  Type.String({
    format: 'uuid',
    description: 'One of the tenants of the person; without it, the tenant used last.',
    examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'],
  }),
)

export const Login = Type.Object(
  { email: Email, password: GivenPassword, tenant_id: AskedTenant },
  { title: 'Login' },
)
export type Login = Static<typeof Login>

export const LoginFactor = Type.Object(
  {
    challenge: Type.String({
      minLength: 1,
      maxLength: 128,
      examples: ['Y2hhbGxlbmdlLXdpdGgtMjU2LXJhbmRvbS1iaXRzLi4'],
    }),
    code: Type.Optional(Code),
    recovery_code: Type.Optional(RecoveryCode),
    passkey: Type.Optional(PasskeyAnswer),
  },
  {
    title: 'LoginFactor',
    examples: [{ challenge: 'Y2hhbGxlbmdlLXdpdGgtMjU2LXJhbmRvbS1iaXRzLi4', code: '492039' }],
  },
)
export type LoginFactor = Static<typeof LoginFactor>

export const PasskeyLogin = Type.Object(
  { response: PasskeyAnswer, tenant_id: AskedTenant },
  { title: 'PasskeyLogin' },
)
export type PasskeyLogin = Static<typeof PasskeyLogin>

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

/** Paths below the root of the host, not below /api/v1. */
export const keySetPath = '/.well-known/jwks.json'

const keyPart = (meaning: string, example: string) =>
  Type.Optional(Type.String({ description: meaning, examples: [example] }))

export const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String({ examples: ['OKP'] }),
        crv: keyPart('The curve of an EdDSA or ES256 key.', 'Ed25519'),
        x: keyPart('The point of an EdDSA or ES256 key.', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
        y: keyPart('The second coordinate of an ES256 key.', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
        n: keyPart(
          'The modulus of an RS256 key.',
          'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1Wl',
        ),
        e: keyPart('The exponent of an RS256 key.', 'AQAB'),
        kid: Type.String({ examples: ['0f6b2c7e-5d5e-4f7a-9a51-7f1d3c9b2a10'] }),
        alg: Type.String({ examples: ['EdDSA'] }),
        use: Type.String({ examples: ['sig'] }),
      }),
    ),
  },
  { title: 'KeySet' },
)
export type KeySet = Static<typeof KeySet>
