import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PermissionCode } from '@tenantry/client'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { usePermissions } from '../roles/roles.queries.ts'

/** The domains of the tenant; at most 20. */
export const useDomains = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'domains'],
    queryFn: ({ signal }) => api.sso.domains({ signal }),
  })
}

/** The connections of the tenant; at most 5. */
export const useConnections = (enabled = true) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'connections'],
    queryFn: ({ signal }) => api.sso.connections({ signal }),
    enabled,
  })
}

export const useConnection = (id: string) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'connection', id],
    queryFn: ({ signal }) => api.sso.connection(id, { signal }),
  })
}

/** Refreshes domains, connections and the audit log, which records every change. */
export const useRenewSso = () => {
  const queries = useQueryClient()
  const { tenantId } = useScope()
  return async (): Promise<void> => {
    const keys = [
      ['sso', tenantId],
      ['audit', tenantId],
    ]
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}

/**
 * The permissions that the caller lacks for changing the sign-in. The change takes all permissions: deciding who
 * signs in allows acting as any user of the tenant. Undefined while they load.
 */
export const useLackingForSignIn = (): PermissionCode[] | undefined => {
  const { can } = useMe()
  const { data } = usePermissions()
  const first = (['sso:manage', 'role:read'] as const).filter((code) => !can(code))
  if (first.length > 0) return first
  return data?.map(({ code }) => code as PermissionCode).filter((code) => !can(code))
}
