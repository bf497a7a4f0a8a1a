import { lazyChoice } from './lazy-choice.tsx'
import type { UserPickerProps } from './user-picker.tsx'

/** `UserPicker`, whose code is fetched when the pointer or the focus reaches it. */
export const LazyUserPicker = lazyChoice<UserPickerProps>(
  async () => (await import('./user-picker.tsx')).UserPicker,
  ({ label, description }) => ({ label, description }),
  () => true,
)
