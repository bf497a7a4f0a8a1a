import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { DirectoryGroup } from '@tenantry/client'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import { useScope } from '../../session/scope.ts'

export const useGroups = ({ page, size = defaultPageSize }: PageSearch, enabled = true) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['sso', tenantId, 'groups', query],
    queryFn: ({ signal }) => api.directories.directoryGroups(query, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
}

const pageSizeMax = 200

/** All groups of the directory. The service keeps at most 5,000. */
export const useAllGroups = (enabled = true) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'groups', 'all'],
    queryFn: async ({ signal }) => {
      const all: DirectoryGroup[] = []
      let total = Infinity
      for (let page = 1; all.length < total; page += 1) {
        const answer = await api.directories.directoryGroups({ page, page_size: pageSizeMax }, { signal })
        all.push(...answer.items)
        total = answer.items.length === 0 ? 0 : answer.total
      }
      return all
    },
    staleTime: 60_000,
    enabled,
  })
}
