import { Box, Alert, Button, CloseButton, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from '../translation.ts'
import { useErrorText } from './error-text.ts'
import { LeaveWork } from './leave-question.tsx'
import type { BulkFailure, BulkState } from './use-bulk.ts'

interface RowNames<T> {
  idOf: (item: T) => number | string
  nameOf: (item: T) => string
}

interface BulkProgressProps<T> extends RowNames<T> {
  state: BulkState<T>
  /** Starts no further item. Finished items stay done. */
  stop: () => void
  clear: () => void
}

/** Shows the progress of a bulk change and its failures. Shows nothing after every item succeeded. */
export const BulkProgress = <T,>({ state, stop, clear, ...named }: BulkProgressProps<T>) => {
  const { t } = useTranslation()
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
            <Button size="compact-xs" variant="default" onClick={stop}>
              {t('common.stop')}
            </Button>
          ) : (
            <CloseButton size="sm" aria-label={t('common.close')} onClick={clear} />
          )}
        </Group>
        {isRunning && (
          <Progress value={(100 * done) / total} aria-label={t('common.progress', { done, total })} />
        )}
        {failures.length > 0 && <Failures failures={failures} {...named} />}
      </Stack>
      <LeaveWork isRunning={isRunning} />
    </Alert>
  )
}

const Failures = <T,>({ failures, idOf, nameOf }: RowNames<T> & { failures: BulkFailure<T>[] }) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  return (
    <Box className="failures" tabIndex={0} role="region" aria-label={t('common.failures')}>
      <List size="sm">
        {failures.map(({ item, error }) => (
          <List.Item key={idOf(item)}>
            <bdi>{nameOf(item)}</bdi>: {textOf(error)}
          </List.Item>
        ))}
      </List>
    </Box>
  )
}
