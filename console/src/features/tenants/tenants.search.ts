import type { ListTenantsQuery } from '@tenantry/client'
import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'
import { attributeSearch, type AttributeSearch } from '../attributes/attributes.search.ts'

export type TenantSort = NonNullable<ListTenantsQuery['sort']>

const orders = [
  'name',
  'slug',
  'status',
  'created_at',
  'updated_at',
  'users',
  'administrators',
  'last_seen_on',
  'limit_share',
] as const

/** The other orders of tenants. The order by name is the default, which the URL omits. */
export const isSort = (value: unknown): value is TenantSort =>
  value !== 'name' && orders.some((order) => value === order || value === `-${order}`)

export interface TenantsSearch extends PageSearch, AttributeSearch {
  search?: string | undefined
  status?: 0 | 1 | undefined
  /** The order. If absent, by name. */
  sort?: TenantSort | undefined
  /** Opens the window of a new tenant. */
  new?: true | undefined
}

export const tenantsSearch = (raw: Record<string, unknown>): TenantsSearch => ({
  ...pageSearch(raw),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
  ...(raw['status'] === 0 || raw['status'] === 1 ? { status: raw['status'] } : {}),
  ...(isSort(raw['sort']) ? { sort: raw['sort'] } : {}),
  ...(raw['new'] === true ? { new: true } : {}),
  ...attributeSearch(raw),
})
