import { Progress, Stack, Text } from '@mantine/core'
import type { Sending } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFormat } from '../../format.ts'
import { SendingButtons } from './sending-buttons.tsx'
import type { Broadcasting } from './use-broadcast.ts'

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
