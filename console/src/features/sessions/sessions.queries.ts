import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { UserSession } from '@tenantry/client'
import { useRenew } from '../../components/use-renew.ts'
import { useScope } from '../../session/scope.ts'

/** A list of sessions, and a function that reloads it. */
export interface Sessions {
  query: UseQueryResult<UserSession[]>
  renew: () => Promise<void>
}

export const useSessionsOfUser = (id: number): Sessions => {
  const { api, tenantId } = useScope()
  const queryKey = ['sessions', tenantId, id]
  return {
    query: useQuery({ queryKey, queryFn: ({ signal }) => api.users.sessions(id, { signal }) }),
    renew: useRenew(queryKey),
  }
}
