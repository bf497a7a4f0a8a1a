import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'

/** Whether the caller sees the requests of others. */
const useSeesAll = (): boolean => {
  const { can } = useMe()
  return can('approval:read') || can('approval:decide')
}

/** Whether the caller has a way to the page: by a permission, or by a request of their own. */
export const useHasApprovals = (): boolean => {
  const { api, tenantId } = useScope()
  const { reaches } = useMe()
  const seesAll = useSeesAll()
  const { data } = useQuery({
    queryKey: ['approvals', tenantId, 'own'],
    queryFn: ({ signal }) => api.approvals.list({ page_size: 1 }, { signal }),
    enabled: !seesAll && reaches('listApprovals'),
    staleTime: 300_000,
  })
  return seesAll || (data?.total ?? 0) > 0
}
