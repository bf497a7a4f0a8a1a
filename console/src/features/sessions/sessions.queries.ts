import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { UserSession } from '@tenantry/client'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'

/** A list of sessions, and a function that reloads it. */
export interface Sessions {
  query: UseQueryResult<UserSession[]>
  renew: () => Promise<void>
}

const useSessions = (key: unknown[], read: (signal: AbortSignal) => Promise<UserSession[]>): Sessions => {
  const queries = useQueryClient()
  const queryKey = ['sessions', ...key]
  return {
    query: useQuery({ queryKey, queryFn: ({ signal }) => read(signal) }),
    renew: () => queries.invalidateQueries({ queryKey }),
  }
}

export const useOwnSessions = (): Sessions =>
  useSessions(['own', useMe().user.id], (signal) => client.auth.sessions({ signal }))

export const useSessionsOfUser = (id: number): Sessions => {
  const { api, tenantId } = useScope()
  return useSessions([tenantId, id], (signal) => api.users.sessions(id, { signal }))
}
