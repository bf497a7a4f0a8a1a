import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ListAuditLogsQuery } from '@tenantry/client'
import { useScope } from '../../session/scope.ts'

/** A page of audit records. Whatever is changed anywhere adds one, so none is kept for later. */
export const useRecords = (query: ListAuditLogsQuery) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['audit', tenantId, query],
    queryFn: ({ signal }) => api.audit.list(query, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
