import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PermissionCode, Role, User } from '@tenantry/client'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useRoleTexts } from '../roles/role-texts.ts'

export const nameOf = ({ nickname, username }: Pick<User, 'nickname' | 'username'>): string =>
  nickname || username

export const useUser = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['users', tenantId, 'one', id],
    queryFn: ({ signal }) => api.users.get(id, { signal }),
  })
}

/** The roles a user holds; nothing is asked when the caller may not see them. */
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

/** Roles of the tenant, for who may see them. */
export const useRolesQuery = () => {
  const { api, tenantId } = useScope()
  return queryOptions({
    queryKey: ['roles', tenantId],
    queryFn: ({ signal }) => api.roles.list({ signal }),
    select: useRoleTexts().ofRoles,
    enabled: useMe().can('role:read'),
  })
}

export const useRoles = () => useQuery(useRolesQuery())

const codesOf = (roles: Role[]) => roles.flatMap(({ permissions }) => permissions.map(({ code }) => code))

/** Which permissions of these roles the caller lacks: who lacks any neither gives such a role nor changes its holder. */
export const useLacking = () => {
  const { can } = useMe()
  return (roles: Role[]): string[] =>
    [...new Set(codesOf(roles))].filter((code) => !can(code as PermissionCode))
}

/** Fetches anew what is shown of the users of the tenant and of who holds roles, and who one is when it is about oneself. */
export const useRenewUsers = () => {
  const queries = useQueryClient()
  const { tenantId } = useScope()
  const me = useMe()
  return async (id?: number): Promise<void> => {
    const keys = [['users', tenantId], ['roles', tenantId], ...(id === me.user.id ? [['me']] : [])]
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}
