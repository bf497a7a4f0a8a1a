import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'

export const sections = ['security', 'branding', 'product', 'advanced'] as const

export type SectionName = (typeof sections)[number]

export interface SettingsSearch extends PageSearch {
  /** `global`: the settings of all tenants. Absent: those of the tenant in scope. */
  scope?: 'global' | undefined
  /** Absent: the first. */
  section?: SectionName | undefined
  search?: string | undefined
  key?: string | undefined
}

/** A URL that names a setting, or searches for some, opens the section that has the list of them. */
const sectionOf = (raw: Record<string, unknown>): SectionName | undefined => {
  const named = sections.find((name) => name === raw['section'])
  const isList = named === undefined && ['page', 'search', 'key'].some((name) => isText(raw[name]))
  return isList ? 'product' : named
}

export const settingsSearch = (raw: Record<string, unknown>): SettingsSearch => {
  const section = sectionOf(raw)
  return {
    ...pageSearch(raw),
    ...(raw['scope'] === 'global' ? { scope: raw['scope'] } : {}),
    ...(section === undefined ? {} : { section }),
    ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
    ...(isText(raw['key']) ? { key: String(raw['key']) } : {}),
  }
}
