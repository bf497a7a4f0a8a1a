import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'

export interface FlagsSearch extends PageSearch {
  search?: string | undefined
}

export const flagsSearch = (raw: Record<string, unknown>): FlagsSearch => ({
  ...pageSearch(raw),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
})
