import type { AuditLog } from '@tenantry/client'
import { Stack } from '@mantine/core'
import { JsonView } from '../../components/json-view.tsx'
import { useTranslation } from '../../translation.ts'
import { DifferencesTable } from './differences-table.tsx'
import { differencesOf } from './differences.ts'

/** The fields of a record before and after its change. */
export const RecordChanges = ({ record }: { record: Pick<AuditLog, 'action' | 'detail'> }) => {
  const { t } = useTranslation()
  const differences = differencesOf(record)
  const { changes, rest } = differences
  return (
    <Stack gap="sm">
      {changes.length > 0 && <DifferencesTable {...differences} />}
      {Object.keys(rest).length > 0 && <JsonView value={rest} label={t('auditLog.other')} />}
    </Stack>
  )
}
