import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import { useScope } from '../../session/scope.ts'

/** Other people sign in, so the list polls while the tab is visible. */
const listMs = 30_000

/** The sign-ins by a connection, the newest first. The service keeps the last 200. */
export const useAttempts = (
  id: string,
  { page, size = defaultPageSize }: PageSearch,
  refetchInterval: number = listMs,
) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['sso', tenantId, 'attempts', id, query],
    queryFn: ({ signal }) => api.sso.attempts(id, query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}
