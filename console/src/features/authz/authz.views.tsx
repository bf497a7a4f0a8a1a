import { Group, Loader, Text } from '@mantine/core'
import type { Change } from '@tenantry/client'
import { loadPage } from '../../i18n.ts'
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

// Lazy, because the list of users and pages that ask only on a click load first. The answer can hold an error.
const loadEffect = loadPage(['access', 'errors'], () => import('./effect.tsx'))
const Answer = lazyPart(async () => (await loadEffect()).Answer, <Looking />)

interface EffectProps {
  preview: Previewed
  /** The name of the object of each change, if there are several changes. */
  names?: string[]
}

/** Shows which users gain and lose permissions, which error the change would get, or why neither is known. */
export const Effect = ({ preview, names = [] }: EffectProps) =>
  preview.isFetching ? <Looking /> : <Answer preview={preview} names={names} />

interface ConfirmChangesProps extends Omit<ConfirmModalProps, 'opened' | 'effect' | 'isBlocked'> {
  changes: Change[]
  names?: string[]
}

/** Asks before changes of authority. Shows their effect before the user can confirm. */
export const ConfirmChanges = ({ changes, names = [], ...props }: ConfirmChangesProps) => {
  const preview = usePreview(() => changes)
  return (
    <ConfirmModal
      opened
      {...props}
      // The error of the change replaces the effect, so that an outage is reported only once.
      effect={!props.error && <Effect preview={preview} names={names} />}
      isBlocked={!preview.isOpen}
    />
  )
}
