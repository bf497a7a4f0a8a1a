import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'

/** The first users of the tenant that a text finds; none without a text, or without the right to see users. */
export const useUserSearch = (text: string, limit: number): User[] => {
  const { api, tenantId } = useScope()
  const [search] = useDebouncedValue(text.trim(), 200)
  const users = useQuery({
    queryKey: ['users', tenantId, 'search', search, limit],
    queryFn: ({ signal }) => api.users.list({ search, page_size: limit }, { signal }),
    enabled: useMe().can('user:read') && search !== '',
    placeholderData: keepPreviousData,
  })
  return search === '' ? [] : (users.data?.items ?? [])
}
