import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../session/scope.ts'

/** The counts of the tenant in scope. */
export const useStats = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['dashboard', tenantId, 'stats'],
    queryFn: ({ signal }) => api.dashboard.stats({ signal }),
    // Whoever comes back from a change sees it counted.
    staleTime: 0,
    refetchInterval: 60_000,
  })
}
