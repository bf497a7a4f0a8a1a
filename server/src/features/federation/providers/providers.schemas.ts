import type { Static } from 'typebox'
import { ProvePassword } from '../../accounts/factors/factors.schemas.ts'
import { Name, OneOf, Time, Uuid } from '../../../http/schemas.ts'
import { Type } from '../../../values/type.ts'

const ProviderSlug = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: '^[a-z0-9-]+$',
  description: 'It never changes: `auth.ways` and the callback address name it.',
  examples: ['google'],
})
const ProviderName = Name({ minLength: 1, maxLength: 64 }, 'Google')
const ProviderKind = OneOf('google', 'microsoft', 'apple', 'github', 'oidc')

const Part = (example: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9]+$', description, examples: [example] })

const changeableFields = {
  client_id: Type.String({ minLength: 1, maxLength: 512, pattern: '^[!-~]+$', examples: ['tenantry'] }),
  scopes: Type.String({
    minLength: 1,
    maxLength: 512,
    pattern: '^[!-~]+( [!-~]+)*$',
    description: 'Separated by spaces. Without them, those that the kind needs.',
    examples: ['openid email profile'],
  }),
  allow_new: Type.Boolean({
    description: 'Whether a person without an account may get one, where registration or sign-up is open.',
    examples: [true],
  }),
}

const ownFields = {
  team_id: Part('A1B2C3D4E5', 'Of `apple`.'),
  key_id: Part('F6G7H8I9J0', 'Of `apple`: the key of `client_secret`.'),
  trusts_email: Type.Boolean({
    description: 'Of `oidc`: whether its `email_verified` proves the address of a person.',
    examples: [false],
  }),
}

const lastingFields = {
  issuer: Type.String({
    minLength: 8,
    maxLength: 1024,
    description: 'Of `oidc`. It never changes.',
    examples: ['https://login.example.com'],
  }),
  tenant: Type.String({
    maxLength: 36,
    pattern:
      '^(?:common|organizations|consumers|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})$',
    description:
      'Of `microsoft`: `common`, `organizations`, `consumers`, or the id of a tenant. It never changes.',
    examples: ['common'],
  }),
}

export const Provider = Type.Object(
  {
    id: Uuid,
    slug: ProviderSlug,
    kind: ProviderKind,
    name: ProviderName,
    status: {
      ...OneOf('draft', 'active', 'disabled'),
      description: 'Only an `active` provider signs people in.',
    },
    ...changeableFields,
    ...Type.Partial(Type.Object({ ...lastingFields, ...ownFields })).properties,
    callback_url: Type.String({
      description: 'The address to register at the provider.',
      examples: ['https://admin.example.com/sso/providers/google/callback'],
    }),
    created_at: Time,
    updated_at: Time,
    last_used_at: Type.String({
      description: 'ISO 8601 in UTC; "" before the first sign-in.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  },
  { title: 'Provider' },
)
export type Provider = Static<typeof Provider>

const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'No answer shows it. Of `apple`, the content of the .p8 file.',
  examples: ['the secret of the client'],
})

const { scopes, allow_new } = changeableFields

export const CreateProvider = Type.Object(
  {
    kind: ProviderKind,
    slug: ProviderSlug,
    name: ProviderName,
    client_id: changeableFields.client_id,
    client_secret: ClientSecret,
    ...Type.Partial(Type.Object({ scopes, allow_new, ...lastingFields, ...ownFields })).properties,
  },
  { title: 'CreateProvider' },
)
export type CreateProvider = Static<typeof CreateProvider>

export const UpdateProvider = Type.Partial(
  Type.Object({
    name: ProviderName,
    ...changeableFields,
    ...ownFields,
    client_secret: ClientSecret,
    status: {
      ...OneOf('active', 'disabled'),
      description: '`active` needs a successful test of the present fields in the last 24 hours.',
    },
  }),
  { title: 'UpdateProvider' },
)
export type UpdateProvider = Static<typeof UpdateProvider>

export const ProviderTest = Type.Object(
  {
    url: Type.String({
      description:
        'It works once, for 10 minutes, in the browser that got the cookie of this answer, and signs nobody in.',
      examples: ['https://admin.example.com/sso/start?provider=google&ticket=…'],
    }),
  },
  { title: 'ProviderTest' },
)

export const AddIdentity = Type.Object(
  { provider: ProviderSlug, ...ProvePassword.properties },
  { title: 'AddIdentity' },
)
export type AddIdentity = Static<typeof AddIdentity>

export const IdentityAddition = Type.Object(
  {
    url: Type.String({
      description:
        'It works once, for 10 minutes, for this session, in the browser that got the cookie of this answer.',
      examples: ['https://admin.example.com/sso/start?provider=google&ticket=…'],
    }),
  },
  { title: 'IdentityAddition' },
)
