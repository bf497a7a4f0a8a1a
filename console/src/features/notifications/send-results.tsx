import { List, Progress, ScrollArea, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconDots, IconQuestionMark, IconX } from '@tabler/icons-react'
import { useTranslation } from '../../translation.ts'
import { useErrorText } from '../../components/error-text.ts'
import { SendingButtons } from './sending-buttons.tsx'
import type { Outcome, Sending } from './use-sending.ts'

interface SendResultsProps {
  sending: Sending
  onClose: () => void
}

const countOf = (outcomes: Outcome[], ...statuses: Outcome['status'][]): number =>
  outcomes.filter(({ status }) => statuses.includes(status)).length

const useSummary = ({ outcomes, isRunning }: Sending): string => {
  const { t } = useTranslation()
  const total = outcomes.length
  if (isRunning) return t('notifications.sending', { done: total - countOf(outcomes, 'waiting'), total })
  const failed = countOf(outcomes, 'failed', 'waiting')
  const unsure = countOf(outcomes, 'unsure')
  if (failed + unsure === 0) return t('notifications.sentAll', { count: total })
  return [
    ...(failed > 0 ? [t('notifications.notSent', { failed, total })] : []),
    ...(unsure > 0 ? [t('notifications.maybeSent', { unsure, total })] : []),
  ].join(' ')
}

export const SendResults = ({ sending, onClose }: SendResultsProps) => {
  const { t } = useTranslation()
  const summary = useSummary(sending)
  const { outcomes, isRunning, sendAgain, stop } = sending
  const waiting = countOf(outcomes, 'waiting')
  const hasRest = countOf(outcomes, 'failed', 'waiting') > 0
  return (
    <Stack>
      <Text fw={500} role="status">
        {summary}
      </Text>
      {isRunning && <Progress value={100 * (1 - waiting / outcomes.length)} aria-label={summary} />}
      <ScrollArea.Autosize
        mah={320}
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('notifications.results') }}
      >
        <List spacing="xs" listStyleType="none" size="sm" center>
          {outcomes.map((outcome) => (
            <Result key={outcome.recipient.id} {...outcome} />
          ))}
        </List>
      </ScrollArea.Autosize>
      <SendingButtons
        isRunning={isRunning}
        onStop={stop}
        rest={hasRest ? { label: t('notifications.retry'), send: sendAgain } : undefined}
        onClose={onClose}
      />
    </Stack>
  )
}

const looks = {
  waiting: { color: 'gray', icon: <IconDots size={14} /> },
  sent: { color: 'teal', icon: <IconCheck size={14} /> },
  failed: { color: 'red', icon: <IconX size={14} /> },
  unsure: { color: 'yellow', icon: <IconQuestionMark size={14} /> },
}

const useOutcomeText = () => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  return ({ status, error }: Outcome): string => {
    if (status === 'failed') return ` – ${t('notifications.failed')}: ${textOf(error)}`
    if (status === 'unsure') return ` – ${t('notifications.unsure')}`
    return status === 'sent' ? ` – ${t('notifications.sent')}` : ''
  }
}

const Result = (outcome: Outcome) => {
  const textOf = useOutcomeText()
  const { color, icon } = looks[outcome.status]
  return (
    <List.Item
      icon={
        <ThemeIcon variant="light" color={color} size="sm" radius="xl">
          {icon}
        </ThemeIcon>
      }
    >
      <Text size="sm" className="whole">
        {outcome.recipient.name}
        {textOf(outcome)}
      </Text>
    </List.Item>
  )
}
