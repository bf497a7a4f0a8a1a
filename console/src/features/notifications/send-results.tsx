import { Button, Group, List, Progress, ScrollArea, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconDots, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../components/error-text.ts'
import type { BulkState } from '../../components/use-bulk.ts'
import type { Recipient } from './recipients.tsx'

interface SendResultsProps {
  state: BulkState<Recipient>
  recipients: Recipient[]
  onRetry: (failed: Recipient[]) => void
  onClose: () => void
}

const useSummary = ({ done, total, failures, isRunning }: BulkState<Recipient>): string => {
  const { t } = useTranslation()
  if (isRunning) return t('notifications.sending', { done, total })
  if (failures.length > 0) return t('notifications.notSent', { failed: failures.length, total })
  return t('notifications.sentAll', { count: total })
}

/** Who got it, who did not and why. */
export const SendResults = ({ state, recipients, onRetry, onClose }: SendResultsProps) => {
  const { t } = useTranslation()
  const summary = useSummary(state)
  const { done, total, failures, isRunning } = state
  return (
    <Stack>
      <Text fw={500} role="status">
        {summary}
      </Text>
      {isRunning && <Progress value={(100 * done) / total} aria-label={summary} />}
      <ScrollArea.Autosize
        mah={320}
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('notifications.results') }}
      >
        <List spacing="xs" listStyleType="none" size="sm" center>
          {recipients.map((recipient, index) => (
            <Result
              key={recipient.id}
              recipient={recipient}
              isDone={index < done}
              failure={failures.find(({ item }) => item.id === recipient.id)}
            />
          ))}
        </List>
      </ScrollArea.Autosize>
      <Group justify="flex-end">
        {!isRunning && failures.length > 0 && (
          <Button variant="default" onClick={() => onRetry(failures.map(({ item }) => item))}>
            {t('notifications.retry')}
          </Button>
        )}
        <Button disabled={isRunning} onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}

const looks = {
  waiting: { color: 'gray', icon: <IconDots size={14} /> },
  sent: { color: 'teal', icon: <IconCheck size={14} /> },
  failed: { color: 'red', icon: <IconX size={14} /> },
}

interface ResultProps {
  recipient: Recipient
  isDone: boolean
  failure: { error: unknown } | undefined
}

const Result = ({ recipient: { name }, isDone, failure }: ResultProps) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const { color, icon } = looks[failure ? 'failed' : isDone ? 'sent' : 'waiting']
  return (
    <List.Item
      icon={
        <ThemeIcon variant="light" color={color} size="sm" radius="xl">
          {icon}
        </ThemeIcon>
      }
    >
      <Text size="sm" className="whole">
        {name}
        {failure && ` – ${t('notifications.failed')}: ${textOf(failure.error)}`}
        {isDone && !failure && ` – ${t('notifications.sent')}`}
      </Text>
    </List.Item>
  )
}
