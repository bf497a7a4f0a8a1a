import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { AfterId, Id, Keyword, OneOf, Page, pageFields, Time } from '../../../http/schemas.ts'
import { UserIds } from '../users/users.schemas.ts'

/** The end of a gift: 5 minutes to 400 days ahead (access/ends.ts). */
export const ExpiresAt = Type.String({
  format: 'date-time',
  maxLength: 35,
  description: '5 minutes to 400 days ahead. From then on the role counts nowhere.',
  examples: ['2026-01-31T09:30:00.000Z'],
})

/** An optional end of an assignment in an answer. */
export const EndTime = Type.String({
  description: 'In UTC; "" if it has no end.',
  examples: ['2026-01-31T09:30:00.000Z'],
})

export const AssignRole = Type.Object(
  { role_id: Id, expires_at: Type.Optional(ExpiresAt) },
  { title: 'AssignRole' },
)
export type AssignRole = Static<typeof AssignRole>

export const ChangeHolders = Type.Object(
  {
    user_ids: UserIds,
    held: Type.Boolean({ description: 'False takes the role away.', examples: [true] }),
    expires_at: Type.Optional(ExpiresAt),
  },
  { title: 'ChangeHolders' },
)
export type ChangeHolders = Static<typeof ChangeHolders>

export const ChangeEnd = Type.Object(
  { expires_at: Type.Union([ExpiresAt, Type.Null({ description: 'No end.' })]) },
  { title: 'ChangeEnd' },
)
export type ChangeEnd = Static<typeof ChangeEnd>

export const Ref = Type.Object({
  id: Type.Integer({ description: '0 if unknown.', examples: [7] }),
  name: Type.String({ description: '"" if unknown or removed.', examples: ['Editors'] }),
})

export const Assignment = Type.Object(
  {
    id: Id,
    user: Type.Object({ ...Ref.properties, type: OneOf('user', 'service_account') }),
    role: Ref,
    source: {
      ...OneOf('manual', 'default', 'invitation', 'sso'),
      description: '`default`: every new user gets it. `sso`: a group of a provider or directory gives it.',
    },
    assigned_by: Ref,
    assigned_at: Time,
    expires_at: EndTime,
  },
  { title: 'RoleAssignment' },
)
export type Assignment = Static<typeof Assignment>

export const AssignmentQuery = Type.Object({
  ...pageFields,
  user_id: Type.Optional({ ...Id, description: 'Only assignments to this user or service account.' }),
  role_id: Type.Optional({ ...Id, description: 'Only assignments of this role.' }),
  permission: Type.Optional({
    ...Keyword('invoice:export'),
    description: 'Only assignments of roles that give this permission, by its code.',
  }),
  expires_before: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 35,
      description: 'Only assignments with an end before this time.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  ),
  after_id: AfterId,
})
export type AssignmentQuery = Static<typeof AssignmentQuery>

export const AssignmentPage = Page(Assignment)
