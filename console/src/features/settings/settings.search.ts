import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'

export interface SettingsSearch extends PageSearch {
  /** `global`: the settings of all tenants. Absent: those of the tenant in scope. */
  scope?: 'global' | undefined
  search?: string | undefined
  key?: string | undefined
}

export const settingsSearch = (raw: Record<string, unknown>): SettingsSearch => ({
  ...pageSearch(raw),
  ...(raw['scope'] === 'global' ? { scope: raw['scope'] } : {}),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
  ...(isText(raw['key']) ? { key: String(raw['key']) } : {}),
})
