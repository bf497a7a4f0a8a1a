import { Type, type Static } from 'typebox'
import { AfterId, Id, pageFields, Status, Uuid } from '../../http/schemas.ts'

/** Unique in the whole installation, compared without case. */
export const Email = Type.String({
  format: 'email',
  maxLength: 254,
  'x-trim': true,
  examples: ['ada@example.com'],
})
/** Unique in its tenant, compared without case. */
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
export const Nickname = Type.String({ maxLength: 64, 'x-trim': true, examples: ['Ada'] })

export const User = Type.Object(
  {
    id: Id,
    tenant_id: Uuid,
    username: Type.String({ examples: ['ada'] }),
    email: Type.String({ examples: ['ada@example.com'] }),
    nickname: Type.String({ examples: ['Ada'] }),
    avatar: Type.String({ examples: [''] }),
    status: Status,
    last_login: Type.String({
      description: 'ISO 8601 in UTC, "" before the first sign-in.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

export const UserQuery = Type.Object({
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
  sort: Type.Unsafe<'id' | '-id'>({
    type: 'string',
    enum: ['id', '-id'],
    default: 'id',
    description: 'By id, the oldest first; -id: the newest first.',
    examples: ['id'],
  }),
})
export type UserQuery = Static<typeof UserQuery>

export const CreateUser = Type.Object(
  {
    email: Email,
    username: Username,
    password: Password,
    nickname: Type.Optional(Nickname),
    status: Type.Optional(Status),
  },
  { title: 'CreateUser' },
)
export type CreateUser = Static<typeof CreateUser>

export const UpdateUser = Type.Object(
  { email: Type.Optional(Email), nickname: Type.Optional(Nickname), status: Type.Optional(Status) },
  { title: 'UpdateUser' },
)
export type UpdateUser = Static<typeof UpdateUser>
