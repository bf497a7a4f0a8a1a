import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Include, Name, OneOf, optionalPageFields, Status, Time, Uuid } from '../../../http/schemas.ts'
import { attributeFilters, ListedAttributes } from '../../configuration/attributes/filters.schemas.ts'
import { Invitation } from '../invitations/invitations.schemas.ts'
import { Email } from '../../accounts/users/users.schemas.ts'

export const TenantName = Name({ minLength: 1, maxLength: 128 }, 'Analytical Engines')
/** Belongs to the description of each slug, because errors quote it. */
export const slugForm = 'Lower-case letters and digits, with single `-` or `_` between them.'

export const Slug = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9]+(?:[-_][a-z0-9]+)*$',
  description: slugForm,
  examples: ['analytical-engines'],
})

export const Tenant = Type.Object(
  {
    id: Uuid,
    name: Type.String({ examples: ['Analytical Engines'] }),
    slug: Type.String({ examples: ['analytical-engines'] }),
    status: Status,
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Tenant' },
)
export type Tenant = Static<typeof Tenant>

export const Figures = Type.Object(
  {
    users: Type.Integer({ minimum: 0, examples: [48] }),
    administrators: Type.Integer({
      minimum: 0,
      description: 'Users with the role `admin`; in the built-in tenant with `platform-admin`.',
      examples: [2],
    }),
    last_seen_on: Type.String({
      description: 'The last UTC day on which a user was seen; empty without one.',
      examples: ['2026-11-30'],
    }),
    limit_share: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'How much of its limit of users the tenant uses, in percent. Null without a limit.',
      examples: [96],
    }),
  },
  { title: 'TenantFigures' },
)
export type Figures = Static<typeof Figures>

export const ListedTenant = Type.Object(
  {
    ...Tenant.properties,
    attributes: ListedAttributes,
    figures: Type.Optional({ ...Figures, description: 'Only with `include=figures`.' }),
  },
  { title: 'ListedTenant' },
)
export type ListedTenant = Static<typeof ListedTenant>

export const figureOrders = ['users', 'administrators', 'last_seen_on', 'limit_share'] as const
const orders = ['created_at', 'name', 'slug', 'status', 'updated_at', ...figureOrders] as const
type Order = (typeof orders)[number]

/** Without a page, the answer is the whole list. */
export const TenantQuery = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        maxLength: 128,
        description: 'Part of name or slug, without case.',
        examples: ['engines'],
      }),
    ),
    status: Type.Optional(Status),
    sort: Type.Optional(
      Type.Unsafe<Order | `-${Order}`>({
        type: 'string',
        enum: orders.flatMap((order) => [order, `-${order}`]),
        description:
          'Ascending by this field, or descending with `-` in front; otherwise in the order of creation. ' +
          'A figure needs `tenant:enter` as well.',
        examples: ['name'],
      }),
    ),
    ...optionalPageFields,
    include: Type.Optional({
      ...OneOf('attributes', 'figures', 'attributes,figures'),
      description: 'Adds the attributes, or the figures, which need `tenant:enter` as well.',
    }),
    ...attributeFilters.fields,
  },
  attributeFilters.options,
)
export type TenantQuery = Static<typeof TenantQuery>

export const CreateTenant = Type.Object(
  {
    name: TenantName,
    slug: Slug,
    admin_email: Type.Optional({
      ...Email,
      description: 'The address of the first administrator, which is invited in the same transaction.',
    }),
    admin_language: Type.Optional({
      ...OneOf('en', 'zh'),
      description: 'The language of that invitation for an address without an account.',
    }),
  },
  { title: 'CreateTenant' },
)
export type CreateTenant = Static<typeof CreateTenant>

export const CreateTenantQuery = Type.Object({ include: Include('invitation') })
export type CreateTenantQuery = Static<typeof CreateTenantQuery>

export const CreatedTenant = Type.Object(
  {
    ...Tenant.properties,
    invitation: Type.Optional(
      Type.Union([Type.Null(), Invitation], {
        description:
          'Only with `include=invitation`: that of the first administrator; null without `admin_email`.',
      }),
    ),
  },
  { title: 'CreatedTenant' },
)
export type CreatedTenant = Static<typeof CreatedTenant>

export const UpdateTenant = Type.Object(
  { name: Type.Optional(TenantName), slug: Type.Optional(Slug), status: Type.Optional(Status) },
  { title: 'UpdateTenant' },
)
export type UpdateTenant = Static<typeof UpdateTenant>
