import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { AfterId, Id, Name, OneOf, pageFields, Status, Time, Uuid } from '../../../http/schemas.ts'
import { attributeFilters, ListedAttributes } from '../../configuration/attributes/filters.schemas.ts'
import { Factor } from '../factors/factors.schemas.ts'

export { Session as UserSession } from '../sessions/sessions.schemas.ts'

/** Unique in the installation, compared case-insensitively. */
export const Email = Type.String({
  format: 'email',
  maxLength: 254,
  'x-trim': true,
  examples: ['ada@example.com'],
})
/** Unique in its tenant, compared case-insensitively. */
export const Username = Type.String({
  minLength: 3,
  maxLength: 64,
  pattern: '^[A-Za-z0-9._@+-]+$',
  'x-trim': true,
  examples: ['ada'],
})
/** 8 to 128 characters, all significant (docs/contract.md, "Limits"). */
export const Password = Type.String({
  minLength: 8,
  maxLength: 128,
  format: 'password',
  examples: ['correct horse battery'],
})
export const Nickname = Name({ maxLength: 64 }, 'Ada')

/**
 * A picture in the user's record, small enough for lists: browsers should load none from another host (decision 0072).
 */
const Avatar = Type.String({
  maxLength: 4096,
  pattern: '^(?:data:image/jpeg;base64,[A-Za-z0-9+/]+={0,2})?$',
  description: 'A JPEG of at most 256 by 256 pixels as a data URL, or "" for none.',
  examples: [''],
})

export const User = Type.Object(
  {
    id: Id,
    tenant_id: Uuid,
    username: Type.String({ examples: ['ada'] }),
    email: Type.String({ examples: ['ada@example.com'] }),
    nickname: Type.String({ examples: ['Ada'] }),
    avatar: Type.String({
      description: 'A JPEG as a data URL, "" where there is none.',
      examples: [''],
    }),
    status: Status,
    last_login: Type.String({
      description: 'ISO 8601 in UTC, "" before the first sign-in.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

const Security = Type.Object(
  {
    factors: Type.Array(Factor),
    email_confirmed: Type.Boolean({
      description: 'Whether the person has proved the mailbox of the present address.',
      examples: [true],
    }),
    created_at: { ...Time, description: 'When the user was created. In UTC.' },
    last_ip: Type.String({
      description: 'The address of the last sign-in to this tenant, "" before the first one.',
      examples: ['192.0.2.7'],
    }),
    connections: Type.Array(
      Type.Object({
        id: Uuid,
        name: Type.String({ examples: ['Acme'] }),
        linked_at: { ...Time, description: 'When the connection first brought the user. In UTC.' },
        last_used_at: Type.String({
          description: 'ISO 8601 in UTC, "" before the first sign-in.',
          examples: ['2026-01-31T09:30:00.000Z'],
        }),
      }),
      { description: 'The connections of this tenant that know the user, the oldest link first.' },
    ),
    directory: Type.Union(
      [
        Type.Null(),
        Type.Object({
          id: Uuid,
          name: Type.String({ examples: ['Acme'] }),
          pushed_at: { ...Time, description: 'The last push that changed the user. In UTC.' },
        }),
      ],
      { description: 'The connection whose directory pushes the user.' },
    ),
    missing_permissions: Type.Array(Type.String({ examples: ['tenant:enter'] }), {
      description:
        'The permissions that the user holds or may start, and the caller lacks. With any, the caller cannot change the user.',
    }),
  },
  { title: 'Security', description: 'Only with `include=security`.' },
)
export type Security = Static<typeof Security>

const Person = Type.Optional({
  ...Uuid,
  description: 'Only with `include=person`. Names the person in all their tenants.',
})

/** The caller's own user. */
export const Profile = Type.Object(
  {
    ...User.properties,
    email_confirmed: Type.Optional({
      ...Security.properties.email_confirmed,
      description:
        'Only with `include=email_confirmed`: whether the person has proved the mailbox of the present address.',
    }),
    has_factor: Type.Optional(
      Type.Boolean({
        description: 'Only with `include=has_factor`: whether a second factor opened this session.',
        examples: [true],
      }),
    ),
  },
  { title: 'Profile' },
)
export type Profile = Static<typeof Profile>

export const ProfileQuery = Type.Object({
  include: Type.Optional({
    ...OneOf('email_confirmed', 'has_factor', 'email_confirmed,has_factor'),
    description: 'Adds `email_confirmed`, `has_factor` or both.',
  }),
})
export type ProfileQuery = Static<typeof ProfileQuery>

/** A user, never a service account. */
export const UserDetails = Type.Object(
  { ...User.properties, person: Person, security: Type.Optional(Security) },
  { title: 'UserDetails' },
)
export type UserDetails = Static<typeof UserDetails>

export const UserDetailsQuery = Type.Object({
  include: Type.Optional({
    ...OneOf('person', 'security', 'person,security'),
    description:
      'Adds the safety of the account, which needs `user:update` as well, or the name of the person in all tenants, which ' +
      'needs `tenant:enter`.',
  }),
})
export type UserDetailsQuery = Static<typeof UserDetailsQuery>

export const FactorOfUserParams = Type.Object({ id: Id, factorId: Uuid })

export const ListedUser = Type.Object(
  {
    ...User.properties,
    roles: Type.Optional(
      Type.Array(Type.Object({ id: Id, name: Type.String({ examples: ['member'] }) }), {
        description: 'Only with `include=roles`. Templates come before the roles of the tenant.',
      }),
    ),
    created_at: Type.Optional({ ...Time, description: 'Only with `include=created_at`.' }),
    person: Person,
    attributes: ListedAttributes,
  },
  { title: 'ListedUser' },
)
export type ListedUser = Static<typeof ListedUser>

const orders = ['id', 'username', 'email', 'status', 'created_at', 'last_login'] as const
type Order = (typeof orders)[number]

/** The extras of a list: each one, and all combinations in alphabetical order. */
const extras = [
  'attributes',
  'created_at',
  'person',
  'roles',
  'attributes,created_at',
  'attributes,person',
  'attributes,roles',
  'created_at,person',
  'created_at,roles',
  'person,roles',
  'attributes,created_at,person',
  'attributes,created_at,roles',
  'attributes,person,roles',
  'created_at,person,roles',
  'attributes,created_at,person,roles',
] as const

export const UserQuery = Type.Object(
  {
    ...pageFields,
    after_id: AfterId,
    search: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'Part of username, e-mail or nickname, without case.',
        examples: ['ada'],
      }),
    ),
    status: Type.Optional(Status),
    role_id: Type.Optional({
      ...Id,
      description: 'Only users who hold this role. Needs `role:read` as well.',
    }),
    ids: Type.Optional(
      Type.String({
        pattern: '^[1-9]\\d{0,15}(,[1-9]\\d{0,15}){0,199}$',
        description: 'Only these users: up to 200 ids with commas between them. Not together with `seen`.',
        examples: ['7,8'],
      }),
    ),
    seen: Type.Optional(
      Type.Unsafe<'online' | 'today'>({
        type: 'string',
        enum: ['online', 'today'],
        description: 'Only users who are active today (UTC), or online now, as the dashboard counts them.',
        examples: ['online'],
      }),
    ),
    include: Type.Optional(
      Type.Unsafe<(typeof extras)[number]>({
        type: 'string',
        enum: [...extras],
        description:
          'Adds fields to each user. `roles` needs `role:read` as well, and `person` needs `tenant:enter`.',
        examples: ['roles'],
      }),
    ),
    sort: Type.Unsafe<Order | `-${Order}`>({
      type: 'string',
      enum: orders.flatMap((order) => [order, `-${order}`]),
      default: 'id',
      description:
        'Ascending by this field, or descending with `-` in front. `created_at` is the order of ids. More than 10,000 ' +
        'matches come by id, with the header `X-Sort-Ignored: true`.',
      examples: ['id'],
    }),
    ...attributeFilters.fields,
  },
  attributeFilters.options,
)
export type UserQuery = Static<typeof UserQuery>

export const CreateUser = Type.Object(
  {
    email: Email,
    username: Username,
    password: Password,
    nickname: Type.Optional(Nickname),
    status: Type.Optional(Status),
    must_change_password: Type.Optional(
      Type.Boolean({
        description: 'Whether the person must choose another password with the first session. Default false.',
        examples: [false],
      }),
    ),
  },
  { title: 'CreateUser' },
)
export type CreateUser = Static<typeof CreateUser>

export const UpdateUser = Type.Object(
  { email: Type.Optional(Email), nickname: Type.Optional(Nickname), status: Type.Optional(Status) },
  { title: 'UpdateUser' },
)
export type UpdateUser = Static<typeof UpdateUser>

export const RowError = Type.Object(
  {
    code: Type.Integer({ description: 'As the code of an answer.', examples: [40901] }),
    message: Type.String({ examples: ['This username is taken in the tenant'] }),
    field: Type.String({ description: '"" where no field of the row is wrong.', examples: ['username'] }),
  },
  { title: 'RowError' },
)

/** One transaction changes them, so there are at most 100. */
export const UserIds = Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true, examples: [[7, 8]] })

export const ChangeStatus = Type.Object({ user_ids: UserIds, status: Status }, { title: 'ChangeStatus' })
export type ChangeStatus = Static<typeof ChangeStatus>

const ChangeResult = Type.Object(
  {
    user_id: Id,
    status: {
      ...OneOf('changed', 'unchanged', 'refused'),
      description: '`unchanged`: the user was so already.',
    },
    error: Type.Union([RowError, Type.Null()]),
  },
  { title: 'ChangeResult' },
)

export const ChangedUsers = Type.Object(
  { results: Type.Array(ChangeResult, { description: 'Ordered by `user_id`.' }) },
  { title: 'ChangedUsers' },
)
export type ChangedUsers = Static<typeof ChangedUsers>

export const UpdateProfile = Type.Object(
  { nickname: Type.Optional(Nickname), avatar: Type.Optional(Avatar) },
  { title: 'UpdateProfile' },
)
export type UpdateProfile = Static<typeof UpdateProfile>
