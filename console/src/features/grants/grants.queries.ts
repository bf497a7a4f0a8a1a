import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import { useScope } from '../../session/scope.ts'

/** The consents of the users of the tenant in scope. */
export const useGrants = ({ page, size = defaultPageSize }: PageSearch) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['grants', tenantId, query],
    queryFn: ({ signal }) => api.grants.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}
