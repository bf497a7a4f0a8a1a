import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'

export interface DeclarationsSearch extends PageSearch {
  /** If absent, the attributes of users. */
  subject?: 'tenant' | undefined
  search?: string | undefined
}

export const declarationsSearch = (raw: Record<string, unknown>): DeclarationsSearch => ({
  ...pageSearch(raw),
  ...(raw['subject'] === 'tenant' ? { subject: raw['subject'] } : {}),
  ...(isText(raw['search']) ? { search: String(raw['search']) } : {}),
})

/** The filters of a list, named as in the API. */
export interface AttributeSearch {
  [filter: `attribute.${string}`]: string | undefined
}

const isFilter = ([name, value]: [string, unknown]): boolean =>
  /^attribute\.[a-z]\w*$/.test(name) && (isText(value) || typeof value === 'boolean')

/** For `validateSearch` of a list. The service takes three filters. */
export const attributeSearch = (raw: object): AttributeSearch =>
  Object.fromEntries(
    Object.entries(raw)
      .filter(isFilter)
      .slice(0, 3)
      .map(([name, value]) => [name, String(value)]),
  )
