import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Role } from '@tenantry/client'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useLacking } from '../users/user-queries.ts'
import { useRoleTexts } from './role-texts.ts'

export const useRole = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['roles', tenantId, id],
    queryFn: ({ signal }) => api.roles.get(id, { signal }),
    select: useRoleTexts().ofRole,
  })
}

/** The permissions that roles of the tenant can have. */
export const usePermissions = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['permissions', tenantId],
    queryFn: ({ signal }) => api.permissions.list({}, { signal }),
    select: useRoleTexts().ofPermissions,
    staleTime: Infinity,
  })
}

/** Who holds a role; nothing is asked when the caller may not see users. */
export const useHolders = (id: number, { page, size = defaultPageSize }: PageSearch) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['roles', tenantId, id, 'holders', query],
    queryFn: ({ signal }) => api.roles.holders(id, query, { signal }),
    enabled: useMe().can('user:read'),
    placeholderData: keepPreviousData,
  })
}

/** Fetches anew what roles are shown, what users hold by them, and what one may do oneself. */
export const useRenewRoles = () => {
  const queries = useQueryClient()
  const { tenantId } = useScope()
  return async (): Promise<void> => {
    const keys = [['roles', tenantId], ['users', tenantId], ['me']]
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}

/** Nobody changes a system role, nor one that permits what they do not hold. */
export const useCanChange = () => {
  const lacking = useLacking()
  return (role: Role): boolean => !role.is_system && lacking([role]).length === 0
}
