import { Alert, Button, CloseButton, Group, Text } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { LeaveWork } from '../../components/leave-question.tsx'
import { useFormat } from '../../format.ts'
import { ExportTooLarge, memoryBytesMax, type ExportState } from './use-export.ts'

interface ExportProgressProps {
  state: ExportState
  onCancel: () => void
  onClose: () => void
}

export const ExportProgress = ({ state, onCancel, onClose }: ExportProgressProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (state.status === 'failed') return <ExportFailure error={state.error} onClose={onClose} />
  const size = format.bytes(state.bytes)
  const texts = {
    running: t('auditLog.exporting', { size }),
    done: t('auditLog.exported', { size }),
    cancelled: t('auditLog.exportCancelled'),
  }
  return (
    <Alert role="status" mb="sm" py="xs" color={state.status === 'done' ? 'teal' : 'indigo'}>
      <Group justify="space-between" mih={28}>
        <Text size="sm" className="numbers">
          {texts[state.status]}
        </Text>
        {state.status === 'running' ? (
          <Button size="compact-sm" variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        ) : (
          <CloseButton size="sm" aria-label={t('common.close')} onClick={onClose} />
        )}
      </Group>
      <LeaveWork isRunning={state.status === 'running'} />
    </Alert>
  )
}

const ExportFailure = ({ error, onClose }: { error: unknown; onClose: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (!(error instanceof ExportTooLarge)) return <ErrorPanel error={error} />
  return (
    <Alert
      role="alert"
      color="yellow"
      mb="sm"
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={onClose}
    >
      {t('auditLog.exportTooLarge', { limit: format.bytes(memoryBytesMax) })}
    </Alert>
  )
}
