import type { Delivery } from '@tenantry/client'
import { isId, pageSearch, type PageSearch } from '../../components/page-search.ts'

export const deliveryStates = ['delivered', 'pending', 'failed', 'dead'] as const

export interface WebhooksSearch {
  /** Only the webhooks that need attention. */
  failing?: true | undefined
}

export const webhooksSearch = ({ failing }: Record<string, unknown>): WebhooksSearch =>
  failing === true ? { failing } : {}

/** The deliveries of a webhook's page. */
export interface DeliveriesSearch extends PageSearch {
  /** The shown status. If absent, all. */
  status?: Delivery['status'] | undefined
  /** The open delivery, if the current page of the list contains it. */
  id?: number | undefined
}

export const deliveriesSearch = (raw: Record<string, unknown>): DeliveriesSearch => ({
  ...pageSearch(raw),
  ...(deliveryStates.includes(raw['status'] as Delivery['status'])
    ? { status: raw['status'] as Delivery['status'] }
    : {}),
  ...(isId(raw['id']) ? { id: raw['id'] } : {}),
})
