import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { defaultPageSize } from '../../components/page-search.ts'
import { useScope } from '../../session/scope.ts'
import type { InvitationsSearch } from './invitations.search.ts'

export const useInvitations = ({ page, size = defaultPageSize, state = 'pending' }: InvitationsSearch) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size, status: state === 'all' ? undefined : state }
  return useQuery({
    queryKey: ['invitations', tenantId, query],
    queryFn: ({ signal }) => api.invitations.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}
