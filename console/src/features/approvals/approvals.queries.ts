import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Approval, Client, RefusedChange } from '@tenantry/client'
import { defaultPageSize } from '../../components/page-search.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import type { ApprovalsSearch } from './approvals.search.ts'

export const useApprovals = ({ page, size = defaultPageSize, status: chosen }: ApprovalsSearch) => {
  const { api, tenantId } = useScope()
  const status = chosen === 'all' ? undefined : (chosen ?? ('pending' as const))
  const query = { page, page_size: size, status }
  return useQuery({
    queryKey: ['approvals', tenantId, query],
    queryFn: ({ signal }) => api.approvals.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}

export const useApproval = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['approvals', tenantId, 'one', id],
    queryFn: ({ signal }) => api.approvals.get(id, { signal }),
  })
}

export const usePolicies = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['approvals', tenantId, 'policies'],
    queryFn: ({ signal }) => api.approvals.policies({ signal }),
  })
}

export const isWaiting = ({ status }: Approval): boolean => status === 'pending' || status === 'approved'

/** Whether the caller asked. Users of other tenants have other ids. */
export const useIsOwn = (): ((approval: Pick<Approval, 'requested_by'>) => boolean) => {
  const { user } = useMe()
  return ({ requested_by: by }) => by.id === user.id
}

/** Approvals keep secrets only as keyed hashes. */
const isHash = (value: unknown): value is string => typeof value === 'string' && value.startsWith('secret:')

export const hasSecrets = (value: unknown): boolean =>
  isHash(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasSecrets))

/** Whether a kept body can be this one. The service adds fields that were left out. */
const isSameBody = (kept: unknown, sent: unknown): boolean => {
  if (isHash(kept)) return typeof sent === 'string'
  if (typeof sent !== 'object' || sent === null) return kept === sent || (kept === null && sent === undefined)
  if (typeof kept !== 'object' || kept === null) return false
  const of = kept as Record<string, unknown>
  return Object.entries(sent).every(([name, value]) => value === undefined || isSameBody(of[name], value))
}

const below = (path: string): string => path.replace(/^\/api\/v1(?=\/)/, '')

/** The caller's approved request for a change, if there is one. */
export const useApprovedFor = (api: Client, { change, tenantId }: RefusedChange) => {
  const isOwn = useIsOwn()
  const { data, isPending } = useQuery({
    queryKey: ['approvals', tenantId, 'approved'],
    queryFn: ({ signal }) => api.approvals.list({ status: 'approved', page_size: 200 }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  const approval = data?.items.find(
    (one) =>
      isOwn(one) &&
      one.method === change.method &&
      below(one.path) === change.path &&
      isSameBody(one.body, change.body),
  )
  return { approval, isPending }
}
