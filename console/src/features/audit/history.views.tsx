import { Skeleton } from '@mantine/core'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useMe } from '../../session/me.ts'
import type { HistoryProps } from './history-card.tsx'

const HistoryCard = lazyPart(
  async () => (await import('./history-card.tsx')).HistoryCard,
  <Skeleton height={230} />,
)

/** The history of one resource. Shows nothing to callers who may not read the log. */
export const History = (props: HistoryProps) =>
  useMe().can('audit:read') ? <HistoryCard {...props} /> : null
