import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'

export interface TenantsSearch extends PageSearch {
  search?: string | undefined
  status?: 0 | 1 | undefined
  /** As in `Sorting`; by name if absent. */
  sort?: string | undefined
}

export const tenantsSearch = (raw: Record<string, unknown>): TenantsSearch => ({
  ...pageSearch(raw),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
  ...(raw['status'] === 0 || raw['status'] === 1 ? { status: raw['status'] } : {}),
  ...(typeof raw['sort'] === 'string' ? { sort: raw['sort'] } : {}),
})
