import { Skeleton } from '@mantine/core'
import { lazyPart } from './lazy-part.tsx'

/** For a choice that most forms do not show. */
export const LazyManyChoice = lazyPart(
  async () => (await import('./many-choice.tsx')).ManyChoice,
  <Skeleton height={60} />,
)
