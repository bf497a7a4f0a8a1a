import { Button, Group } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import { LeaveWork } from '../../components/leave-question.tsx'

interface SendingButtonsProps {
  isRunning: boolean
  onStop: () => void
  /** Sends to the remaining recipients; absent if there are none. */
  rest: { label: string; send: () => void } | undefined
  onClose: () => void
}

/** The buttons of a window that sends: stop, continue or close. Asks before the page is left meanwhile. */
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
