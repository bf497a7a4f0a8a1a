import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, Status } from '../../../http/schemas.ts'
import { ExpiresAt } from '../roles/assignments.schemas.ts'
import { PermissionIds } from '../roles/roles.schemas.ts'

/** A change that an endpoint could make. The service checks the fields that each kind needs. */
const Change = Type.Object(
  {
    kind: Type.Unsafe<
      'replace_permissions' | 'assign_role' | 'unassign_role' | 'delete_role' | 'set_user_status'
    >({
      type: 'string',
      enum: ['replace_permissions', 'assign_role', 'unassign_role', 'delete_role', 'set_user_status'],
      description:
        '`replace_permissions` needs `role_id` and `permission_ids`; `assign_role` and `unassign_role` need `user_id` and `role_id`; `delete_role` needs `role_id`; `set_user_status` needs `user_id` and `status`. For callers with `catalogue:manage`, `replace_permissions` and `delete_role` also take the id of a role template, and tell about users of the tenant in scope.',
    }),
    role_id: Type.Optional(Id),
    user_id: Type.Optional(Id),
    permission_ids: Type.Optional(PermissionIds),
    status: Type.Optional(Status),
    expires_at: Type.Optional({ ...ExpiresAt, description: 'The end of an assignment, for `assign_role`.' }),
  },
  { title: 'Change' },
)
export type Change = Static<typeof Change>

export const PreviewQuestion = Type.Object(
  {
    changes: Type.Array(Change, {
      minItems: 1,
      maxItems: 20,
      examples: [
        [
          { kind: 'replace_permissions', role_id: 7, permission_ids: [1] },
          { kind: 'assign_role', user_id: 7, role_id: 7 },
          { kind: 'set_user_status', user_id: 7, status: 0 },
          { kind: 'unassign_role', user_id: 7, role_id: 7 },
          { kind: 'delete_role', role_id: 7 },
        ],
      ],
    }),
  },
  { title: 'PreviewQuestion' },
)
export type PreviewQuestion = Static<typeof PreviewQuestion>

const Effect = Type.Object(
  {
    user_id: Id,
    username: Type.String({ examples: ['ada'] }),
    permissions: Type.Array(Type.String({ examples: ['user:read'] })),
  },
  { title: 'Effect' },
)

export const Preview = Type.Object(
  {
    gains: Type.Array(Effect, { description: 'Up to 200 users who gain permissions, by id.' }),
    losses: Type.Array(Effect, { description: 'Up to 200 users who lose permissions, by id.' }),
    affected_users: Type.Integer({
      description: 'Users who gain or lose something. A number above 10,000 is given as 10,000.',
      examples: [1],
    }),
    refused: Type.Union(
      [
        Type.Null(),
        Type.Object({
          index: Type.Integer({ description: 'The place of the change in the list, from 0.', examples: [0] }),
          error: Type.Object({
            code: Type.Integer({ examples: [40305] }),
            message: Type.String({
              examples: ['You cannot hand out permissions you do not hold: user:delete'],
            }),
          }),
        }),
      ],
      { description: 'The first change that would be refused. Nothing is then said about users.' },
    ),
  },
  { title: 'Preview' },
)
export type Preview = Static<typeof Preview>
