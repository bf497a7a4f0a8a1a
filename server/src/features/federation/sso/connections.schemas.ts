import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, Name, OneOf, Time, Uuid } from '../../../http/schemas.ts'
import { samlFields } from './saml.schemas.ts'

const ConnectionType = { ...OneOf('oidc', 'saml'), description: '`oidc`: OpenID Connect.' }
const ConnectionName = Name({ minLength: 1, maxLength: 64 }, 'Entra ID')
const AuthMethod = OneOf('client_secret_basic', 'client_secret_post')
const Claim = (example: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 128, description, examples: [example] })

const oidcFields = {
  client_id: Type.String({ minLength: 1, maxLength: 512, examples: ['tenantry'] }),
  auth_method: AuthMethod,
  scopes: Type.String({
    minLength: 6,
    maxLength: 512,
    pattern: '^[!-~]+( [!-~]+)*$',
    description: 'Separated by spaces; `openid` is one of them.',
    examples: ['openid profile email'],
  }),
  email_claim: Claim('email', 'The claim with the address.'),
  name_claim: Claim('name', 'The claim with the nickname.'),
  groups_claim: Claim('groups', 'The claim with the groups.'),
}

const Issuer = Type.String({ minLength: 8, maxLength: 1024, examples: ['https://login.example.com'] })
const SubjectClaim = {
  ...OneOf('sub', 'oid'),
  description: 'The claim that names a person for ever; `oid` is for Entra ID.',
}

export const GroupMapping = Type.Object(
  {
    group: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'A value of the groups claim, exactly. With a directory, the id of one of its groups.',
      examples: ['accounting'],
    }),
    role_id: Id,
  },
  { title: 'GroupMapping' },
)
export type GroupMapping = Static<typeof GroupMapping>

export const AttributeMapping = Type.Object(
  {
    claim: Claim('department', 'The name of the claim, or of the SAML attribute.'),
    key: Type.String({
      maxLength: 64,
      description: 'The key of an attribute of users that administrators may write.',
      examples: ['department'],
    }),
  },
  { title: 'AttributeMapping' },
)
export type AttributeMapping = Static<typeof AttributeMapping>

const commonFields = {
  name: ConnectionName,
  domains: Type.Array(Type.String({ minLength: 3, maxLength: 253 }), {
    maxItems: 20,
    description:
      'Domains of the tenant whose people sign in by this connection. A domain leads to one connection.',
    examples: [['example.com']],
  }),
  jit: Type.Boolean({ description: 'Whether a person whom nobody knows becomes a user.', examples: [true] }),
  default_role_ids: Type.Array(Id, {
    maxItems: 20,
    description: 'Roles of users whom the connection creates.',
    examples: [[7]],
  }),
  group_mappings: Type.Array(GroupMapping, { maxItems: 200 }),
  trust_mfa: Type.Boolean({
    description: 'Whether its sessions count as opened with a second factor.',
    examples: [false],
  }),
  attributes: Type.Array(AttributeMapping, {
    maxItems: 20,
    description:
      'The attributes that its claims fill at each sign-in, each key once. With a directory the claims do not count. ' +
      'Mappings whose attribute the caller may not read are not shown, and stay.',
  }),
  session_seconds: Type.Integer({ minimum: 300, maximum: 604_800, examples: [86_400] }),
}

const references = {
  application_id: Type.Union([Id, Type.Null()], {
    description: 'Its home page opens for a person who begins at the provider; null opens the console.',
    examples: [null],
  }),
  scim_account_id: Type.Union([Id, Type.Null()], {
    description:
      'The service account whose keys push users and groups: the directory. A tenant has one. With another account, or ' +
      'null, what the directory pushed is forgotten, and its users stay.',
    examples: [null],
  }),
}

const TimeOrNever = Type.String({
  description: 'ISO 8601 in UTC; "" before the first sign-in.',
  examples: ['2026-01-31T09:30:00.000Z'],
})

/** Fields from the metadata of a SAML provider. */
const readFields = {
  entity_id: Type.String({
    description: 'SAML: it never changes.',
    examples: ['https://login.example.com/entity'],
  }),
  sso_url: Type.String({ examples: ['https://login.example.com/sso'] }),
  certificates: Type.Array(Type.String(), {
    description: 'The certificates that are pinned, in base64; their dates do not count.',
    examples: [['MIIC…']],
  }),
}

export const Connection = Type.Object(
  {
    id: Uuid,
    type: ConnectionType,
    status: {
      ...OneOf('draft', 'active', 'disabled'),
      description: 'Only an `active` connection signs people in.',
    },
    ...commonFields,
    ...references,
    ...Type.Partial(Type.Object({ issuer: Issuer, ...oidcFields, subject_claim: SubjectClaim })).properties,
    ...Type.Partial(Type.Object({ ...samlFields, ...readFields })).properties,
    created_at: Time,
    updated_at: Time,
    last_used_at: TimeOrNever,
    directory_error: Type.Optional(
      Type.String({
        description: 'Only with `include=directory`: why its last refused change was refused; "" for none.',
        examples: ['Another user of the directory has this userName'],
      }),
    ),
    directory_error_at: Type.Optional(
      Type.String({
        description: 'Only with `include=directory`: ISO 8601 in UTC; "" for none.',
        examples: ['2026-01-31T09:30:00.000Z'],
      }),
    ),
    callback_url: Type.String({
      description: 'The address to register at the provider: for answers, by redirect (OIDC) or POST (SAML).',
      examples: ['https://admin.example.com/sso/oidc/3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b/callback'],
    }),
  },
  { title: 'Connection' },
)
export type Connection = Static<typeof Connection>

export const ConnectionQuery = Type.Object({
  include: Type.Optional(
    Type.Unsafe<'directory'>({
      type: 'string',
      enum: ['directory'],
      description: 'Adds the fields `directory_error` and `directory_error_at`.',
      examples: ['directory'],
    }),
  ),
})
export type ConnectionQuery = Static<typeof ConnectionQuery>

const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'No answer shows it.',
  examples: ['the secret of the client'],
})

const changeable = Type.Partial(
  Type.Object({ ...commonFields, ...references, ...oidcFields, ...samlFields }),
).properties

export const CreateConnection = Type.Object(
  {
    id: Type.Optional({
      ...Uuid,
      description:
        'An unused UUID of your choice. It gives the `callback_url` before the connection exists, for the provider.',
    }),
    ...changeable,
    type: ConnectionType,
    name: ConnectionName,
    issuer: Type.Optional(Issuer),
    client_secret: Type.Optional(ClientSecret),
    subject_claim: Type.Optional(SubjectClaim),
  },
  { title: 'CreateConnection' },
)
export type CreateConnection = Static<typeof CreateConnection>

export const UpdateConnection = Type.Object(
  {
    ...changeable,
    client_secret: Type.Optional(ClientSecret),
    status: Type.Optional({
      ...OneOf('active', 'disabled'),
      description: '`active` needs a successful test in the last 24 hours.',
    }),
  },
  { title: 'UpdateConnection' },
)
export type UpdateConnection = Static<typeof UpdateConnection>

export const connectionFields: ReadonlySet<string> = new Set(
  Object.keys({ ...CreateConnection.properties, ...UpdateConnection.properties }),
)

/** The fields that a guest of a setup link may send. */
export const guestFields: ReadonlySet<string> = new Set(
  [
    'id',
    'type',
    'name',
    'domains',
    'group_mappings',
    'status',
    'client_secret',
    'issuer',
    'subject_claim',
  ].concat(Object.keys({ ...oidcFields, ...samlFields })),
)
