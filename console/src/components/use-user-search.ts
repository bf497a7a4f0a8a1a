import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'
import { useErrorText } from './error-text.ts'

export interface SearchResult<T> {
  items: T[]
  /** True if more results may follow. */
  isPending: boolean
  error: unknown
}

/** The users that are offered before the user types. Empty without `user:read`. */
export const useFirstUsers = (limit: number): User[] => {
  const { api, tenantId } = useScope()
  const { data } = useQuery({
    queryKey: ['users', tenantId, 'first', limit],
    queryFn: ({ signal }) => api.users.list({ page_size: limit }, { signal }),
    enabled: useMe().can('user:read'),
  })
  return data?.items ?? []
}

/** The first users that match the text. Empty without a text, and without `user:read`. */
export const useUserSearch = (text: string, limit: number): SearchResult<User> => {
  const { api, tenantId } = useScope()
  const sought = text.trim()
  const [search] = useDebouncedValue(sought, 200)
  const isAllowed = useMe().can('user:read')
  const { data, error, isFetching } = useQuery({
    queryKey: ['users', tenantId, 'search', search, limit],
    queryFn: ({ signal }) => api.users.list({ search, page_size: limit }, { signal }),
    enabled: isAllowed && search !== '',
    placeholderData: keepPreviousData,
  })
  if (!isAllowed || sought === '') return { items: [], isPending: false, error: null }
  return { items: data?.items ?? [], isPending: sought !== search || isFetching, error }
}

/** The text about a search: its error, that it is running, or `result`. */
export const useSearchState = () => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  return <Result>(
    { isPending, error }: Pick<SearchResult<unknown>, 'isPending' | 'error'>,
    result: Result,
  ) => {
    if (error) return textOf(error)
    return isPending ? t('common.loading') : result
  }
}
