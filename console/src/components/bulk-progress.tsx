import { Box, Alert, Button, CloseButton, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from '../translation.ts'
import { useErrorText } from './error-text.ts'
import { LeaveWork } from './leave-question.tsx'
import type { BulkFailure, BulkState } from './use-bulk.ts'

interface BulkProgressProps<T> {
  state: BulkState<T>
  /** Starts no further item. Finished items stay done. */
  stop: () => void
  clear: () => void
  nameOf: (item: T) => string
}

/** Shows the progress of a bulk change and its failures. Shows nothing after every item succeeded. */
export const BulkProgress = <T,>({ state, stop, clear, nameOf }: BulkProgressProps<T>) => {
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
        {failures.length > 0 && <Failures failures={failures} nameOf={nameOf} />}
      </Stack>
      <LeaveWork isRunning={isRunning} />
    </Alert>
  )
}

interface FailuresProps<T> {
  failures: BulkFailure<T>[]
  nameOf: (item: T) => string
}

/** The names by their reason, as many items often fail alike. */
const Failures = <T,>({ failures, nameOf }: FailuresProps<T>) => {
  const { t, comma } = useTranslation()
  const textOf = useErrorText()
  const names = new Map<string, string[]>()
  for (const { item, error } of failures) {
    const reason = textOf(error)
    const alike = names.get(reason) ?? []
    alike.push(nameOf(item))
    names.set(reason, alike)
  }
  return (
    <Box className="failures" tabIndex={0} role="region" aria-label={t('common.failures')}>
      <List size="sm">
        {[...names].map(([reason, alike]) => (
          <List.Item key={reason}>
            <bdi>{alike.join(comma)}</bdi>: {reason}
          </List.Item>
        ))}
      </List>
    </Box>
  )
}
