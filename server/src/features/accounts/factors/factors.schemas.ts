import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { KnownPasskey, Name, OneOf, Time, Uuid, type transports } from '../../../http/schemas.ts'

export type Transport = (typeof transports)[number]

/** The schema has no rule of length: a password that is older than a rule must still work. */
export const OwnPassword = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1024,
    format: 'password',
    description:
      'The own password. An account without one leaves it out, and needs a sign-in within the last 10 minutes.',
    examples: ['correct horse battery'],
  }),
)

export const FactorName = Name({ minLength: 1, maxLength: 64 }, 'Telephone')

export const Code = Type.String({
  minLength: 1,
  maxLength: 16,
  description: 'The six digits that an authenticator app shows.',
  examples: ['492039'],
})

export const RecoveryCode = Type.String({ minLength: 1, maxLength: 64, examples: ['7K2D-9FQX-M3TB-4HWZ'] })

/** Bytes in base64url, of at most `maxLength` characters. */
const Bytes = (maxLength: number, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'base64url',
    examples: [example],
  })

/** A credential id has up to 1023 bytes, which are 1364 characters. */
const CredentialId = Bytes(1364, 'kH9fYh3mXb0c1YbqCrw5Jw')
/** A string, as in the types of the DOM. */
const CredentialType = Type.String({ pattern: '^public-key$', examples: ['public-key'] })
const ClientData = Bytes(4096, 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0')

/** The answer of `navigator.credentials.create`, in its JSON form. */
export const NewPasskey = Type.Object(
  {
    id: CredentialId,
    rawId: CredentialId,
    type: CredentialType,
    response: Type.Object({
      clientDataJSON: ClientData,
      attestationObject: Bytes(16_384, 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ'),
      transports: Type.Optional(
        Type.Array(Type.String({ maxLength: 32, examples: ['internal'] }), { maxItems: 10 }),
      ),
    }),
  },
  { title: 'NewPasskey' },
)
export type NewPasskey = Static<typeof NewPasskey>

/** The answer of `navigator.credentials.get`, in its JSON form. */
export const PasskeyAnswer = Type.Object(
  {
    id: CredentialId,
    rawId: CredentialId,
    type: CredentialType,
    response: Type.Object({
      clientDataJSON: ClientData,
      authenticatorData: Bytes(4096, 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M'),
      signature: Bytes(4096, 'MEUCIQDq1i3s0m8'),
      userHandle: Type.Optional(Bytes(128, 'c29tZS1yYW5kb20taGFuZGxl')),
    }),
  },
  { title: 'PasskeyAnswer' },
)
export type PasskeyAnswer = Static<typeof PasskeyAnswer>

export const Factor = Type.Object(
  {
    id: Uuid,
    type: OneOf('totp', 'passkey'),
    name: Type.String({ examples: ['Telephone'] }),
    created_at: Time,
    last_used_at: Type.String({
      description: 'ISO 8601 in UTC, "" before the first use.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  },
  { title: 'Factor' },
)
export type Factor = Static<typeof Factor>

const AcceptedPasskeys = Type.Object(
  {
    rpId: Type.String({ examples: ['admin.example.com'] }),
    userId: Type.String({ examples: ['c29tZS1yYW5kb20taGFuZGxl'] }),
    allAcceptedCredentialIds: Type.Array(Type.String({ examples: ['kH9fYh3mXb0c1YbqCrw5Jw'] })),
  },
  {
    description:
      'The options of `PublicKeyCredential.signalAllAcceptedCredentials`. Null if the account never had a passkey.',
  },
)

export const Factors = Type.Object(
  {
    factors: Type.Array(Factor),
    recovery_codes_left: Type.Integer({ examples: [10] }),
    has_password: Type.Boolean({ description: 'Whether the account has a password.', examples: [true] }),
    accepted_passkeys: Type.Union([Type.Null(), AcceptedPasskeys]),
  },
  { title: 'Factors' },
)
export type Factors = Static<typeof Factors>

export const ProvePassword = Type.Object({ password: OwnPassword }, { title: 'ProvePassword' })
export type ProvePassword = Static<typeof ProvePassword>

export const AddTotp = Type.Object({ name: FactorName, password: OwnPassword }, { title: 'AddTotp' })
export type AddTotp = Static<typeof AddTotp>

export const TotpSecret = Type.Object(
  {
    id: Uuid,
    secret: Type.String({
      description: 'base32, to type into an authenticator app. It is shown once.',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
    otpauth_uri: Type.String({
      description: 'The same for a QR code.',
      examples: [
        'otpauth://totp/Tenantry:ada%40example.com?issuer=Tenantry&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      ],
    }),
  },
  { title: 'TotpSecret' },
)
export type TotpSecret = Static<typeof TotpSecret>

export const ConfirmTotp = Type.Object({ code: Code }, { title: 'ConfirmTotp' })
export type ConfirmTotp = Static<typeof ConfirmTotp>

const CodesShownOnce = Type.Array(RecoveryCode, {
  description: 'Ten codes, each of which works once. They are shown once.',
})
const CodesOfFirst = Type.Array(RecoveryCode, {
  description: 'Ten codes with the first factor, each of which works once; else none. They are shown once.',
})

export const RecoveryCodes = Type.Object({ recovery_codes: CodesShownOnce }, { title: 'RecoveryCodes' })
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const TotpConfirmed = Type.Object({ recovery_codes: CodesOfFirst }, { title: 'TotpConfirmed' })
export type TotpConfirmed = Static<typeof TotpConfirmed>

/** Options for `navigator.credentials.create`, in the JSON form of WebAuthn. */
export const PasskeyCreationOptions = Type.Object(
  {
    challenge: Type.String({ examples: ['Y2hhbGxlbmdlLXdpdGgtMjU2LXJhbmRvbS1iaXRzLi4'] }),
    rp: Type.Object({
      id: Type.String({ examples: ['admin.example.com'] }),
      name: Type.String({ examples: ['Tenantry'] }),
    }),
    user: Type.Object({
      id: Type.String({ examples: ['c29tZS1yYW5kb20taGFuZGxl'] }),
      name: Type.String({ examples: ['ada@example.com'] }),
      displayName: Type.String({ examples: ['ada@example.com'] }),
    }),
    pubKeyCredParams: Type.Array(
      Type.Object({ alg: Type.Integer({ examples: [-7] }), type: OneOf('public-key') }),
    ),
    timeout: Type.Integer({ description: 'Milliseconds.', examples: [300_000] }),
    attestation: OneOf('none'),
    excludeCredentials: Type.Array(KnownPasskey),
    authenticatorSelection: Type.Object({
      residentKey: OneOf('required'),
      requireResidentKey: Type.Boolean({ examples: [true] }),
      userVerification: OneOf('required'),
    }),
  },
  { title: 'PasskeyCreationOptions' },
)
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>

export const AddPasskey = Type.Object({ name: FactorName, response: NewPasskey }, { title: 'AddPasskey' })
export type AddPasskey = Static<typeof AddPasskey>

export const PasskeyAdded = Type.Object({ id: Uuid, recovery_codes: CodesOfFirst }, { title: 'PasskeyAdded' })
export type PasskeyAdded = Static<typeof PasskeyAdded>
