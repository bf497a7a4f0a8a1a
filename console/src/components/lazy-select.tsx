import type { SelectProps } from '@mantine/core'
import { lazyChoice } from './lazy-choice.tsx'

/** A searchable list of options, whose code is fetched when it is needed. */
export const LazySelect = lazyChoice<SelectProps>(
  async () => (await import('./choice.tsx')).Choice,
  ({ label, placeholder, flex }) => ({ label, placeholder, ...(flex !== undefined && { flex }) }),
  ({ value }) => !value,
)
