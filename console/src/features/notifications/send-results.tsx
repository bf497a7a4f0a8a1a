import { List, Progress, ScrollArea, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconDots, IconQuestionMark, IconX } from '@tabler/icons-react'
import type { CreateNotification } from '@tenantry/client'
import { useState } from 'react'
import { isUnsure, useErrorText } from '../../components/error-text.ts'
import { useBulk } from '../../components/use-bulk.ts'
import { useRenewInbox } from '../../session/inbox.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { SendingButtons } from './broadcast-progress.tsx'
import type { Recipient } from './recipients.views.tsx'

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

/** The outcome for one recipient. `unsure` means that no answer came, so the recipient may have the message. */
interface Outcome {
  recipient: Recipient
  status: 'waiting' | 'sent' | 'failed' | 'unsure'
  error?: unknown
}

const waitingOf = (outcomes: Outcome[]): Recipient[] =>
  outcomes.filter(({ status }) => status === 'waiting').map(({ recipient }) => recipient)

export const useSending = (message: Omit<CreateNotification, 'user_id'>) => {
  const { api } = useScope()
  const me = useMe()
  const renewInbox = useRenewInbox()
  const { state, run, stop } = useBulk<Recipient>()
  const [before, setBefore] = useState<Outcome[]>([])
  const turns = new Map(waitingOf(before).map(({ id }, turn) => [id, turn]))

  const outcomeOf = (one: Outcome): Outcome => {
    const turn = turns.get(one.recipient.id)
    if (turn === undefined || turn >= state.done) return one
    const failure = state.failures.find(({ item }) => item.id === one.recipient.id)
    if (!failure) return { ...one, status: 'sent' }
    return { ...one, status: isUnsure(failure.error) ? 'unsure' : 'failed', error: failure.error }
  }
  const outcomes = before.map(outcomeOf)

  const begin = async (next: Outcome[]): Promise<void> => {
    setBefore(next)
    const sent = await run(waitingOf(next), ({ id }) => api.notifications.create({ ...message, user_id: id }))
    if (sent.some(({ id }) => id === me.user.id)) await renewInbox()
  }

  return {
    outcomes,
    isRunning: state.isRunning,
    send: (recipients: Recipient[]): void =>
      void begin(recipients.map((recipient) => ({ recipient, status: 'waiting' }))),
    /** Skips recipients who may already have the message, so that nobody gets it twice. */
    sendAgain: (): void =>
      void begin(
        outcomes.map(({ recipient, status }) => ({
          recipient,
          status: status === 'failed' ? 'waiting' : status,
        })),
      ),
    stop,
  }
}

type Sending = ReturnType<typeof useSending>
