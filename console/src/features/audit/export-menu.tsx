import { Alert, Button, CloseButton, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPopup } from '../../components/lazy-popup.tsx'
import { LeaveWork } from '../../components/leave-question.tsx'
import { useFormat } from '../../format.ts'
import { useFileName } from '../../shell/tenants.ts'
import { filtersOf } from './audit-filters.tsx'
import type { AuditFilters } from './audit.search.ts'
import { ExportTooLarge, memoryBytesMax, type ExportFormat, type useExport } from './use-export.ts'

type Export = ReturnType<typeof useExport>

const contentsOf = (format: ExportFormat): string => (format === 'sealed' ? 'audit-sealed' : 'audit')

const endingOf = (format: ExportFormat): string => (format === 'csv' ? 'csv' : 'ndjson')

const Formats = lazyPopup('menu', async () => (await import('./export-formats.tsx')).ExportFormats)

export const ExportMenu = ({ filters, work }: { filters: AuditFilters; work: Export }) => {
  const { t } = useTranslation()
  const fileName = useFileName()
  // A sealed export takes no filters, because a chain with gaps cannot be verified.
  const start = (format: ExportFormat): void =>
    void work.run(
      { ...(format === 'sealed' ? {} : { ...filtersOf(filters), include: 'actor' as const }), format },
      `${fileName(contentsOf(format))}.${endingOf(format)}`,
    )
  return (
    <Formats onChoose={start}>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        disabled={work.state.status === 'running'}
      >
        {t('audit.export')}
      </Button>
    </Formats>
  )
}

export const ExportProgress = ({ work: { state, cancel, clear } }: { work: Export }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (state.status === 'idle') return null
  if (state.status === 'failed') return <ExportFailure error={state.error} onClose={clear} />
  const size = format.bytes(state.bytes)
  const texts = {
    running: t('audit.exporting', { size }),
    done: t('audit.exported', { size }),
    cancelled: t('audit.exportCancelled'),
  }
  return (
    <Alert role="status" mb="sm" py="xs" color={state.status === 'done' ? 'teal' : 'indigo'}>
      <Group justify="space-between" mih={28}>
        <Text size="sm" className="numbers">
          {texts[state.status]}
        </Text>
        {state.status === 'running' ? (
          <Button size="compact-sm" variant="default" onClick={cancel}>
            {t('common.cancel')}
          </Button>
        ) : (
          <CloseButton size="sm" aria-label={t('common.close')} onClick={clear} />
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
      {t('audit.exportTooLarge', { limit: format.bytes(memoryBytesMax) })}
    </Alert>
  )
}
