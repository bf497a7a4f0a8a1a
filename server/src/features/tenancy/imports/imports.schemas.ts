import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, OneOf, Status } from '../../../http/schemas.ts'
import { PatchAttributes } from '../../configuration/attributes/attributes.schemas.ts'
import { Email, Nickname, RowError, Username } from '../../accounts/users/users.schemas.ts'

const byPlatform = 'Taken only from callers with `tenant:enter`.'

/** A user of another system. */
export const ImportRow = Type.Object(
  {
    email: Email,
    username: Type.Optional({
      ...Username,
      description:
        'Letters a to z, digits and `._@+-`. Made from the address where it is missing, unique by a number.',
    }),
    nickname: Type.Optional(Nickname),
    status: Type.Optional(Status),
    role_ids: Type.Optional(
      Type.Array(Id, {
        maxItems: 20,
        description: 'Roles beside those that every new user gets.',
        examples: [[]],
      }),
    ),
    attributes: Type.Optional({
      ...PatchAttributes,
      description: 'Attributes that the caller may write. They need `user:update` as well.',
    }),
    password_hash: Type.Optional(
      Type.String({
        minLength: 1,
        description: `A hash of bcrypt, argon2, scrypt or PBKDF2 in a form of docs/importing-users.md. ${byPlatform}`,
        examples: ['$2b$12$dZXlZcqHDjmlvAnwJbUJ5ewxOfRJQEmrgZMTVUuDB.HQkzQCKOIJ2'],
      }),
    ),
    email_verified: Type.Optional(
      Type.Boolean({
        description: `Whether the person has proved the mailbox. ${byPlatform}`,
        examples: [true],
      }),
    ),
    totp_secret: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z2-7]{16,128}=*$',
        description: `Base32: the secret of an authenticator app (SHA-1, 6 digits, 30 seconds). ${byPlatform}`,
        examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
      }),
    ),
  },
  { title: 'ImportRow' },
)
export type ImportRow = Static<typeof ImportRow>

export const ImportUsers = Type.Object(
  { rows: Type.Array(ImportRow, { minItems: 1, maxItems: 1000 }) },
  { title: 'ImportUsers' },
)

export const ImportResult = Type.Object(
  {
    status: {
      ...OneOf('created', 'exists', 'refused'),
      description: '`exists`: the address is a user of this tenant already, and nothing changes.',
    },
    user_id: Type.Integer({ description: '0 where the row was refused.', examples: [7] }),
    error: Type.Union([RowError, Type.Null()]),
  },
  { title: 'ImportResult' },
)
export type ImportResult = Static<typeof ImportResult>

export const ImportedUsers = Type.Object(
  { results: Type.Array(ImportResult, { description: 'In the order of the rows.' }) },
  { title: 'ImportedUsers' },
)
export type ImportedUsers = Static<typeof ImportedUsers>
