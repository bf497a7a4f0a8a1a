import { Button, Card, Stack, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Review } from '@tenantry/client'
import { MomentAndAgo } from '../../components/ago.tsx'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useList } from '../../components/use-list.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { CallerLink } from '../service-accounts/service-accounts.views.tsx'
import { Decided, ReviewBadge } from './review-parts.tsx'
import { ReviewItems } from './review-items.tsx'
import { decidedOf, useIsReviewer, useReview } from './reviews.queries.ts'

const route = getRouteApi('/shell/reviews/$reviewId')

export const ReviewPage = () => {
  const review = useReview(Number(route.useParams().reviewId))
  return (
    <ResourcePage of="/reviews" query={review} height={320}>
      {(data) => <ReviewDetails review={data} />}
    </ResourcePage>
  )
}

interface ReviewProps {
  review: Review
}

/** The next step, and the end. */
const useAbout = (review: Review): string => {
  const { t } = useTranslation()
  const isReviewer = useIsReviewer(review)
  if (review.status === 'closed') return t('reviews.closedText')
  return t(isReviewer ? 'reviews.reviewerText' : 'reviews.openText')
}

const ReviewDetails = ({ review }: ReviewProps) => {
  const { can } = useMe()
  return (
    <>
      <PageHeader
        title={review.name}
        description={useAbout(review)}
        marks={<ReviewBadge status={review.status} />}
        actions={
          <>
            <Report review={review} />
            {can('review:manage') && review.status === 'open' && <Close review={review} />}
          </>
        }
      />
      <Stack gap="lg">
        <ReviewFacts review={review} />
        <div>
          <ReviewItems review={review} />
        </div>
      </Stack>
    </>
  )
}

/** Saves the report. After the end of the review the file always has the same bytes. */
const Report = ({ review: { id, name, status } }: ReviewProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const saving = useMutation({
    mutationFn: async () => {
      const file = await api.reviews.export(id)
      saveFile([await file.blob()], `review-${id}.json`, 'application/json')
    },
    onSuccess: () => notify(t('reviews.reportSaved', { name })),
  })
  return (
    <>
      <Button
        variant={status === 'open' ? 'default' : 'filled'}
        loading={saving.isPending}
        onClick={() => saving.mutate()}
      >
        {t('reviews.report')}
      </Button>
      {saving.error && (
        <Dialog opened onClose={saving.reset} title={t('reviews.report')}>
          <ErrorPanel error={saving.error} />
        </Dialog>
      )}
    </>
  )
}

const Close = ({ review }: ReviewProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const { id, name, counts } = review
  const open = counts.total - decidedOf(review)
  return (
    <ConfirmButton
      variant={open === 0 ? 'filled' : 'default'}
      title={t('reviews.closeOne', { name })}
      confirm={t('reviews.close')}
      refusal={useFactorRefusal()}
      send={() => api.reviews.close(id)}
      done={t('reviews.isClosed', { name })}
    >
      {t(open === 0 ? 'reviews.closeDone' : 'reviews.closeText', { count: open })}
    </ConfirmButton>
  )
}

const ReviewFacts = ({ review }: ReviewProps) => {
  const { t } = useTranslation()
  const listOf = useList()
  const { kinds, reviewer_ids: ids, due_at, created_at, created_by: by, closed_at, report_sha256 } = review
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('reviews.overview')}
      </Title>
      <Facts cols={{ base: 1, sm: 3 }}>
        <Fact label={t('reviews.decided')}>
          <Decided review={review} />
        </Fact>
        <Fact label={t('reviews.kinds')}>{listOf(kinds.map((kind) => t(`reviewKinds.${kind}`)))}</Fact>
        <Fact label={t('reviews.reviewers')}>
          {/* A line each: names come later, and would move the rest. */}
          <Stack gap={4} align="flex-start">
            {ids.map((id) => (
              <CallerLink key={id} id={id} />
            ))}
          </Stack>
        </Fact>
        <Fact label={closed_at === '' ? t('reviews.due') : t('reviews.closedAt')}>
          <MomentAndAgo at={closed_at === '' ? due_at : closed_at} />
        </Fact>
        <Fact label={t('reviews.openedAt')}>
          <MomentAndAgo at={created_at} />
        </Fact>
        <Fact label={t('reviews.openedBy')}>
          <bdi>{by.name}</bdi>
        </Fact>
        {report_sha256 !== '' && (
          <Fact label={t('reviews.hash')} hint={t('reviews.hashHint')} isWide>
            <CopyText text={report_sha256} label={t('reviews.copyHash')} />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}
