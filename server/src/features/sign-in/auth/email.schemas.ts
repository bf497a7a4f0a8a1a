import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf } from '../../../http/schemas.ts'
import { OwnPassword } from '../../accounts/factors/factors.schemas.ts'
import { PasswordRules } from '../../accounts/passwords/passwords.schemas.ts'
import { Email, Password } from '../../accounts/users/users.schemas.ts'
import { Altcha, Robots } from '../robots/robots.schemas.ts'
import { Ways } from '../ways/ways.schemas.ts'

/** The token of a link, from the fragment of its address. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 128,
  examples: ['q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k'],
})

export const AuthOptions = Type.Object(
  {
    registration: Type.Boolean({ description: 'Whether anybody may register.', examples: [true] }),
    sign_up: {
      ...OneOf('user', 'organization', 'closed'),
      description:
        'How strangers can register: as users of the built-in tenant, with an organization of their own, or not at all.',
    },
    password_reset: Type.Boolean({
      description: 'Whether a forgotten password can be reset.',
      examples: [true],
    }),
    mail: Type.Boolean({ description: 'Whether the installation sends e-mails.', examples: [true] }),
    mail_in_files: Type.Boolean({
      description: 'Whether e-mails become files in the data folder, because no mail server is set.',
      examples: [false],
    }),
    passkeys: Type.Boolean({ description: 'Whether one can sign in with a passkey.', examples: [false] }),
    ways: { ...Ways, description: 'The ways to sign in: of the named tenant, else of the installation.' },
    passwords: {
      ...PasswordRules,
      description: 'The rules for new passwords: of the named tenant, else of the installation.',
    },
    robots: Robots,
  },
  { title: 'AuthOptions' },
)
export type AuthOptions = Static<typeof AuthOptions>

export const AuthOptionsQuery = Type.Object({
  tenant: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The id or slug of a tenant. An unknown one changes nothing.',
      examples: ['acme'],
    }),
  ),
})
export type AuthOptionsQuery = Static<typeof AuthOptionsQuery>

export const ForgotPassword = Type.Object({ email: Email, altcha: Altcha }, { title: 'ForgotPassword' })
export type ForgotPassword = Static<typeof ForgotPassword>

export const ResetPassword = Type.Object(
  { token: LinkToken, new_password: Password },
  { title: 'ResetPassword' },
)
export type ResetPassword = Static<typeof ResetPassword>

export const VerifyEmail = Type.Object(
  { token: LinkToken, new_password: Type.Optional(Password) },
  { title: 'VerifyEmail', examples: [{ token: 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k' }] },
)
export type VerifyEmail = Static<typeof VerifyEmail>

export const ChangeEmail = Type.Object({ email: Email, password: OwnPassword }, { title: 'ChangeEmail' })
export type ChangeEmail = Static<typeof ChangeEmail>
