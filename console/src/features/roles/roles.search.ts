import type { ListedRole } from '@tenantry/client'
import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'

const orders = ['name', 'permissions', 'holders'] as const
type Order = (typeof orders)[number]
export type RoleSort = Order | `-${Order}`

/** The other orders of roles. The order by name is the default, which the URL omits. */
export const isSort = (value: unknown): value is RoleSort =>
  value !== 'name' && orders.some((order) => value === order || value === `-${order}`)

export interface RolesSearch extends PageSearch {
  /** The open tab. If absent, the list. */
  tab?: 'compare' | undefined
  /** Filters the roles of the list, or the permissions of the comparison. */
  search?: string | undefined
  /** The order. If absent, by name. */
  sort?: RoleSort | undefined
  /** The ids of the compared roles. If absent, the first roles. */
  shown?: number[] | undefined
}

export const rolesSearch = (raw: Record<string, unknown>): RolesSearch => ({
  ...pageSearch(raw),
  ...(raw['tab'] === 'compare' ? { tab: 'compare' } : {}),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
  ...(isSort(raw['sort']) ? { sort: raw['sort'] } : {}),
  ...(Array.isArray(raw['shown']) && raw['shown'].every(Number.isSafeInteger)
    ? { shown: raw['shown'] as number[] }
    : {}),
})

/** The page of the list of holders, and the text that filters the permissions. */
export interface RoleSearch extends PageSearch {
  search?: string | undefined
}

export const roleSearch = (raw: Record<string, unknown>): RoleSearch => ({
  ...pageSearch(raw),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
})

/** Orders numbers in names by value. */
const names = new Intl.Collator(undefined, { numeric: true })

const values: Record<Order, (one: ListedRole, other: ListedRole) => number> = {
  name: (one, other) => names.compare(one.name, other.name),
  permissions: (one, other) => one.permissions.length - other.permissions.length,
  holders: (one, other) => (one.holders ?? 0) - (other.holders ?? 0),
}

/** The roles whose name or description contains the text, in an order. Equal roles are ordered by name. */
export const foundOf = (roles: ListedRole[], { search = '', sort = 'name' }: RolesSearch): ListedRole[] => {
  const sought = search.toLowerCase()
  const compare = values[sort.replace('-', '') as Order]
  const sign = sort.startsWith('-') ? -1 : 1
  return roles
    .filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(sought))
    .toSorted((one, other) => sign * compare(one, other) || values.name(one, other))
}
