import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PermissionCode, Webhook } from '@tenantry/client'
import { defaultPageSize } from '../../components/page-search.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import type { DeliveriesSearch } from './webhooks.search.ts'

/** Deliveries go on without the user, so what shows them asks again while the tab is visible. */
const refetchInterval = 10_000

/** The webhooks of the tenant; asks nothing without `webhook:read`. */
export const useWebhooks = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['webhooks', tenantId],
    queryFn: ({ signal }) => api.webhooks.list({}, { signal }),
    enabled: useMe().can('webhook:read'),
  })
}

export const useWebhook = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['webhooks', tenantId, id],
    queryFn: ({ signal }) => api.webhooks.get(id, {}, { signal }),
    refetchInterval,
  })
}

export const useDeliveries = (id: number, { page, size = defaultPageSize, status }: DeliveriesSearch) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size, status }
  return useQuery({
    queryKey: ['webhooks', tenantId, id, 'deliveries', query],
    queryFn: ({ signal }) => api.webhooks.deliveries(id, query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}

/** Refreshes webhooks with their deliveries, and the log, which tells of every change. */
export const useRenewWebhooks = () => {
  const queries = useQueryClient()
  const { tenantId } = useScope()
  return async (): Promise<void> => {
    const keys = [
      ['webhooks', tenantId],
      ['audit', tenantId],
    ]
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}

/** The permissions that setting up a webhook takes, and the caller lacks: a webhook shows audit records. */
export const useLackingFor = () => {
  const { can } = useMe()
  return ({ all_tenants: isForAll }: Pick<Webhook, 'all_tenants'>): PermissionCode[] => {
    const needed: PermissionCode[] = [
      'webhook:manage',
      'audit:read',
      ...(isForAll ? ['tenant:enter' as const] : []),
    ]
    return needed.filter((code) => !can(code))
  }
}
