import { Group, Loader, Text } from '@mantine/core'
import type { Change } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, type ConfirmModalProps } from '../../components/confirm-modal.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { loadEffect, usePreview, type Previewed } from './authz.queries.ts'
import { EffectError } from './effect-error.tsx'

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

const Answer = lazyPart(async () => (await loadEffect()).Answer, <Looking />)

interface EffectProps {
  preview: Previewed
  /** The name of the object of each change, if there are several changes. */
  names?: string[]
}

/** Shows which users gain and lose permissions, which error the change would get, or why neither is known. */
export const Effect = ({ preview: { data, error, isFetching, refetch }, names = [] }: EffectProps) => {
  if (isFetching) return <Looking />
  return data ? (
    <Answer effect={data} names={names} />
  ) : (
    <EffectError error={error} onRetry={() => void refetch()} />
  )
}

interface ConfirmChangesProps extends Omit<ConfirmModalProps, 'opened' | 'effect' | 'isBlocked'> {
  changes: Change[]
  names?: string[]
  /** True while the page reads other facts of the effect. */
  isReading?: boolean
}

/** Asks before changes of authority. Shows their effect before the user can confirm. */
export const ConfirmChanges = ({ changes, names = [], isReading = false, ...props }: ConfirmChangesProps) => {
  const read = usePreview(() => changes)
  const preview = { ...read, isFetching: read.isFetching || isReading }
  return (
    <ConfirmModal
      opened
      {...props}
      // The error of the change replaces the effect, so that an outage is reported only once.
      effect={!props.error && <Effect preview={preview} names={names} />}
      isBlocked={!preview.isOpen || isReading}
    />
  )
}
