import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../session/scope.ts'

export const useSessionsOfUser = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sessions', tenantId, id],
    queryFn: ({ signal }) => api.users.sessions(id, { signal }),
  })
}
