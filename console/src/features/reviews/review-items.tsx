import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Page, Review, ReviewItem } from '@tenantry/client'
import { useState } from 'react'
import { AgoOrNever } from '../../components/ago.tsx'
import { Cut, momentColumn } from '../../components/cells.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useFilterChange } from '../../components/use-page-change.ts'
import { isolated } from '../../isolate.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { OutcomeBadge } from './review-parts.tsx'
import { useIsReviewer, useReviewItems } from './reviews.queries.ts'
import { kinds, outcomes, type Kind, type Outcome, type ReviewSearch } from './reviews.search.ts'

const DecideDialog = lazyPart(async () => (await import('./decide-dialog.tsx')).DecideDialog)

const route = getRouteApi('/shell/reviews/$reviewId')

const Subject = ({ item: { subject } }: { item: ReviewItem }) => {
  const { can } = useMe()
  const { id, name, type } = subject
  if (type === 'user' && can('user:read')) {
    return (
      <TextLink to="/users/$userId" params={{ userId: String(id) }} size="sm" className="cut" title={name}>
        {name}
      </TextLink>
    )
  }
  if (type === 'service_account' && can('service_account:read')) {
    const params = { accountId: String(id) }
    return (
      <TextLink to="/service-accounts/$accountId" params={params} size="sm" className="cut" title={name}>
        {name}
      </TextLink>
    )
  }
  return <Cut text={name} />
}

const Object = ({ item: { kind, source, what } }: { item: ReviewItem }) => {
  const { t } = useTranslation()
  return (
    <Stack gap={0}>
      <Text size="sm" fw={500} className="cut" title={what.name}>
        {what.name}
      </Text>
      <Text size="xs" c="dimmed" className="cut">
        {kind === 'roles' ? t(`reviewSources.${source}`) : t(`reviewKindsOne.${kind}`)}
      </Text>
    </Stack>
  )
}

const Given = ({ item: { given_by: by, given_at: at } }: { item: ReviewItem }) => (
  <Stack gap={0}>
    {by.name !== '' && (
      <Text size="sm" className="cut" title={by.name}>
        {by.name}
      </Text>
    )}
    <AgoOrNever at={at} />
  </Stack>
)

type Hinted = Extract<Outcome, 'changed' | 'refused' | 'directory'>

const isHinted = (outcome: Outcome): outcome is Hinted =>
  ['changed', 'refused', 'directory'].includes(outcome)

const OutcomeCell = ({ item: { outcome, decided_by: by, comment } }: { item: ReviewItem }) => {
  const { t } = useTranslation()
  return (
    <Stack gap={2} align="flex-start">
      <OutcomeBadge outcome={outcome} />
      {isHinted(outcome) && (
        <Text size="xs" c="dimmed">
          {t(`reviewHints.${outcome}`)}
        </Text>
      )}
      {by.name !== '' && (
        <Text size="xs" c="dimmed" className="cut" maw="100%" title={by.name}>
          {t('reviews.by', { name: by.name })}
        </Text>
      )}
      {comment !== '' && (
        <Text size="xs" className="breakable" title={comment}>
          {comment}
        </Text>
      )}
    </Stack>
  )
}

const useItemColumns = (): Column<ReviewItem>[] => {
  const { t } = useTranslation()
  return [
    { key: 'subject', header: t('reviews.subject'), isFixed: true, cell: (item) => <Subject item={item} /> },
    { key: 'what', header: t('reviews.what'), isFixed: true, cell: (item) => <Object item={item} /> },
    { key: 'given', width: 10, header: t('reviews.given'), cell: (item) => <Given item={item} /> },
    momentColumn('lastUsed', t('reviews.lastUsed'), ({ last_used_at: at }) => at),
    {
      ...momentColumn('expires', t('reviews.expires'), ({ expires_at: at }) => at),
      cell: ({ expires_at: at }) => <AgoOrNever at={at} never={t('reviews.expiresNever')} />,
    },
    { key: 'outcome', width: 12, header: t('reviews.decision'), cell: (item) => <OutcomeCell item={item} /> },
  ]
}

const Filters = () => {
  const { t } = useTranslation()
  const { kind, outcome } = route.useSearch()
  const filter = useFilterChange<ReviewSearch & { search?: string }>()
  return (
    <>
      <NativeSelect
        aria-label={t('reviews.decision')}
        value={outcome ?? ''}
        data={[
          { value: '', label: t('reviews.allOutcomes') },
          ...outcomes.map((one) => ({ value: one, label: t(`reviewOutcomes.${one}`) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          filter({ outcome: outcomes.find((one) => one === value) })
        }
      />
      <NativeSelect
        aria-label={t('reviews.kinds')}
        value={kind ?? ''}
        data={[
          { value: '', label: t('reviews.allKinds') },
          ...kinds.map((one: Kind) => ({ value: one, label: t(`reviewKinds.${one}`) })),
        ]}
        onChange={({ currentTarget: { value } }) => filter({ kind: kinds.find((one) => one === value) })}
      />
    </>
  )
}

const none: ReviewItem[] = []

/** The most selected items: each 200 need a request. */
const selectableMax = 2000

const useSelectAll = (
  { id }: Review,
  items: Page<ReviewItem> | undefined,
  choose: (items: ReviewItem[]) => void,
) => {
  const { api } = useScope()
  const { kind, outcome } = route.useSearch()
  const { mutate, error } = useMutation({
    mutationFn: async () => {
      const all: ReviewItem[] = []
      for await (const item of api.reviews.allItems(id, { kind, outcome })) {
        if (all.push(item) === selectableMax) break
      }
      return all
    },
    onSuccess: choose,
  })
  return { error, run: items && items.total <= selectableMax ? () => mutate() : undefined }
}

interface DecideButtonsProps {
  review: Review
  items: ReviewItem[]
  onDone: () => void
}

const DecideButtons = ({ review, items, onDone }: DecideButtonsProps) => {
  const { t } = useTranslation()
  return (['keep', 'revoke'] as const).map((decision) => (
    <DialogButton
      key={decision}
      size="xs"
      variant="default"
      label={t(decision === 'keep' ? 'reviews.keep' : 'reviews.revoke')}
    >
      {(onClose) => <DecideDialog reviewId={review.id} {...{ items, decision, onClose, onDone }} />}
    </DialogButton>
  ))
}

/** The items of a review, which its reviewers select and decide. */
export const ReviewItems = ({ review }: { review: Review }) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const rows = useReviewItems(review.id, search)
  const [selected, choose] = useState(none)
  const all = useSelectAll(review, rows.data, choose)
  const actions = <DecideButtons review={review} items={selected} onDone={() => choose(none)} />
  const selection = { Checkbox, selected, onChange: choose, onAll: all.run, actions }
  const isFiltered = search.kind !== undefined || search.outcome !== undefined
  return (
    <>
      {all.error && <ErrorPanel error={all.error} />}
      <DataTable
        label={t('reviews.items')}
        name="review-items"
        columns={useItemColumns()}
        rows={rows}
        idOf={({ id }) => id}
        nameOf={({ subject, what }) => `${isolated(subject.name)}: ${isolated(what.name)}`}
        page={search}
        toolbar={<Filters />}
        {...(useIsReviewer(review) && { selection })}
        empty={
          isFiltered
            ? {
                title: t('reviews.noItemsFound'),
                action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
              }
            : { title: t('reviews.noItems') }
        }
      />
    </>
  )
}
