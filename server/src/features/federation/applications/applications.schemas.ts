import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, Include, Name, OneOf, pageFields, Status, Time, Uuid } from '../../../http/schemas.ts'

const kinds = ['web', 'browser', 'native'] as const
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const grantTypes = ['authorization_code', 'refresh_token', deviceGrant] as const

const addressLengthMax = 512
const ApplicationName = Name({ minLength: 1, maxLength: 64 }, 'Shop')
const Kind = Type.Unsafe<(typeof kinds)[number]>({
  type: 'string',
  enum: [...kinds],
  description:
    '`web` has a secret; `browser` and `native` are programs of the user, which cannot keep one. It never changes.',
  examples: ['web'],
})
const IsThirdParty = Type.Boolean({
  description:
    'Whether users are asked for their consent. A first-party application acts for every user without consent. The value never changes.',
  examples: [false],
})

const Addresses = (minItems: number, description: string, example: string) =>
  Type.Array(Type.String({ maxLength: addressLengthMax }), {
    minItems,
    maxItems: 20,
    description,
    examples: [[example]],
  })

/** The fields that an administrator sets and may change. */
const changeable = {
  name: ApplicationName,
  status: Status,
  redirect_uris: Addresses(
    1,
    '`https` without fragment and user; `http` of the same machine only. For `native` a private scheme, too.',
    'https://shop.example.com/callback',
  ),
  post_logout_redirect_uris: Addresses(0, 'As `redirect_uris`.', 'https://shop.example.com/'),
  backchannel_logout_uri: Type.String({
    maxLength: addressLengthMax,
    description: 'Gets a logout token when a session of the application ends; "" for none.',
    examples: ['https://shop.example.com/logout'],
  }),
  allowed_origins: Addresses(
    0,
    'Origins of the pages of a `browser` application.',
    'https://shop.example.com',
  ),
  grant_types: Type.Array(OneOf(...grantTypes), {
    minItems: 1,
    maxItems: 3,
    description: '`authorization_code` always; the code of devices only for own `native` applications.',
    examples: [['authorization_code', 'refresh_token']],
  }),
  resource_ids: Type.Array(Id, {
    maxItems: 20,
    description: 'The resources that it may name.',
    examples: [[3]],
  }),
  require_mfa: Type.Boolean({
    description: 'Whether it takes only sessions with a second factor.',
    examples: [false],
  }),
  session_seconds: Type.Integer({
    minimum: 300,
    maximum: 7_776_000,
    description: 'How long a session lives after its last refresh.',
    examples: [604_800],
  }),
  tenant_ids: Type.Union([Type.Array(Uuid, { maxItems: 1000 }), Type.Null()], {
    description: 'The tenants whose people it serves; null: every tenant.',
    examples: [null],
  }),
  required_permission: Type.Union([Type.String({ maxLength: 65 }), Type.Null()], {
    description:
      'The code of a permission of the product that a user needs for the application; null: none. A deleted permission admits nobody.',
    examples: [null],
  }),
  tenantry_api: Type.Boolean({
    description:
      'Whether its tokens work at the API of Tenantry itself. Never for a third-party application.',
    examples: [false],
  }),
  logo: Type.String({
    maxLength: 22_000,
    pattern: '^(?:data:image/(?:jpeg|png);base64,[A-Za-z0-9+/]+={0,2})?$',
    description: 'A PNG or JPEG of at most 256 by 256 pixels and 16 KiB as a data URL, or "" for none.',
    examples: [''],
  }),
  home_url: Type.String({
    maxLength: addressLengthMax,
    description: 'Its home page, to which sign-in pages link; "" for none.',
    examples: ['https://shop.example.com/'],
  }),
  support_uri: Type.String({
    maxLength: addressLengthMax,
    description:
      'Its page for support sessions, only of own `web` applications; "": they do not open it. As `redirect_uris`.',
    examples: ['https://shop.example.com/support'],
  }),
}

const Ends = Type.String({
  description: 'ISO 8601 in UTC, "" for a secret without an end.',
  examples: ['2099-01-31T09:30:00.000Z'],
})

const applicationFields = {
  id: Id,
  client_id: Type.String({
    description: 'The name that the application sends; it never changes.',
    examples: ['4fZk0QpLx8RmC2vTnB7yWd'],
  }),
  kind: Kind,
  is_third_party: IsThirdParty,
  secrets: Type.Array(Type.Object({ id: Uuid, created_at: Time, expires_at: Ends })),
  ...changeable,
  created_at: Time,
  updated_at: Time,
}

export const Application = Type.Object(
  {
    ...applicationFields,
    is_registered: Type.Optional(
      Type.Boolean({
        description:
          'Only with `include=is_registered`: whether it registered itself, so that nobody has checked its name.',
        examples: [false],
      }),
    ),
  },
  { title: 'Application' },
)
export type Application = Static<typeof Application>

const Secret = Type.String({
  description: 'The secret itself. No later answer shows it.',
  examples: ['tns_4fZk0QpLx8RmC2vTnB7yWd3HsJ9gAeU6iOqKz1Xc5bN1K2n4Hd8'],
})

export const CreatedApplication = Type.Object(
  { ...applicationFields, secret: Type.Optional({ ...Secret, description: 'Only for `web`, this once.' }) },
  { title: 'CreatedApplication' },
)
export type CreatedApplication = Static<typeof CreatedApplication>

const { name, redirect_uris, ...optional } = Type.Partial(Type.Object(changeable)).properties

export const CreateApplication = Type.Object(
  {
    name: changeable.name,
    kind: Kind,
    redirect_uris: changeable.redirect_uris,
    is_third_party: Type.Optional(IsThirdParty),
    ...optional,
  },
  { title: 'CreateApplication' },
)
export type CreateApplication = Static<typeof CreateApplication>

export const UpdateApplication = Type.Object(
  { name, redirect_uris, ...optional },
  { title: 'UpdateApplication' },
)
export type UpdateApplication = Static<typeof UpdateApplication>

const include = Include('is_registered')

export const OneApplicationQuery = Type.Object({ include })
export type OneApplicationQuery = Static<typeof OneApplicationQuery>

export const ApplicationQuery = Type.Object({
  include,
  ...pageFields,
  search: Type.Optional(
    Type.String({ maxLength: 64, description: 'Part of the name, without case.', examples: ['shop'] }),
  ),
  kind: Type.Optional(Kind),
  status: Type.Optional(Status),
  is_registered: Type.Optional(
    Type.Boolean({
      description: 'false: those that administrators made; true: those that registered themselves.',
      examples: [false],
    }),
  ),
})
export type ApplicationQuery = Static<typeof ApplicationQuery>

export const CreateSecret = Type.Object(
  {
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', maxLength: 35, examples: ['2099-01-31T09:30:00Z'] }),
    ),
  },
  { title: 'CreateSecret' },
)
export type CreateSecret = Static<typeof CreateSecret>

export const CreatedSecret = Type.Object({ id: Uuid, secret: Secret }, { title: 'CreatedSecret' })
export type CreatedSecret = Static<typeof CreatedSecret>

export const SecretParams = Type.Object({ id: Id, secretId: Uuid })
