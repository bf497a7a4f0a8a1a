import { lazyPart } from '../../components/lazy-part.tsx'
import { DraftBar } from './roles.views.tsx'
import type { RoleChange } from './role-draft.ts'

const ReviewModal = lazyPart(async () => (await import('./review-modal.tsx')).ReviewModal)

interface RoleChangesProps {
  changes: RoleChange[]
  onForget: (changes: RoleChange[]) => void
}

export const RoleChanges = ({ changes, onForget }: RoleChangesProps) => (
  <DraftBar
    count={changes.reduce((sum, { added, removed }) => sum + added.length + removed.length, 0)}
    onDiscard={() => onForget(changes)}
  >
    {(onClose) => <ReviewModal changes={changes} onSaved={onForget} onClose={onClose} />}
  </DraftBar>
)
