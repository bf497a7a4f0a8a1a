import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { ListedRole, PermissionCode, Role } from '@tenantry/client'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useRoleTexts } from './roles.texts.ts'

/** The tenant's roles. Makes no request without `role:read`. */
export const useRolesQuery = () => {
  const { api, tenantId } = useScope()
  return queryOptions({
    queryKey: ['roles', tenantId],
    queryFn: ({ signal }) => api.roles.list({}, { signal }),
    select: useRoleTexts().ofRoles,
    enabled: useMe().can('role:read'),
  })
}

export const useRoles = () => useQuery(useRolesQuery())

/** The tenant's roles. Includes the number of their holders if the caller may see users. */
export const useCountedRoles = () => {
  const { api, tenantId } = useScope()
  const { can } = useMe()
  const query = can('user:read') ? ({ include: 'holders' } as const) : {}
  return useQuery({
    queryKey: ['roles', tenantId, 'counted'],
    queryFn: ({ signal }) => api.roles.list(query, { signal }),
    select: useRoleTexts().ofRoles<ListedRole>,
  })
}

export const useRole = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['roles', tenantId, id],
    queryFn: ({ signal }) => api.roles.get(id, { signal }),
    select: useRoleTexts().ofRole,
  })
}

/** The roles of a user. Makes no request if the caller may not see them. */
export const useRolesOf = (id: number) => {
  const { api, tenantId } = useScope()
  const { user, can } = useMe()
  return useQuery({
    queryKey: ['users', tenantId, 'roles', id],
    queryFn: ({ signal }) => api.roles.ofUser(id, { signal }),
    select: useRoleTexts().ofRoles,
    enabled: id === user.id || can('role:read'),
  })
}

export const usePermissions = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['permissions', tenantId],
    queryFn: ({ signal }) => api.permissions.list({}, { signal }),
    select: useRoleTexts().ofPermissions,
    enabled: useMe().can('role:read'),
    staleTime: Infinity,
  })
}

/**
 * The permissions that the caller lacks for changes that decide who can act as any user: such a change needs all there
 * are. `manage` is the permission of the endpoint. Undefined while they load.
 */
export const useLackingOf = (manage: PermissionCode): PermissionCode[] | undefined => {
  const { can } = useMe()
  const { data } = usePermissions()
  const first = ([manage, 'role:read'] as const).filter((code) => !can(code))
  if (first.length > 0) return first
  return data?.map(({ code }) => code as PermissionCode).filter((code) => !can(code))
}

/** The holders of a role. Makes no request without `user:read`. */
export const useHolders = (id: number, { page, size = defaultPageSize }: PageSearch, isNeeded = true) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['roles', tenantId, id, 'holders', query],
    queryFn: ({ signal }) => api.roles.holders(id, query, { signal }),
    enabled: useMe().can('user:read') && isNeeded,
    placeholderData: keepPreviousData,
  })
}

type WithPermissions = Pick<Role, 'permissions'>

const codesOf = (roles: WithPermissions[]) =>
  roles.flatMap(({ permissions }) => permissions.map(({ code }) => code))

/**
 * The permissions of the roles that the caller lacks. With any such permission, the caller can neither assign the roles
 * nor change their holders.
 */
export const useLacking = () => {
  const { can } = useMe()
  return (roles: WithPermissions[]): string[] =>
    [...new Set(codesOf(roles))].filter((code) => !can(code as PermissionCode))
}

/** Whether the caller may change a role: not a system role, and not one with permissions that the caller lacks. */
export const useCanChange = () => {
  const lacking = useLacking()
  return (role: Role): boolean => !role.is_system && lacking([role]).length === 0
}

/** Whether the caller may create a role with the same permissions. */
export const useCanDuplicate = () => {
  const { can } = useMe()
  const lacking = useLacking()
  return (role: Role): boolean => can('role:create') && can('role:update') && lacking([role]).length === 0
}
