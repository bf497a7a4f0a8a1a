import { Group, Loader, Text } from '@mantine/core'
import type { Change } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, type ConfirmModalProps } from '../../components/confirm-modal.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { usePreview, type Previewed } from './authz.queries.ts'
const Looking = () => {
  const { t } = useTranslation()
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" />
      <Text size="sm" c="dimmed">
        {t('authz.looking')}
      </Text>
    </Group>
  )
}

// Lazy: the list of users, and other pages that ask only on a click, come first.
const Answer = lazyPart(async () => (await import('./effect.tsx')).Answer, <Looking />)

interface EffectProps {
  preview: Previewed
  /** The name of each change's object, if there are several. */
  names?: string[]
}

/** Says which users gain and lose permissions, which error would come, or why neither is known. */
export const Effect = ({ preview, names = [] }: EffectProps) =>
  preview.isFetching ? <Looking /> : <Answer preview={preview} names={names} />

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
      // The error of the change replaces the effect, so that an unreachable service is reported once.
      effect={!props.error && <Effect preview={preview} names={names} />}
      isBlocked={!preview.isOpen}
    />
  )
}
