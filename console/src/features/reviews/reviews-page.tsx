import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Review } from '@tenantry/client'
import { Cut, momentColumn } from '../../components/cells.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { useDialogButton } from '../../components/use-dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { placeAction } from '../../components/place-action.tsx'
import type { Column } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { useFilterChange } from '../../components/use-page-change.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { Decided, ReviewBadge } from './review-parts.tsx'
import { useReviews } from './reviews.queries.ts'
import { statuses, type ReviewsSearch } from './reviews.search.ts'

const OpenReviewDialog = lazyPart(async () => (await import('./open-review.tsx')).OpenReviewDialog)

const route = getRouteApi('/shell/reviews')

const useReviewColumns = (): Column<Review>[] => {
  const { t } = useTranslation()
  return [
    {
      key: 'name',
      header: t('fields.name'),
      isFixed: true,
      cell: ({ id, name }) => (
        <RowLink to="/reviews/$reviewId" params={{ reviewId: String(id) }} className="cut">
          {name}
        </RowLink>
      ),
    },
    {
      key: 'status',
      isClear: true,
      width: 8,
      header: t('fields.status'),
      cell: ({ status }) => <ReviewBadge status={status} />,
    },
    {
      key: 'decided',
      header: t('reviews.decided'),
      cell: (review) => <Decided review={review} />,
    },
    momentColumn('due', t('reviews.due'), ({ due_at: at }) => at),
    { key: 'by', header: t('reviews.openedBy'), cell: ({ created_by: by }) => <Cut text={by.name} /> },
  ]
}

const Filters = () => {
  const { t } = useTranslation()
  const { status } = route.useSearch()
  const filter = useFilterChange<ReviewsSearch & { search?: string }>()
  return (
    <SegmentedControl
      aria-label={t('fields.status')}
      value={status ?? 'all'}
      data={[
        { value: 'all', label: t('common.all') },
        { value: 'open', label: t('reviews.open') },
        { value: 'closed', label: t('reviews.closed') },
      ]}
      onChange={(chosen) => filter({ status: statuses.find((one) => one === chosen) })}
    />
  )
}

/** The access reviews of the tenant. A caller without `review:read` sees those in which they decide. */
export const ReviewsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useMe()
  const reviews = useReviews(search)
  const { button, opened } = useDialogButton(t('reviews.openOne'), (onClose) => (
    <OpenReviewDialog onClose={onClose} />
  ))
  const action = can('review:manage') && button
  const { isVacant, inHeader } = placeAction(reviews, search.status !== undefined, action)
  return (
    <>
      <PageHeader title={t('places.reviews')} description={t('reviews.about')} actions={inHeader} />
      <DataTable
        label={t('places.reviews')}
        name="reviews"
        columns={useReviewColumns()}
        rows={reviews}
        news={useNews(['review'], reviews)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={search}
        toolbar={<Filters />}
        empty={
          search.status === undefined
            ? { title: t('reviews.none'), description: t('reviews.noneText'), action }
            : {
                title: t('reviews.noneFound'),
                action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
              }
        }
        isVacant={isVacant}
      />
      {opened}
    </>
  )
}
