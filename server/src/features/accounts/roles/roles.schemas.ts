import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, Include, Name, Page, Uuid } from '../../../http/schemas.ts'
import { User } from '../users/users.schemas.ts'

export { ChangedUsers } from '../users/users.schemas.ts'

export const RoleName = Name({ minLength: 1, maxLength: 64 }, 'Editors')
export const Description = Type.String({ maxLength: 255, 'x-trim': true, examples: ['May edit settings'] })

export const Permission = Type.Object(
  {
    id: Id,
    code: Type.String({ examples: ['setting:update'] }),
    name: Type.String({ examples: ['Edit settings'] }),
    module: Type.String({ examples: ['setting'] }),
    description: Type.String({ examples: ['Set settings of the tenant'] }),
  },
  { title: 'Permission' },
)
export type Permission = Static<typeof Permission>

export const Role = Type.Object(
  {
    id: Id,
    tenant_id: Uuid,
    name: Type.String({ examples: ['Editors'] }),
    description: Type.String({ examples: ['May edit settings'] }),
    is_system: Type.Boolean({
      description: 'A system role cannot be changed or deleted.',
      examples: [false],
    }),
    permissions: Type.Array(Permission),
  },
  { title: 'Role' },
)
export type Role = Static<typeof Role>

export const ListedRole = Type.Object(
  {
    ...Role.properties,
    holders: Type.Optional(
      Type.Integer({
        description: 'Only with `include=holders`: the users who hold the role. The count stops at 10,000.',
        examples: [3],
      }),
    ),
  },
  { title: 'ListedRole' },
)
export type ListedRole = Static<typeof ListedRole>

export const RoleQuery = Type.Object({
  include: Type.Optional({
    ...Include('holders'),
    description: 'Adds the number of holders. Needs `user:read` as well.',
  }),
})
export type RoleQuery = Static<typeof RoleQuery>

export const PermissionQuery = Type.Object({
  module: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['user'] })),
})
export type PermissionQuery = Static<typeof PermissionQuery>

export const CreateRole = Type.Object(
  { name: RoleName, description: Type.Optional(Description) },
  { title: 'CreateRole' },
)
export type CreateRole = Static<typeof CreateRole>

export const UpdateRole = Type.Object(
  { name: Type.Optional(RoleName), description: Type.Optional(Description) },
  { title: 'UpdateRole' },
)
export type UpdateRole = Static<typeof UpdateRole>

/** This exceeds every catalogue: 1,000 permissions of the product, and those of the service. */
export const PermissionIds = Type.Array(Id, { maxItems: 2000, examples: [[16, 17]] })

export const ReplacePermissions = Type.Object(
  { permission_ids: PermissionIds },
  { title: 'ReplacePermissions' },
)
export type ReplacePermissions = Static<typeof ReplacePermissions>

export const UserParams = Type.Object({ userId: Id })
export const AssignmentParams = Type.Object({ userId: Id, roleId: Id })

export const HolderPage = Page(User)
