import { Alert, Button, CloseButton, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useErrorText } from './error-text.ts'
import type { BulkState } from './use-bulk.ts'

interface BulkProgressProps<T> {
  state: BulkState<T>
  nameOf: (item: T) => string
  /** Begins no more; what is done stays done. */
  onStop: () => void
  onClose: () => void
}

const shownFailures = 5

/** How far long work is, and what of it failed; nothing when all is well and done. */
export const BulkProgress = <T,>({ state, nameOf, onStop, onClose }: BulkProgressProps<T>) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const { done, total, failures, isRunning } = state
  if (!isRunning && failures.length === 0) return null
  return (
    <Alert color={failures.length > 0 ? 'red' : 'indigo'} role="status" mb="sm">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={500}>
            {isRunning
              ? t('common.progress', { done, total })
              : t('common.someFailed', { failed: failures.length, total })}
          </Text>
          {isRunning ? (
            <Button size="compact-xs" variant="default" onClick={onStop}>
              {t('common.stop')}
            </Button>
          ) : (
            <CloseButton size="sm" aria-label={t('common.close')} onClick={onClose} />
          )}
        </Group>
        {isRunning && (
          <Progress value={(100 * done) / total} aria-label={t('common.progress', { done, total })} />
        )}
        <List size="sm">
          {failures.slice(0, shownFailures).map(({ item, error }) => (
            <List.Item key={nameOf(item)}>
              {nameOf(item)}: {textOf(error)}
            </List.Item>
          ))}
        </List>
      </Stack>
    </Alert>
  )
}
