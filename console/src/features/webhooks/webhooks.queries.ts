import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import type { PermissionCode, ReplayWebhook, Webhook } from '@tenantry/client'
import { defaultPageSize } from '../../components/page-search.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import type { DeliveriesSearch } from './webhooks.search.ts'

/** Deliveries need no action of the user, so the page polls while the tab is visible. */
const refetchInterval = 10_000

/** Waiting events of a webhook that works are about to be sent. */
const sendingIntervalMs = 2_000

/** The frame marks failing webhooks on every page. */
const listIntervalMs = 60_000

const include = 'health' as const

/** The webhooks of the tenant. Makes no request without `webhook:read`. */
export const useWebhooks = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['webhooks', tenantId],
    queryFn: ({ signal }) => api.webhooks.list({ include }, { signal }),
    enabled: useMe().can('webhook:read'),
    refetchInterval: listIntervalMs,
  })
}

export const useWebhook = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['webhooks', tenantId, id],
    queryFn: ({ signal }) => api.webhooks.get(id, { include }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.backlog && stateOf(data) === 'enabled' ? sendingIntervalMs : refetchInterval,
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

export const useDelivery = (id: number, deliveryId: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['webhooks', tenantId, id, 'delivery', deliveryId],
    queryFn: ({ signal }) => api.webhooks.delivery(id, deliveryId, { signal }),
    refetchInterval,
  })
}

/** The records that a replay would repeat or skip. Makes no request without a `replay`. */
export const useReplayEffect = (id: number, replay: ReplayWebhook | undefined) => {
  const { api, tenantId } = useScope()
  // The time to the minute, so that the query does not repeat as time passes.
  const key = replay?.from_id ?? replay?.from?.slice(0, 16)
  const [settled] = useDebouncedValue(key, 300)
  return useQuery({
    queryKey: ['webhooks', tenantId, id, 'replay', key],
    queryFn:
      replay && settled === key
        ? ({ signal }) => api.webhooks.previewReplay(id, replay, { signal })
        : skipToken,
    staleTime: 0,
  })
}

/** Webhooks that send nothing although nobody has disabled them. Undefined while they load. */
export const useTroubledWebhooks = () => {
  const { data, error } = useWebhooks()
  return { data: data?.filter(isTroubled), error }
}

/** The permissions that the caller lacks for setting up a webhook. A webhook exposes audit records. */
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

/** The service's texts about states that need a test or no action. */
const untested = 'Its URL has not answered a test yet'
const byHand = 'It was disabled by hand'

type WebhookState = 'enabled' | 'failing' | 'untested' | 'stopped' | 'disabled'

/** The state of a webhook. An enabled webhook can also be stopped, for example before its first test. */
export const stateOf = ({ status, disabled_reason: reason, failing_since: since }: Webhook): WebhookState => {
  if (status === 0) return 'disabled'
  if (reason === '') return since ? 'failing' : 'enabled'
  return reason === untested ? 'untested' : 'stopped'
}

/** True if no test has succeeded yet, and the last one failed. */
export const isTestFailed = (webhook: Webhook): boolean =>
  stateOf(webhook) === 'untested' && Boolean(webhook.last_error)

/** True if the webhook sends nothing although nobody has disabled it. */
export const isTroubled = (webhook: Webhook): boolean =>
  ['failing', 'stopped'].includes(stateOf(webhook)) ||
  isTestFailed(webhook) ||
  (webhook.status === 0 && webhook.disabled_reason !== byHand)

/** Host and path, which distinguish webhooks. The API shows the URL to all who may list webhooks. */
export const addressOf = ({ url }: Pick<Webhook, 'url'>): string => {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}` : url
}

export const nameOfWebhook = (webhook: Pick<Webhook, 'description' | 'url'>): string =>
  webhook.description || addressOf(webhook)
