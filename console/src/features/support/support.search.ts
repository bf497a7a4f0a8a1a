import type { SupportSession } from '@tenantry/client'
import { pageSearch, type PageSearch } from '../../components/page-search.ts'

export type Status = SupportSession['status']

export const statuses: readonly Status[] = ['waiting', 'ready', 'active', 'over', 'refused', 'expired']

export interface SupportSearch extends PageSearch {
  status?: Status | undefined
  /** Those that the caller asked for, in every tenant. */
  mine?: true | undefined
  /** The session that has just ended in this tab. */
  ended?: string | undefined
  /** A product asks for it (entrance.ts). */
  support_session?: string | undefined
}

export const supportSearch = (raw: Record<string, unknown>): SupportSearch => {
  const status = statuses.find((one) => one === raw['status'])
  const [ended, asking] = [raw['ended'], raw['support_session']]
  return {
    ...pageSearch(raw),
    ...(status && { status }),
    ...(raw['mine'] === true && { mine: true }),
    ...(typeof ended === 'string' && { ended }),
    ...(typeof asking === 'string' && { support_session: asking }),
  }
}
