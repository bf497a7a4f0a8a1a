import type { Review, ReviewItem } from '@tenantry/client'
import { pageSearch, type PageSearch } from '../../components/page-search.ts'

export const statuses: readonly Review['status'][] = ['open', 'closed']

export interface ReviewsSearch extends PageSearch {
  status?: Review['status'] | undefined
}

export type Outcome = ReviewItem['outcome']
export type Kind = ReviewItem['kind']

export const outcomes: readonly Outcome[] = [
  'pending',
  'changed',
  'refused',
  'kept',
  'revoked',
  'gone',
  'directory',
]
export const kinds: readonly Kind[] = ['roles', 'keys', 'grants']

export interface ReviewSearch extends PageSearch {
  kind?: Kind | undefined
  outcome?: Outcome | undefined
}

const among = <T extends string>(known: readonly T[], value: unknown): T | undefined =>
  known.find((one) => one === value)

export const reviewsSearch = (raw: Record<string, unknown>): ReviewsSearch => {
  const status = among(statuses, raw['status'])
  return { ...pageSearch(raw), ...(status && { status }) }
}

export const reviewSearch = (raw: Record<string, unknown>): ReviewSearch => {
  const [kind, outcome] = [among(kinds, raw['kind']), among(outcomes, raw['outcome'])]
  return { ...pageSearch(raw), ...(kind && { kind }), ...(outcome && { outcome }) }
}
