import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../session/scope.ts'

export const useStats = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['dashboard', tenantId, 'stats'],
    queryFn: ({ signal }) => api.dashboard.stats({ signal }),
    // A user who returns from a change sees it counted.
    staleTime: 0,
    refetchInterval: 60_000,
  })
}
