import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'
import { OneOf, PasskeyRequestOptions, Uuid } from '../../../../http/schemas.ts'
import { GivenPassword, LoginFactor, PasskeyLogin, Register } from '../../../sign-in/auth/auth.schemas.ts'
import { MailedCode } from '../../../sign-in/auth/email-code.schemas.ts'
import { ChangeEmail, ForgotPassword, LinkToken, VerifyEmail } from '../../../sign-in/auth/email.schemas.ts'
import {
  Code,
  FactorName,
  NewPasskey,
  OwnPassword,
  PasskeyCreationOptions,
  TotpSecret,
} from '../../../accounts/factors/factors.schemas.ts'
import { Altcha } from '../../../sign-in/robots/robots.schemas.ts'
import { SignUp } from '../../../tenancy/sign-up/sign-up.schemas.ts'
import { Email, Password } from '../../../accounts/users/users.schemas.ts'

const Text = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description === undefined ? {} : { description }) })

const Branding = Type.Object({
  name: Text('Acme'),
  logo: Text('', 'A data URL, "" for none.'),
  logo_dark: Text('', 'The logo on a dark page, "" for the same.'),
  icon: Text('', 'The icon of the window: a data URL, "" for none.'),
  color: Text('#3366ff', '"" for none.'),
})

export const Interaction = Type.Object(
  {
    id: Uuid,
    step: OneOf(
      'identify',
      'password',
      'email_code',
      'factor',
      'enrol',
      'new_password',
      'offer_passkey',
      'verify_email',
      'proof',
      'tenant',
      'consent',
      'done',
    ),
    application: Type.Object({
      name: Text('Invoices'),
      logo: Text('', 'A data URL, "" for none.'),
      home_url: Text('https://invoices.example.com'),
      is_third_party: Type.Boolean({ examples: [false] }),
      is_registered: Type.Boolean({ description: 'The application registered itself.', examples: [false] }),
      redirect_host: Text('invoices.example.com', 'The answer goes there.'),
    }),
    branding: Branding,
    tenants: Type.Array(Type.Object({ id: Uuid, name: Text('Acme') })),
    scopes: Type.Array(
      Type.Object({
        code: Text('invoice:read'),
        name: Text('Read invoices'),
        description: Text(''),
        is_new: Type.Boolean({ examples: [true] }),
        is_change: Type.Boolean({
          description: 'True for a permission of Tenantry that changes something.',
          examples: [false],
        }),
      }),
    ),
    source: Text('203.0.113.7', 'The address of the device that asks; "" without a device.'),
    account: Text('ada@example.com', 'The address that was typed or is signed in, else "".'),
    methods: Type.Array(
      Type.String({
        pattern: '^[a-z_]+(?::[a-z0-9-]{1,32})?$',
        description:
          '`password`, `passkey`, `email_code`, `link`, `register`, `sign_up`, `first_admin`, `totp`, `recovery_code` or `provider:<slug>`.',
        examples: ['password'],
      }),
    ),
    passkey_options: Type.Union([Type.Null(), PasskeyRequestOptions]),
    asks_password: Type.Boolean({
      description: 'At `enrol`: the person gives the password again, because 5 minutes have passed.',
      examples: [false],
    }),
    enrolment: Type.Union([Type.Null(), TotpSecret, PasskeyCreationOptions]),
    recovery_codes: Type.Optional(
      Type.Array(Text('7K2D-9FQX-M3TB-4HWZ'), { description: 'Once, with the first factor.' }),
    ),
    is_unpermitted: Type.Boolean({
      description:
        'At `done`: the person lacks the permission that the application requires, in the one tenant of `tenants`. The application gets `access_denied`.',
      examples: [false],
    }),
    redirect_to: Text('https://invoices.example.com/cb?code=3f2b', '"" until `done`.'),
  },
  { title: 'Interaction' },
)
export type Interaction = Static<typeof Interaction>

export const Identify = Type.Object({ email: Email }, { title: 'Identify' })
export const GivePassword = Type.Object({ email: Email, password: GivenPassword }, { title: 'GivePassword' })
export const GiveFactor = Type.Omit(LoginFactor, ['challenge'], { title: 'GiveFactor' })
export const GivePasskey = Type.Omit(PasskeyLogin, ['tenant_id'], { title: 'GivePasskey' })
export const GiveEmailCode = Type.Object(
  { code: Type.Optional(MailedCode), altcha: Altcha },
  { title: 'GiveEmailCode' },
)
export type GiveEmailCode = Static<typeof GiveEmailCode>
export const GiveProof = Type.Object(
  {
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 128, examples: ['the token of the link'] })),
  },
  { title: 'GiveProof' },
)
export type GiveProof = Static<typeof GiveProof>
export { ChangeEmail, ForgotPassword, Register, SignUp, VerifyEmail }

export const FindWayBack = Type.Object({ token: LinkToken }, { title: 'FindWayBack' })
export const WayBack = Type.Object(
  {
    application: Type.Union([
      Type.Null(),
      Type.Object({ name: Text('Invoices'), home_url: Text('https://invoices.example.com') }),
    ]),
    email: Type.String({
      description: 'The e-mail that received the link. Empty for a sign-up.',
      examples: ['ada@example.com'],
    }),
    asks_password: Type.Boolean({
      description: 'Whether the link ends the password, so that its page asks for a new one.',
      examples: [false],
    }),
  },
  { title: 'WayBack' },
)
export type WayBack = Static<typeof WayBack>

export const FindLook = Type.Object(
  {
    client_id: Type.Optional(Type.String({ maxLength: 2048, examples: ['k3Jd9sLq2ZxV7bNmW4tRyA'] })),
    tenant: Type.Optional(
      Type.String({ maxLength: 64, description: 'Id or slug of a tenant.', examples: ['acme'] }),
    ),
  },
  { title: 'FindLook' },
)
export type FindLook = Static<typeof FindLook>
export const Look = Type.Object(
  {
    application: Type.Union([
      Type.Null(),
      Type.Object({
        name: Text('Invoices'),
        logo: Text('', 'A data URL, "" for none.'),
        home_url: Text('https://invoices.example.com', '"" for none.'),
      }),
    ]),
    branding: Branding,
  },
  { title: 'Look' },
)
export type Look = Static<typeof Look>

export const ChooseNewPassword = Type.Object({ new_password: Password }, { title: 'ChooseNewPassword' })

export const Enrol = Type.Object(
  {
    type: OneOf('totp', 'passkey'),
    name: FactorName,
    password: OwnPassword,
  },
  { title: 'Enrol' },
)
export type Enrol = Static<typeof Enrol>

export const ConfirmEnrolment = Type.Object(
  {
    code: Type.Optional(Code),
    response: Type.Optional(NewPasskey),
  },
  { title: 'ConfirmEnrolment' },
)
export type ConfirmEnrolment = Static<typeof ConfirmEnrolment>

export const ChooseTenant = Type.Object({ tenant_id: Uuid }, { title: 'ChooseTenant' })
export const Consent = Type.Object({ allow: Type.Boolean({ examples: [true] }) }, { title: 'Consent' })
