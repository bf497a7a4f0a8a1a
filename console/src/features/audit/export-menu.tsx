import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from '../../translation.ts'
import { lazyPopup } from '../../components/lazy-popup.tsx'
import { useFileName } from '../../shell/tenants.ts'
import { filtersOf } from './audit-filters.tsx'
import type { AuditFilters } from './audit.search.ts'
import type { Export, ExportFormat } from './use-export.ts'

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
        disabled={work.state?.status === 'running'}
      >
        {t('auditLog.export')}
      </Button>
    </Formats>
  )
}
