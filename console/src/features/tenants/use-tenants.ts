import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { defaultPageSize } from '../../components/page-search.ts'
import { client } from '../../session/client.ts'
import type { TenantsSearch } from './tenants.search.ts'

export const useTenants = ({
  search,
  status,
  sort = 'name',
  page,
  size = defaultPageSize,
}: TenantsSearch) => {
  const query = { search, status, sort, page, page_size: size }
  return useQuery({
    queryKey: ['tenants', 'page', query],
    queryFn: async ({ signal }) => ({
      ...(await client.tenants.find(query, { signal })),
      page: page ?? 1,
      isCapped: false,
    }),
    placeholderData: keepPreviousData,
  })
}
