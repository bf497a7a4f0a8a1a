import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'
import { recordsSearch, type RecordsSearch } from '../audit/audit.search.ts'

export interface UsersSearch extends PageSearch {
  /** Newest first; oldest first if absent. */
  sort?: '-id' | undefined
  search?: string | undefined
  status?: 0 | 1 | undefined
}

export const usersSearch = (raw: Record<string, unknown>): UsersSearch => ({
  ...pageSearch(raw),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
  ...(raw['sort'] === '-id' ? { sort: raw['sort'] } : {}),
  ...(raw['status'] === 0 || raw['status'] === 1 ? { status: raw['status'] } : {}),
})

const userTabs = ['access', 'activity'] as const
type UserTab = (typeof userTabs)[number]

/** The tab of a user's page, overview if absent. The page of the list belongs to the activity tab. */
export interface UserSearch extends RecordsSearch {
  tab?: UserTab | undefined
  /** The permission in question, on the tab of roles and permissions. */
  why?: string | undefined
}

export const userSearch = (raw: Record<string, unknown>): UserSearch => ({
  ...recordsSearch(raw),
  ...(userTabs.includes(raw['tab'] as UserTab) ? { tab: raw['tab'] as UserTab } : {}),
  ...(isText(raw['why']) ? { why: String(raw['why']) } : {}),
})
