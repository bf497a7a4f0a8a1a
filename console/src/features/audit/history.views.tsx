import { Box, Skeleton } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useState } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'

export interface HistoryProps {
  resource: 'role' | 'role_template' | 'tenant' | 'user' | 'webhook'
  id: number | string
  /** States which records this card does not show. */
  hint: string
}

const load = loadPage(['audit'], () => import('./history-card.tsx'))
const height = 230
const HistoryCard = lazyPart(async () => (await load()).HistoryCard, <Skeleton height={height} />)

/** The history of one resource, fetched when the user sees it: most cards end a page. */
const SeenHistory = (props: HistoryProps) => {
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const [isSeen, setSeen] = useState(false)
  if (inViewport && !isSeen) setSeen(true)
  return isSeen ? <HistoryCard {...props} /> : <Box ref={ref} mih={height} />
}

/** Shows nothing to callers who may not read the log. */
export const History = (props: HistoryProps) =>
  useMe().can('audit:read') ? <SeenHistory key={props.id} {...props} /> : null
