import { pageSearch, type PageSearch } from '../../components/page-search.ts'

export const shownStates = ['pending', 'expired', 'accepted', 'revoked', 'all'] as const
export type ShownState = (typeof shownStates)[number]

export interface InvitationsSearch extends PageSearch {
  /** The shown state. If absent, pending invitations. */
  state?: ShownState | undefined
}

const isState = (value: unknown): value is ShownState =>
  value !== 'pending' && shownStates.includes(value as ShownState)

export const invitationsSearch = (raw: Record<string, unknown>): InvitationsSearch => ({
  ...pageSearch(raw),
  ...(isState(raw['state']) ? { state: raw['state'] } : {}),
})
