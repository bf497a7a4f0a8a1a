import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Review, ReviewItem } from '@tenantry/client'
import { defaultPageSize } from '../../components/page-search.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import type { ReviewSearch, ReviewsSearch } from './reviews.search.ts'

export const useReviews = ({ page, size = defaultPageSize, status }: ReviewsSearch) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size, status }
  return useQuery({
    queryKey: ['reviews', tenantId, query],
    queryFn: ({ signal }) => api.reviews.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Whether the caller decides in an open review. It gives people without `review:read` a way to the page. */
export const useHasReviews = (): boolean => {
  const { api, tenantId } = useScope()
  const { can, reaches } = useMe()
  const query = { status: 'open', page_size: 1 } as const
  const { data } = useQuery({
    queryKey: ['reviews', tenantId, 'own'],
    queryFn: ({ signal }) => api.reviews.list(query, { signal }),
    enabled: !can('review:read') && reaches('listReviews'),
    staleTime: 300_000,
  })
  return (data?.total ?? 0) > 0
}

export const useReview = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['reviews', tenantId, 'one', id],
    queryFn: ({ signal }) => api.reviews.get(id, { signal }),
  })
}

export const useReviewItems = (id: number, { page, size = defaultPageSize, ...filters }: ReviewSearch) => {
  const { api, tenantId } = useScope()
  const query = { ...filters, page, page_size: size }
  return useQuery({
    queryKey: ['reviews', tenantId, 'items', id, query],
    queryFn: ({ signal }) => api.reviews.items(id, query, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Whether the caller decides in the review now. */
export const useIsReviewer = ({ status, reviewer_ids: ids }: Review): boolean => {
  const { user, tenant } = useMe()
  const { tenantId } = useScope()
  return status === 'open' && tenant.id === tenantId && ids.includes(user.id)
}

/** Whether an item is about the caller, who does not decide about it. */
export const useIsOwn = (): ((item: ReviewItem) => boolean) => {
  const { user } = useMe()
  return ({ subject }) => subject.id === user.id
}

/** Whether an item takes a decision. */
export const isUndecided = ({ outcome }: ReviewItem): boolean =>
  ['pending', 'changed', 'refused'].includes(outcome)

/** The number of items that need no further decision. */
export const decidedOf = ({ counts }: Review): number =>
  counts.kept + counts.revoked + counts.gone + counts.directory
