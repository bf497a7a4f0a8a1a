import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'
import { recordsSearch, type RecordsSearch } from '../audit/audit.search.ts'

export interface AccountsSearch extends PageSearch {
  search?: string | undefined
  status?: 0 | 1 | undefined
  /** Only accounts with a key that expires within 7 days. */
  ending?: true | undefined
}

export const accountsSearch = (raw: Record<string, unknown>): AccountsSearch => ({
  ...pageSearch(raw),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
  ...(raw['status'] === 0 || raw['status'] === 1 ? { status: raw['status'] } : {}),
  ...(raw['ending'] === true ? { ending: true } : {}),
})

const accountTabs = ['access', 'activity'] as const
type AccountTab = (typeof accountTabs)[number]

/** The tab of an account's page. If absent, the overview. The page number is that of the keys or of the activity. */
export interface AccountSearch extends RecordsSearch {
  tab?: AccountTab | undefined
}

export const accountSearch = (raw: Record<string, unknown>): AccountSearch => ({
  ...recordsSearch(raw),
  ...(accountTabs.includes(raw['tab'] as AccountTab) ? { tab: raw['tab'] as AccountTab } : {}),
})
