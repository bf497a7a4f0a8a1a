import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Key, Role } from '@tenantry/client'
import { defaultPageSize } from '../../components/page-search.ts'
import { systemRoleIds } from '../../session/built-in.ts'
import { useScope } from '../../session/scope.ts'
import type { AccountsSearch } from './service-accounts.search.ts'

export const useAccounts = (
  { page, size = defaultPageSize, search, status, ending }: AccountsSearch,
  enabled = true,
) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size, search, status, keys_end_within_days: ending && soonDays }
  return useQuery({
    queryKey: ['service-accounts', tenantId, query],
    queryFn: ({ signal }) => api.serviceAccounts.list(query, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
}

export const useAccount = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['service-accounts', tenantId, 'one', id],
    queryFn: ({ signal }) => api.serviceAccounts.get(id, { signal }),
  })
}

export const useKeys = (accountId: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['service-accounts', tenantId, 'keys', accountId],
    queryFn: ({ signal }) => api.serviceAccounts.keys.list(accountId, { signal }),
  })
}

/** The service refuses to give `platform-admin` to a service account. */
export const canAccountHold = ({ id }: Role): boolean => id !== systemRoleIds['platform-admin']

const soonDays = 7
const dayMs = 86_400_000

type Expiring = Pick<Key, 'expires_at'>

const remainingMs = ({ expires_at: at }: Expiring): number =>
  at === '' ? Infinity : Date.parse(at) - Date.now()

export const isExpired = (key: Expiring): boolean => remainingMs(key) <= 0

/** True if a valid key expires within these days. */
export const endsWithin = (key: Expiring, days: number): boolean =>
  !isExpired(key) && remainingMs(key) <= days * dayMs

/** True if a valid key expires within 7 days. */
export const isExpiring = (key: Expiring): boolean => endsWithin(key, soonDays)
