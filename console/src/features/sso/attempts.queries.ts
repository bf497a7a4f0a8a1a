import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Client, Page } from '@tenantry/client'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import { useScope } from '../../session/scope.ts'

export interface Attempt {
  id: number
  at: string
  outcome: 'signed_in' | 'proof' | 'refused' | 'test_passed' | 'test_failed'
  reason: string
  number: number
  subject: string
  email: string
  claims: { name: string; values: string[] | null }[]
  ip: string
}

interface Pending {
  connectionAttempts: (
    id: string,
    query: { page?: number | undefined; page_size?: number },
    options: { signal: AbortSignal },
  ) => Promise<Page<Attempt>>
  testConnection: (id: string) => Promise<{ url: string }>
}

export const pendingOf = (api: Client): Pending => api.sso as unknown as Pending

/** Sign-ins come without the user, so what shows them asks again while the tab is visible. */
const listMs = 30_000

/** The sign-ins by a connection, the newest first; the service keeps the last 200. */
export const useAttempts = (
  id: string,
  { page, size = defaultPageSize }: PageSearch,
  refetchInterval: number = listMs,
) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['sso', tenantId, 'attempts', id, query],
    queryFn: ({ signal }) => pendingOf(api).connectionAttempts(id, query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}
