import type { Change } from '@tenantry/client'
import { ConfirmModal, type ConfirmModalProps } from '../../components/confirm-modal.tsx'
import { usePreview, type Previewed } from './authz.queries.ts'
import { KnownEffect, Looking, Refused, UnknownEffect } from './effect.tsx'

interface EffectProps {
  preview: Previewed
  /** The object of each change, where there are several. */
  names?: string[]
}

/** Says which users gain and lose permissions, which error would come, or why neither is known. */
export const Effect = ({ preview: { data, error, isFetching, refetch }, names = [] }: EffectProps) => {
  if (isFetching) return <Looking />
  if (data?.refused) {
    const name = data.isWholeRefused ? undefined : names[data.refused.index]
    return <Refused refused={data.refused} name={name} />
  }
  if (data) return <KnownEffect effect={data} />
  return <UnknownEffect error={error} onRetry={() => void refetch()} />
}

interface ConfirmChangesProps extends Omit<ConfirmModalProps, 'opened' | 'effect' | 'isBlocked'> {
  changes: Change[]
  names?: string[]
}

/** Asks before changes of authority, and shows their effect before they can be confirmed. */
export const ConfirmChanges = ({ changes, names = [], ...props }: ConfirmChangesProps) => {
  const preview = usePreview(() => changes)
  return (
    <ConfirmModal
      opened
      {...props}
      effect={<Effect preview={preview} names={names} />}
      isBlocked={!preview.isOpen}
    />
  )
}
