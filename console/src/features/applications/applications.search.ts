import type { Application } from '@tenantry/client'
import { isText, pageSearch, type PageSearch } from '../../components/page-search.ts'

export const kinds = ['web', 'browser', 'native'] as const satisfies Application['kind'][]

export interface ApplicationsSearch extends PageSearch {
  search?: string | undefined
  kind?: Application['kind'] | undefined
  status?: 0 | 1 | undefined
  /** Shows applications that registered themselves, instead of those that administrators created. */
  registered?: true | undefined
}

export const applicationsSearch = (raw: Record<string, unknown>): ApplicationsSearch => {
  const { search, status, registered } = raw
  const kind = kinds.find((one) => one === raw['kind'])
  return {
    ...pageSearch(raw),
    ...(isText(search) ? { search: String(search) } : {}),
    ...(kind && { kind }),
    ...(status === 0 || status === 1 ? { status } : {}),
    ...(registered === true ? { registered } : {}),
  }
}
