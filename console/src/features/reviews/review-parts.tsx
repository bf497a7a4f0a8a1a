import { Progress, Stack, Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconBan,
  IconCheck,
  IconClock,
  IconGhost,
  IconLock,
  IconRefresh,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react'
import type { Review } from '@tenantry/client'
import { Signed } from '../../components/status-badge.tsx'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { decidedOf } from './reviews.queries.ts'
import type { Outcome } from './reviews.search.ts'

export const ReviewBadge = ({ status }: Pick<Review, 'status'>) => {
  const { t } = useTranslation()
  return status === 'open' ? (
    <Signed sign={IconClock} text={t('reviews.open')} className="status-on" />
  ) : (
    <Signed sign={IconLock} text={t('reviews.closed')} className="status-off" />
  )
}

const signs: Record<Outcome, Icon> = {
  pending: IconClock,
  changed: IconRefresh,
  refused: IconBan,
  kept: IconCheck,
  revoked: IconArrowBackUp,
  gone: IconGhost,
  directory: IconUsersGroup,
}

export const OutcomeBadge = ({ outcome }: { outcome: Outcome }) => {
  const { t } = useTranslation()
  return (
    <Signed
      sign={signs[outcome]}
      text={t(`reviewOutcomes.${outcome}`)}
      className={outcome === 'kept' || outcome === 'revoked' ? 'status-on' : 'status-off'}
    />
  )
}

/** The part of the items that is decided. */
export const Decided = ({ review }: { review: Review }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [done, { total }] = [decidedOf(review), review.counts]
  const text = t('reviews.decidedOf', { done: format.count(done), total: format.count(total) })
  return (
    <Stack gap={4}>
      <Text size="sm" className="numbers">
        {text}
      </Text>
      <Progress size="sm" value={total === 0 ? 100 : (100 * done) / total} aria-label={text} />
    </Stack>
  )
}
