import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CreateBroadcast, Sending } from '@tenantry/client'
import { useState } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { LeaveWork } from '../../components/leave-question.tsx'
import { useStop } from '../../components/use-stop.ts'
import { useFormat } from '../../format.ts'
import { useRenewInbox } from '../../session/inbox.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'

const useSaid = ({ sent, total, is_done: isDone }: Sending, isRunning: boolean): string => {
  const { t } = useTranslation()
  const format = useFormat()
  if (isDone) return t('sendings.allSent', { count: sent, said: format.count(sent) })
  const figures = { sent: format.count(sent), total: format.count(total) }
  return isRunning ? t('sendings.sendingAll', figures) : t('sendings.stopped', figures)
}

interface BroadcastProgressProps {
  broadcast: Broadcasting
  sending: Sending
  onClose: () => void
}

export const BroadcastProgress = ({ broadcast, sending, onClose }: BroadcastProgressProps) => {
  const { t } = useTranslation()
  const { isRunning, error, goOn, stop } = broadcast
  const said = useSaid(sending, isRunning)
  return (
    <Stack>
      <Text fw={500} role="status">
        {said}
      </Text>
      <Progress value={(100 * sending.sent) / Math.max(sending.total, 1)} aria-label={said} />
      {isRunning && <Text size="sm">{t('sendings.keepOpen')}</Text>}
      {error && <ErrorPanel error={error} />}
      <SendingButtons
        isRunning={isRunning}
        onStop={stop}
        rest={sending.is_done ? undefined : { label: t('sendings.goOn'), send: goOn }}
        onClose={onClose}
      />
    </Stack>
  )
}

/**
 * Sends a broadcast in batches until all recipients have it, a batch fails or the user stops it. The user can continue
 * it later.
 */
export const useBroadcast = (begun?: Sending) => {
  const { api, tenantId } = useScope()
  const queries = useQueryClient()
  const renewInbox = useRenewInbox()
  const { begin, stop } = useStop()
  const [sending, setSending] = useState(begun)
  const sendAll = useMutation({
    mutationFn: async (start: Sending | CreateBroadcast) => {
      const signal = begin()
      let current = 'id' in start ? start : await api.notifications.broadcast(start)
      setSending(current)
      while (!current.is_done && !signal.aborted) {
        current = await api.notifications.sendBatch(current.id)
        setSending(current)
      }
    },
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: ['sent', tenantId] }), renewInbox()]),
  })
  return {
    sending,
    isRunning: sendAll.isPending,
    error: sendAll.error,
    begin: (message: CreateBroadcast): void => sendAll.mutate(message),
    goOn: (): void => {
      if (sending) sendAll.mutate(sending)
    },
    stop,
  }
}

type Broadcasting = ReturnType<typeof useBroadcast>

interface SendingButtonsProps {
  isRunning: boolean
  onStop: () => void
  /** Sends to the remaining recipients. Absent if there are none. */
  rest: { label: string; send: () => void } | undefined
  onClose: () => void
}

/**
 * The buttons of a window that sends: stop, continue or close. Asks before the user leaves the page during the sending.
 */
export const SendingButtons = ({ isRunning, onStop, rest, onClose }: SendingButtonsProps) => {
  const { t } = useTranslation()
  const other = isRunning ? { label: t('common.stop'), send: onStop } : rest
  return (
    <Group justify="flex-end">
      {other && (
        <Button variant="default" onClick={other.send}>
          {other.label}
        </Button>
      )}
      <Button disabled={isRunning} onClick={onClose}>
        {t('common.close')}
      </Button>
      <LeaveWork isRunning={isRunning} />
    </Group>
  )
}
