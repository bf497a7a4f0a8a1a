import type { ListUsersQuery } from '@tenantry/client'
import { isId, isText, pageSearch, type PageSearch } from '../../components/page-search.ts'
import { attributeSearch, type AttributeSearch } from '../attributes/attributes.search.ts'
import { recordsSearch, type RecordsSearch } from '../audit/audit.search.ts'

export type UserSort = NonNullable<ListUsersQuery['sort']>

const orders = ['id', 'username', 'email', 'status', 'created_at', 'last_login'] as const

/** The other orders of users. The order by id is the default, which the URL omits. */
export const isSort = (value: unknown): value is UserSort =>
  value !== 'id' && orders.some((order) => value === order || value === `-${order}`)

export interface UsersSearch extends PageSearch, AttributeSearch {
  /** The order. If absent, by id, the oldest first. */
  sort?: UserSort | undefined
  /** Selects users who have the role with this id. */
  role_id?: number | undefined
  search?: string | undefined
  status?: 0 | 1 | undefined
  /** Selects users who are active today (UTC), or online. */
  seen?: 'online' | 'today' | undefined
}

export const usersSearch = (raw: Record<string, unknown>): UsersSearch => ({
  ...pageSearch(raw),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
  ...(isSort(raw['sort']) ? { sort: raw['sort'] } : {}),
  ...(isId(raw['role_id']) ? { role_id: raw['role_id'] } : {}),
  ...(raw['status'] === 0 || raw['status'] === 1 ? { status: raw['status'] } : {}),
  ...(raw['seen'] === 'online' || raw['seen'] === 'today' ? { seen: raw['seen'] } : {}),
  ...attributeSearch(raw),
})

const userTabs = ['access', 'activity', 'attributes'] as const
type UserTab = (typeof userTabs)[number]

/** The tab of a user's page. If absent, the overview. The page number is that of the activity tab. */
export interface UserSearch extends RecordsSearch {
  tab?: UserTab | undefined
  /** The permission that the tab of roles and permissions explains. */
  why?: string | undefined
}

export const userSearch = (raw: Record<string, unknown>): UserSearch => ({
  ...recordsSearch(raw),
  ...(userTabs.includes(raw['tab'] as UserTab) ? { tab: raw['tab'] as UserTab } : {}),
  ...(isText(raw['why']) ? { why: String(raw['why']) } : {}),
})
