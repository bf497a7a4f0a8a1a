import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, Name } from '../../../http/schemas.ts'
import { Description, Permission, PermissionIds, RoleName } from './roles.schemas.ts'

const codeExample = 'invoice:read'
const PermissionName = Name({ minLength: 1, maxLength: 64 }, 'Read invoices')

export const CreatePermission = Type.Object(
  {
    code: Type.String({
      pattern: '^[a-z0-9_-]{1,32}:[a-z0-9_-]{1,32}$',
      description: 'module:action, of lower case letters, digits, `_` and `-`; it never changes.',
      examples: [codeExample],
    }),
    name: PermissionName,
    description: Type.Optional(Description),
  },
  { title: 'CreatePermission' },
)
export type CreatePermission = Static<typeof CreatePermission>

export const UpdatePermission = Type.Object(
  { name: Type.Optional(PermissionName), description: Type.Optional(Description) },
  { title: 'UpdatePermission' },
)
export type UpdatePermission = Static<typeof UpdatePermission>

const GivenToNewUsers = Type.Boolean({
  description: 'Every new user of every tenant gets the role.',
  examples: [false],
})

export const RoleTemplate = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Clerk'] }),
    description: Type.String({ examples: ['Writes invoices'] }),
    permissions: Type.Array(Permission),
    is_builtin: Type.Boolean({
      description: 'A built-in template cannot be changed or deleted.',
      examples: [false],
    }),
    given_to_new_users: GivenToNewUsers,
  },
  { title: 'RoleTemplate' },
)
export type RoleTemplate = Static<typeof RoleTemplate>

export const CreateRoleTemplate = Type.Object(
  {
    name: RoleName,
    description: Type.Optional(Description),
    permission_ids: Type.Optional(PermissionIds),
  },
  { title: 'CreateRoleTemplate' },
)
export type CreateRoleTemplate = Static<typeof CreateRoleTemplate>

export const UpdateRoleTemplate = Type.Object(
  {
    name: Type.Optional(RoleName),
    description: Type.Optional(Description),
    permission_ids: Type.Optional(PermissionIds),
    given_to_new_users: Type.Optional(GivenToNewUsers),
  },
  { title: 'UpdateRoleTemplate' },
)
export type UpdateRoleTemplate = Static<typeof UpdateRoleTemplate>
